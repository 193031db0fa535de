// SPDX-License-Identifier: MIT

/// A small ELF image, made byte by byte: a build id, symbols, and nothing to run.
enum SmallElf {
  static let function = "$s4Bank7AccountC7deposit_4memoS2i_SStKF"
  static let asyncFunction = "$s4Bank7AccountC5fetchySaySSGSSYaKF"
  static let unreadable = "$s4Bank7AccountC?"

  /// The names of an image that has patch points, in its order.
  static let symbolNames = [
    function + "TX", function, asyncFunction, asyncFunction + "Tu", asyncFunction + "TX",
    unreadable + "TX",
  ]

  private struct Section {
    var name: String
    var type: UInt32
    var content: [UInt8] = []
    var link: UInt32 = 0
    var entrySize: UInt64 = 0
  }

  /// Symbol values are 0x1000, 0x1010 and so on.
  static func image(patchPoints: Bool, symbolTable: String = ".symtab") -> [UInt8] {
    image(of: patchPoints ? symbolNames : ["main", function], symbolTable: symbolTable)
  }

  static func image(of names: [String], symbolTable: String = ".symtab") -> [UInt8] {
    var strings: [UInt8] = [0]
    var symbols = [UInt8](repeating: 0, count: 24)
    for (index, name) in names.enumerated() {
      symbols +=
        bytes(UInt32(strings.count)) + [name.hasSuffix("TX") ? 1 : 2, 0] + bytes(UInt16(1))
      symbols += bytes(UInt64(0x1000 + index * 0x10)) + bytes(UInt64(16))
      strings += Array(name.utf8) + [0]
    }
    return assemble([
      Section(name: "", type: 0),
      Section(name: ".note.gnu.build-id", type: 7, content: note),
      Section(name: symbolTable, type: 2, content: symbols, link: 3, entrySize: 24),
      Section(name: ".strtab", type: 3, content: strings),
    ])
  }

  private static let note: [UInt8] =
    bytes(UInt32(4)) + bytes(UInt32(16)) + bytes(UInt32(3)) + Array("GNU\0".utf8)
    + (0..<16).map { UInt8($0 * 0x11) }

  private static func assemble(_ sections: [Section]) -> [UInt8] {
    var names: [UInt8] = []
    var all = sections + [Section(name: ".shstrtab", type: 3)]
    let offsets = all.map { section in
      defer { names += Array(section.name.utf8) + [0] }
      return UInt32(names.count)
    }
    all[all.count - 1].content = names
    var body: [UInt8] = []
    var headers: [UInt8] = []
    for (section, nameOffset) in zip(all, offsets) {
      headers += bytes(nameOffset) + bytes(section.type) + bytes(UInt64(0)) + bytes(UInt64(0))
      headers += bytes(UInt64(64 + body.count)) + bytes(UInt64(section.content.count))
      headers +=
        bytes(section.link) + bytes(UInt32(0)) + bytes(UInt64(8)) + bytes(section.entrySize)
      body += section.content
    }
    return header(sectionTable: 64 + body.count, count: all.count) + body + headers
  }

  private static func header(sectionTable: Int, count: Int) -> [UInt8] {
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    header += bytes(UInt16(3)) + bytes(UInt16(62)) + bytes(UInt32(1)) + bytes(UInt64(0))
    header += bytes(UInt64(0)) + bytes(UInt64(sectionTable)) + bytes(UInt32(0))
    header += bytes(UInt16(64)) + bytes(UInt16(56)) + bytes(UInt16(0)) + bytes(UInt16(64))
    return header + bytes(UInt16(count)) + bytes(UInt16(count - 1))
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
