// SPDX-License-Identifier: MIT

/// One entry of an image's symbol table.
package struct ElfSymbol: Hashable, Sendable {
  /// The kind of thing that a symbol stands for.
  package enum Kind: Hashable, Sendable {
    /// The symbol is code.
    case function
    /// The symbol is data.
    case object
    /// The symbol is something else, with this `STT_` number.
    case other(UInt8)
  }

  /// The name of the symbol.
  package let name: String
  private let entry: Entry

  /// Where the symbol is in memory, relative to the image's load address.
  package var value: UInt64 { entry.value }
  /// The length of the code or data that the symbol names, 0 if unknown.
  package var size: UInt64 { entry.size }
  /// The kind of thing that the symbol stands for.
  package var kind: Kind { entry.kind }
  /// Whether the image itself has what the symbol names.
  package var isDefined: Bool { entry.isDefined }

  init(name: String, _ entry: Entry) {
    self.name = name
    self.entry = entry
  }
}

extension ElfSymbol {
  static let entrySize = 24

  /// The table's own data of a symbol.
  struct Entry: Hashable, Sendable {
    let value: UInt64
    let size: UInt64
    let sectionIndex: UInt16
    let kind: Kind
    /// Whether other images cannot see it.
    let isLocal: Bool
    /// Whether other object files of its image could not see it either. Linkers make hidden symbols local, and leave them hidden.
    let isPrivate: Bool

    var isDefined: Bool { sectionIndex != 0 }

    /// Reads the fields of an entry whose 24 bytes were checked to be there.
    init(_ entry: UnsafeRawBufferPointer) {
      let info = unsafe entry.loadUnaligned(fromByteOffset: 4, as: UInt8.self)
      sectionIndex = unsafe UInt16(
        littleEndian: entry.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
      value = unsafe UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      size = unsafe UInt64(littleEndian: entry.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      isLocal = info >> 4 == 0
      let visibility = unsafe entry.loadUnaligned(fromByteOffset: 5, as: UInt8.self) & 3
      isPrivate = isLocal && visibility == 0
      switch info & 0xf {
      case 1: kind = .object
      case 2: kind = .function
      case let number: kind = .other(number)
      }
    }
  }
}
