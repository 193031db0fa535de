// SPDX-License-Identifier: MIT

/// The first 64 bytes of an image, and the tables they point at.
struct ElfHeader {
  let machine: ElfImage.Machine
  let type: ElfImage.FileType
  /// Where the note segments are in the file.
  let noteSegments: [(offset: UInt64, size: UInt64)]
  private let sectionTable: UInt64
  private let sectionCount: UInt16
  private let nameTableIndex: UInt16

  private static let part = "the ELF header"

  init(reader: ElfReader) throws(ElfError) {
    try Self.checkIdentity(reader.bytes)
    switch try reader.load(UInt16.self, at: 16, part: Self.part) {
    case 2: type = .executable
    case 3: type = .sharedObject
    case let other: type = .other(other)
    }
    switch try reader.load(UInt16.self, at: 18, part: Self.part) {
    case 62: machine = .x86_64
    case 183: machine = .aarch64
    case let other: machine = .other(other)
    }
    sectionTable = try reader.load(UInt64.self, at: 40, part: Self.part)
    sectionCount = try reader.load(UInt16.self, at: 60, part: Self.part)
    nameTableIndex = try reader.load(UInt16.self, at: 62, part: Self.part)
    noteSegments = try Self.noteSegments(in: reader)
  }

  private static func checkIdentity(_ bytes: [UInt8]) throws(ElfError) {
    guard !bytes.isEmpty else {
      throw ElfError(.empty, "the file is empty", remedy: "build the program again")
    }
    guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw ElfError(
        .notElf,
        "the file is \(FileSignature.name(of: bytes)), not an ELF image",
        remedy: "name the program's binary")
    }
    guard bytes.count >= 64 else { throw .truncated(part) }
    guard bytes[4] == 2 else {
      throw ElfError(
        .unsupported, "the image is not 64-bit", remedy: "build the program for a 64-bit CPU")
    }
    guard bytes[5] == 1 else {
      throw ElfError(
        .unsupported, "the image is not little-endian",
        remedy: "build the program for x86_64 or aarch64")
    }
  }

  private static func noteSegments(
    in reader: ElfReader
  ) throws(ElfError) -> [(offset: UInt64, size: UInt64)] {
    let table = try reader.load(UInt64.self, at: 32, part: part)
    let count = try reader.load(UInt16.self, at: 56, part: part)
    guard count > 0 else { return [] }
    let size = UInt64(count) * 56
    let range = try reader.range(offset: table, size: size, part: "the program header table")
    var notes: [(offset: UInt64, size: UInt64)] = []
    for start in stride(from: UInt64(range.lowerBound), to: UInt64(range.upperBound), by: 56)
    where try reader.load(UInt32.self, at: start, part: part) == 4 {
      notes.append(
        (
          try reader.load(UInt64.self, at: start + 8, part: part),
          try reader.load(UInt64.self, at: start + 32, part: part)
        ))
    }
    return notes
  }

  /// The sections with their names; none if the image has no section header table.
  func sections(in reader: ElfReader) throws(ElfError) -> [ElfSection] {
    guard sectionTable != 0 else { return [] }
    let first = try ElfSection.header(at: sectionTable, in: reader).section
    // Counts that do not fit the header's 16 bits stand in the first section's header.
    let count = sectionCount == 0 ? first.size : UInt64(sectionCount)
    let nameIndex = nameTableIndex == 0xffff ? UInt64(first.link) : UInt64(nameTableIndex)
    let size = count.multipliedReportingOverflow(by: ElfSection.headerSize)
    guard !size.overflow else { throw .truncated("the section header table") }
    let range = try reader.range(
      offset: sectionTable, size: size.partialValue, part: "the section header table")
    return try sections(at: range, nameIndex: nameIndex, in: reader)
  }

  private func sections(
    at range: Range<Int>, nameIndex: UInt64, in reader: ElfReader
  ) throws(ElfError) -> [ElfSection] {
    var found: [(nameIndex: UInt32, section: ElfSection)] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 64) {
      found.append(try ElfSection.header(at: UInt64(start), in: reader))
    }
    guard nameIndex < UInt64(found.count) else { return found.map(\.section) }
    let names = found[Int(nameIndex)].section
    let table = try reader.range(
      offset: names.offset, size: names.size, part: "the section name table")
    return found.map { $0.section.named(reader.string(at: UInt64($0.nameIndex), in: table)) }
  }
}
