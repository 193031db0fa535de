// SPDX-License-Identifier: MIT

/// Takes a stream apart into lines.
struct StreamLines {
  /// The received bytes of the next line, and of those after it.
  private(set) var rest: [UInt8] = []

  /// Takes what has come.
  mutating func append(_ bytes: [UInt8]) { rest += bytes }

  /// The next whole line that is not blank, without its end; nil: none has come yet.
  mutating func next() -> [UInt8]? {
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(rest[..<end])
      rest.removeSubrange(...end)
      if !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return line }
    }
    return nil
  }
}
