// SPDX-License-Identifier: MIT

/// A unit of debugging information with three functions that have a `self`, made byte by byte.
enum SmallDebugInformation {
  static let symbols = ["$s1a1bV6borrowyyF", "$s1a1bV6mutateyyF", "$s1a1bV7consumeyyF"]

  /// Tag, whether it has children, attributes with their forms.
  static let abbreviations: [UInt8] = [
    1, 0x11, 1, 0x13, 0x05, 0x03, 0x08, 0, 0,  // the unit: language, name
    2, 0x13, 0, 0x03, 0x08, 0, 0,  // a struct: name
    3, 0x26, 0, 0x49, 0x13, 0, 0,  // a constant: type
    4, 0x2e, 1, 0x6e, 0x0e, 0x3b, 0x0b, 0, 0,  // a declaration: symbol, line
    5, 0x2e, 1, 0x47, 0x13, 0, 0,  // a definition: the declaration
    6, 0x05, 0, 0x03, 0x0e, 0x49, 0x13, 0x34, 0x19, 0, 0,  // a parameter: name, type, artificial
    7, 0x34, 0, 0x03, 0x0e, 0x49, 0x13, 0x3b, 0x0b, 0, 0,  // a variable: name, type, line
    0,
  ]

  static let strings: [UInt8] = Array(("self\0" + symbols.map { $0 + "\0" }.joined()).utf8)

  static let info: [UInt8] = {
    let header = 11
    var body: [UInt8] = [1, 0x1e, 0] + Array("unit\0".utf8)
    let type = header + body.count
    body += [2] + Array("b\0".utf8)
    let constant = header + body.count
    body += [3] + word(type)
    var name = 5
    for (index, symbol) in symbols.enumerated() {
      let declaration = header + body.count
      body += [4] + word(name) + [UInt8(index + 1), 0, 5] + word(declaration)
      body +=
        index < 2
        ? [6] + word(0) + word(index == 0 ? constant : type)
        : [7] + word(0) + word(type) + [UInt8(index + 1)]
      body += [0]
      name += symbol.utf8.count + 1
    }
    body += [0]
    return word(header - 4 + body.count) + [4, 0] + word(0) + [8] + body
  }()

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
