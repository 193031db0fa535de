// SPDX-License-Identifier: MIT

import Glibc

/// A key that was pressed.
package enum Key: Equatable {
  case character(Character)
  case enter, escape, backspace
  case up, down, pageUp, pageDown
}

/// The terminal's keys one by one, without echo, as long as this lives. Ctrl-C is a signal still.
package struct Keyboard: ~Copyable {
  private let before: termios
  private var bytes: [UInt8] = []
  /// The terminal is gone: nothing will come any more.
  package private(set) var hasEnded = false

  private init(before: termios) { self.before = before }

  /// - Returns: nil: standard input is no terminal.
  package static func open() -> Keyboard? {
    var mode = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    let before = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return nil }
    return Keyboard(before: before)
  }

  deinit {
    var mode = before
    unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
  }

  /// The next key, or nil if none is pressed in that time.
  package mutating func next(milliseconds: Int32) -> Key? {
    if bytes.isEmpty { read(milliseconds) }
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escapeSequence() }
    if first < 0x80 {
      bytes.removeFirst()
      return Self.key(first)
    }
    return .character(characterOfSeveralBytes())
  }

  /// Reads the bytes that have come, or else those that come in this time.
  private mutating func read(_ milliseconds: Int32) {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { return }
    let found = unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = unsafe Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      return unsafe count > 0 ? Array(buffer.prefix(count)) : []
    }
    if found.isEmpty { hasEnded = true }
    bytes += found
  }

  private static func key(_ byte: UInt8) -> Key {
    switch byte {
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    default: .character(Character(UnicodeScalar(byte)))
    }
  }

  private static let sequences: [(text: String, key: Key)] = [
    ("[A", .up), ("OA", .up), ("[B", .down), ("OB", .down), ("[5~", .pageUp), ("[6~", .pageDown),
  ]

  /// An escape alone is the key; what a terminal sends for others comes with it at once.
  private mutating func escapeSequence() -> Key? {
    if bytes.count == 1 { read(20) }
    bytes.removeFirst()
    for (sequence, key) in Self.sequences where bytes.starts(with: sequence.utf8) {
      bytes.removeFirst(sequence.utf8.count)
      return key
    }
    guard bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "O") else {
      return .escape
    }
    // Another key: up to the letter or the tilde that ends its sequence.
    bytes.removeFirst()
    let end = bytes.firstIndex { (0x40...0x7E).contains($0) }
    bytes.removeFirst(end.map { $0 + 1 } ?? bytes.count)
    return nil
  }

  /// Reads a character of several bytes of UTF-8; the replacement character if the bytes are
  /// invalid.
  private mutating func characterOfSeveralBytes() -> Character {
    let count = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
    if bytes.count < count { read(20) }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    bytes.removeFirst(min(count, bytes.count))
    return text.first ?? "\u{FFFD}"
  }
}
