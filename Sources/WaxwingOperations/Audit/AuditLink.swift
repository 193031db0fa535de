// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// A line of an audit log as a part of its chain: each has the hash of the line before it.
package struct AuditLink: Hashable, Sendable {
  /// The text in the first record in place of a hash.
  package static let none = String(repeating: "0", count: 64)

  /// The record's number, from 1.
  let number: Int
  /// The hash of the line before it.
  let previous: String
  /// The hash of this line.
  let hash: String
  /// The hash of the half line before it which it accounts for; nil: it accounts for none.
  let torn: String?

  private static let head = Array("{\"n\":".utf8)
  private static let tail = Array(",\"prev\":\"".utf8)
  private static let tornMember = Array(",\"torn\":\"".utf8)
  private static let tornEvent = Array("\"event\":\"audit.torn\"".utf8)

  /// Nil if the line is no record.
  package init?(line: some Collection<UInt8>) {
    let line = Array(line)
    guard line.count > Self.tail.count + 72, let number = Self.number(line) else { return nil }
    let end = line.suffix(Self.tail.count + 66)
    guard end.starts(with: Self.tail),
      let previous = Self.hash(end.dropFirst(Self.tail.count).prefix(64)),
      end.suffix(2).elementsEqual("\"}".utf8)
    else { return nil }
    self.number = number
    self.previous = previous
    hash = ContentHash(of: line).hex
    torn = Self.torn(in: line)
  }

  /// The number that a line begins with.
  static func number(_ line: [UInt8]) -> Int? {
    let digits = line.dropFirst(head.count).prefix { (0x30...0x39).contains($0) }
    guard line.starts(with: head), digits.count <= 18,
      let number = Int(String(decoding: digits, as: UTF8.self)), number > 0
    else { return nil }
    return number
  }

  private static func torn(in line: [UInt8]) -> String? {
    guard position(of: tornEvent, in: line.prefix(96)) != nil,
      let place = position(of: tornMember, in: line[...])
    else { return nil }
    return hash(line[(place + tornMember.count)...].prefix(64))
  }

  /// Nil for what are no 64 digits.
  private static func hash(_ digits: ArraySlice<UInt8>) -> String? {
    ContentHash(String(decoding: digits, as: UTF8.self))?.hex
  }

  private static func position(of part: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
    guard line.count >= part.count else { return nil }
    return (line.startIndex...(line.endIndex - part.count)).first { line[$0...].starts(with: part) }
  }
}
