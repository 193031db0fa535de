// SPDX-License-Identifier: MIT

/// An answer to a browser.
struct ConsoleAnswer: Hashable, Sendable {
  var status: UInt32
  var type: String
  var body: [UInt8]
  var cookie: String?
  var location: String?
  /// Whether whoever asks has the token.
  var isTrusted = false

  init(_ status: UInt32, _ type: String, _ body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = body
  }

  /// An answer with one line of text.
  static func text(_ status: UInt32, _ line: String) -> ConsoleAnswer {
    ConsoleAnswer(status, "text/plain; charset=utf-8", Array((line + "\n").utf8))
  }
}
