// SPDX-License-Identifier: MIT

/// An ELF image of a kilobyte with all that is read of programs: a build id, and functions that can
/// be patched in both symbol tables.
enum SmallImage {
  private struct Section {
    let name: String
    var type: UInt64
    var bytes: [UInt8] = []
    var link: UInt64 = 0
    var entrySize: UInt64 = 0
  }

  private static let functions = [
    "$s4Bank4CageC4openyS2SF", "$s4Bank6CanaryC4singyS2iF", "$s4Bank6CanaryCACycfc",
    "$s4Bank10AsyncWaitsC6lingeryS2iYaF",
  ]
  private static let suffixes = ["", "TX", "Tu"]
  private static let headerSize = 64
  private static let noteHeader = 56

  /// The image.
  static let bytes: [UInt8] = {
    let (symbols, names) = table()
    let note = word(4, 4) + word(8, 4) + word(3, 4) + Array("GNU\0".utf8) + Array(1...8)
    var sections = [
      Section(name: "", type: 0), Section(name: ".note.gnu.build-id", type: 7, bytes: note),
      Section(name: ".symtab", type: 2, bytes: symbols, link: 3, entrySize: 24),
      Section(name: ".strtab", type: 3, bytes: names),
      Section(name: ".dynsym", type: 11, bytes: symbols, link: 5, entrySize: 24),
      Section(name: ".dynstr", type: 3, bytes: names), Section(name: ".shstrtab", type: 3),
    ]
    let last = sections.count - 1
    sections[last].bytes = Array((sections.map(\.name).joined(separator: "\0") + "\0").utf8)
    return assemble(sections)
  }()

  /// A symbol for each function and each suffix, and the names.
  private static func table() -> (symbols: [UInt8], names: [UInt8]) {
    var symbols = [UInt8](repeating: 0, count: 24)
    var names: [UInt8] = [0]
    for (index, name) in functions.flatMap({ base in suffixes.map { base + $0 } }).enumerated() {
      let address = UInt64(0x1000 + 16 * index)
      symbols += word(UInt64(names.count), 4) + [0x12, 0] + word(1, 2) + word(address, 8)
      symbols += word(16, 8)
      names += Array(name.utf8) + [0]
    }
    return (symbols, names)
  }

  private static func assemble(_ sections: [Section]) -> [UInt8] {
    var content: [UInt8] = []
    var headers: [UInt8] = []
    var name = 0
    for section in sections {
      let offset = headerSize + noteHeader + content.count
      headers += word(UInt64(name), 4) + word(section.type, 4) + word(0, 8) + word(0, 8)
      headers += word(UInt64(offset), 8) + word(UInt64(section.bytes.count), 8)
      headers += word(section.link, 4) + word(0, 4) + word(1, 8) + word(section.entrySize, 8)
      content += section.bytes
      name += section.name.utf8.count + 1
    }
    let note = UInt64(sections[1].bytes.count)
    let segment =
      word(4, 4) + word(4, 4) + word(UInt64(headerSize + noteHeader), 8) + word(0, 16)
      + word(note, 8) + word(note, 8) + word(4, 8)
    let start = headerSize + noteHeader + content.count
    return header(sections: sections.count, at: start) + segment + content + headers
  }

  private static func header(sections: Int, at start: Int) -> [UInt8] {
    let identity: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    let kind = word(3, 2) + word(62, 2) + word(1, 4) + word(0, 8)
    let tables = word(UInt64(headerSize), 8) + word(UInt64(start), 8) + word(0, 4)
    let sizes = word(64, 2) + word(56, 2) + word(1, 2) + word(64, 2)
    return identity + kind + tables + sizes + word(UInt64(sections), 2)
      + word(UInt64(sections - 1), 2)
  }

  private static func word(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
  }
}
