// SPDX-License-Identifier: MIT

/// A line of a key list, taken apart word by word in the way of OpenSSH, which works on C strings:
/// a null byte ends it.
struct KeyListLine {
  private(set) var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line.prefix { $0 != 0 } }

  /// Whether the line is blank or a comment.
  var isBlankOrComment: Bool { rest.first.map { $0 == UInt8(ascii: "#") } ?? true }

  mutating func skip(_ characters: [UInt8]) { rest = rest.drop { characters.contains($0) } }

  /// The first word, which may be partly in quotes (strdelimw in OpenSSH's misc.c); nil if nothing
  /// follows it, or a quote is open.
  mutating func names() -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    guard let end = rest.firstIndex(where: { $0 == quote || Self.space.contains($0) }) else {
      return nil
    }
    var names = Array(rest[..<end])
    var tail = rest[(end + 1)...]
    if rest[end] == quote {
      guard let close = tail.firstIndex(of: quote) else { return nil }
      names += tail[..<close]
      tail = tail[(close + 1)...]
    }
    rest = tail
    skip(Self.space)
    return names
  }

  /// A key: its type, spaces, Base64. Nothing is taken if there is none.
  mutating func key() -> ListedKey? {
    let type = rest.prefix { !Self.blank.contains($0) }
    guard let name = String(validating: type, as: UTF8.self), type.endIndex < rest.endIndex else {
      return nil
    }
    let tail = rest[type.endIndex...].drop { Self.blank.contains($0) }
    let text = tail.prefix { !Self.blank.contains($0) }
    guard let key = ListedKey(type: name, text: text) else { return nil }
    rest = tail[text.endIndex...]
    return key
  }

  /// A word of options, which may contain spaces in quotes; nil if a quote is open or nothing
  /// follows it.
  mutating func options() -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    var isQuoted = false
    var place = rest.startIndex
    while place < rest.endIndex, isQuoted || !Self.blank.contains(rest[place]) {
      if rest[place] == UInt8(ascii: "\\"), place + 1 < rest.endIndex, rest[place + 1] == quote {
        place += 1
      } else if rest[place] == quote {
        isQuoted.toggle()
      }
      place += 1
    }
    guard place < rest.endIndex else { return nil }
    defer {
      rest = rest[(place + 1)...]
      skip(Self.blank)
    }
    return Array(rest[..<place])
  }

  static let space = Array(" \t\r\n".utf8)
  private static let blank = Array(" \t".utf8)
}
