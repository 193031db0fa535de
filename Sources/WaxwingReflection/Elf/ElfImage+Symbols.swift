// SPDX-License-Identifier: MIT

import Glibc

/// The symbol tables of an image that can be read.
package enum ElfSymbolTable: String, Hashable, Sendable, CaseIterable {
  /// All symbols, private ones too; `strip` removes it.
  case complete = ".symtab"
  /// The symbols that other images see; always there in a shared library.
  case dynamic = ".dynsym"
}

extension ElfImage {
  /// Whether the image has the table.
  package func hasSymbols(in table: ElfSymbolTable) -> Bool {
    section(named: table.rawValue) != nil
  }

  /// Whether the image tells the lines of its source.
  package var hasDebugLines: Bool {
    section(named: ".debug_line") != nil || section(named: ".zdebug_line") != nil
  }

  /// The symbols whose names the predicate accepts, in table order; none if there is no such table.
  ///
  /// The predicate sees the name's bytes before a `String` is made of them, which is what makes a
  /// look through 100,000 symbols cheap. The bytes must not leave it.
  /// - Throws: `ElfError.Code.truncated` if the table or its names lie outside the file.
  package func symbols(
    in table: ElfSymbolTable, where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(ElfError) -> [ElfSymbol] {
    var found: [ElfSymbol] = []
    try unsafe forEachSymbol(in: table) { name, entry in
      guard unsafe isWanted(name) else { return }
      unsafe found.append(ElfSymbol(name: String(decoding: name, as: UTF8.self), entry))
    }
    return found
  }

  /// Visits the symbols that have names, in table order. The names' bytes must not leave `body`.
  /// - Throws: `ElfError.Code.truncated` if the table or its names lie outside the file.
  func forEachSymbol(
    in table: ElfSymbolTable, _ body: (UnsafeRawBufferPointer, ElfSymbol.Entry) -> Void
  ) throws(ElfError) {
    guard let section = section(named: table.rawValue) else { return }
    let entries = try range(of: section)
    guard let strings = sections.dropFirst(Int(section.link)).first, section.link != 0 else {
      throw .truncated("the names of \(table.rawValue)")
    }
    let names = try range(of: strings)
    unsafe reader.bytes.withUnsafeBytes { bytes in
      unsafe Self.forEachSymbol(
        entries: UnsafeRawBufferPointer(rebasing: bytes[entries]),
        names: UnsafeRawBufferPointer(rebasing: bytes[names]), body)
    }
  }

  /// The symbols whose names end in `suffix`.
  func symbols(
    in table: ElfSymbolTable, suffix: StaticString
  ) throws(ElfError) -> [ElfSymbol] {
    // A static string lives as long as the program.
    let wanted = unsafe UnsafeRawBufferPointer(
      start: suffix.utf8Start, count: suffix.utf8CodeUnitCount)
    return try unsafe symbols(in: table) { name in
      unsafe name.last == wanted.last && name.suffix(wanted.count).elementsEqual(wanted)
    }
  }

  /// All symbols of the table.
  package func symbols(in table: ElfSymbolTable) throws(ElfError) -> [ElfSymbol] {
    try unsafe symbols(in: table) { _ in true }
  }

  /// Visits all symbols. Both buffers were checked to lie within the file; indices from the file
  /// are checked here.
  private static func forEachSymbol(
    entries: UnsafeRawBufferPointer, names: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, ElfSymbol.Entry) -> Void
  ) {
    for index in 0..<(entries.count / ElfSymbol.entrySize) {
      let start = index * ElfSymbol.entrySize
      let nameIndex = unsafe UInt32(
        littleEndian: entries.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      guard let name = unsafe name(at: Int(nameIndex), in: names) else { continue }
      let entry = unsafe UnsafeRawBufferPointer(
        rebasing: entries[start..<(start + ElfSymbol.entrySize)])
      unsafe body(name, ElfSymbol.Entry(entry))
    }
  }

  /// The name's bytes; nil if it is empty, starts outside the table or does not end in it.
  private static func name(
    at index: Int, in names: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard index > 0, index < names.count, let base = names.baseAddress else { return nil }
    let limit = names.count - index
    guard let end = unsafe memchr(base + index, 0, limit) else { return nil }
    let length = unsafe UnsafeRawPointer(end) - (base + index)
    return unsafe length == 0 ? nil : UnsafeRawBufferPointer(start: base + index, count: length)
  }
}
