// SPDX-License-Identifier: MIT

/// A 64-bit little-endian ELF image, read as untrusted data: damaged images throw, none traps.
package struct ElfImage: Sendable {
  /// The CPU an image is for.
  package enum Machine: Hashable, Sendable {
    /// x86_64.
    case x86_64
    /// AArch64.
    case aarch64
    /// Any other machine, with its `EM_` number.
    case other(UInt16)
  }

  /// The kind of the image.
  package enum FileType: Hashable, Sendable {
    /// A program at a fixed address.
    case executable
    /// A shared library or a position-independent program.
    case sharedObject
    /// Any other file type, with its `ET_` number.
    case other(UInt16)
  }

  let reader: ElfReader
  /// The CPU the image is for.
  package let machine: Machine
  /// The kind of the image.
  package let type: FileType
  /// The image's sections in file order, the unnamed first one included.
  package let sections: [ElfSection]
  /// The linker's GNU build id in lower-case hexadecimal, nil if the image has none.
  package let buildID: String?

  /// Reads the image at `path`.
  package init(path: String) throws(ElfError) {
    try self.init(bytes: try ElfFile.bytes(path: path))
  }

  /// Reads only the symbols and the build id of the image at `path`: it has no other sections.
  package init(symbolsOf path: String) throws(ElfError) {
    try self.init(try ElfFile.symbolBytes(path: path)) { ElfParts.reads($0.type) }
  }

  /// Reads only these sections of the image at `path`, and of `.debug_info` only the units at these
  /// offsets: it has no other sections. Bytes between the units must not be looked at.
  init(path: String, sections names: Set<String>, units: Set<Int> = []) throws(ElfError) {
    try self.init(try ElfFile.debugBytes(path: path, sections: names, units: units)) {
      names.contains($0.name)
    }
  }

  /// Reads an image from memory.
  package init(bytes: [UInt8]) throws(ElfError) {
    try self.init(bytes) { _ in true }
  }

  private init(_ bytes: [UInt8], isRead: (ElfSection) -> Bool) throws(ElfError) {
    reader = ElfReader(bytes: bytes)
    let header = try ElfHeader(reader: reader)
    machine = header.machine
    type = header.type
    sections = try header.sections(in: reader).map { isRead($0) ? $0 : .unread }
    buildID = ElfNotes(reader: reader).buildID(segments: header.noteSegments, sections: sections)
  }

  /// The first section of that name, nil if there is none.
  package func section(named name: String) -> ElfSection? {
    sections.first { $0.name == name }
  }

  /// The bytes of a section; none for one that takes no room in the file.
  package func bytes(of section: ElfSection) throws(ElfError) -> ArraySlice<UInt8> {
    reader.bytes[try range(of: section)]
  }

  func range(of section: ElfSection) throws(ElfError) -> Range<Int> {
    guard section.type != ElfSection.noBitsType else { return 0..<0 }
    return try reader.range(
      offset: section.offset, size: section.size, part: "section '\(section.name)'")
  }
}
