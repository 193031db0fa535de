// SPDX-License-Identifier: MIT

/// One entry of an image's section header table, as the file states it: unchecked but for its
/// place.
package struct ElfSection: Hashable, Sendable {
  /// The section's name, empty if the name table does not hold it.
  package let name: String
  /// The `sh_type` of the section.
  let type: UInt32
  /// Where the section is in memory, relative to the image's load address.
  let address: UInt64
  /// Where the section is in the file.
  let offset: UInt64
  /// The section's length in bytes.
  let size: UInt64
  /// The index of the section that this one refers to: a symbol table's strings.
  let link: UInt32
  /// The length of one entry of a table.
  let entrySize: UInt64
}

extension ElfSection {
  static let symbolsType: UInt32 = 2
  static let stringsType: UInt32 = 3
  static let noteType: UInt32 = 7
  static let noBitsType: UInt32 = 8
  static let dynamicSymbolsType: UInt32 = 11
  static let headerSize: UInt64 = 64

  /// Reads the header at `offset`, without its name.
  static func header(
    at offset: UInt64, in reader: ElfReader
  ) throws(ElfError) -> (nameIndex: UInt32, section: ElfSection) {
    let range = try reader.range(
      offset: offset, size: headerSize, part: "the section header table")
    let start = UInt64(range.lowerBound)
    let part = "a section header"
    let section = ElfSection(
      name: "",
      type: try reader.load(UInt32.self, at: start + 4, part: part),
      address: try reader.load(UInt64.self, at: start + 16, part: part),
      offset: try reader.load(UInt64.self, at: start + 24, part: part),
      size: try reader.load(UInt64.self, at: start + 32, part: part),
      link: try reader.load(UInt32.self, at: start + 40, part: part),
      entrySize: try reader.load(UInt64.self, at: start + 56, part: part))
    return (try reader.load(UInt32.self, at: start, part: part), section)
  }

  /// A placeholder for a section whose bytes were not read.
  static let unread = ElfSection(
    name: "", type: 0, address: 0, offset: 0, size: 0, link: 0, entrySize: 0)

  func named(_ name: String) -> ElfSection {
    ElfSection(
      name: name, type: type, address: address, offset: offset, size: size, link: link,
      entrySize: entrySize)
  }
}
