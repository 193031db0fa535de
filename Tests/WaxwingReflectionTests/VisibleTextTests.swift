// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations

@Suite struct VisibleTextTests {
  /// Control characters of all kinds, DEL, marks that turn text, and what no font shows.
  static let unsafe: [Unicode.Scalar] = [
    "\0", "\u{7}", "\u{8}", "\r", "\u{1b}", "\u{7f}", "\u{80}", "\u{9b}", "\u{ad}", "\u{34f}",
    "\u{61c}", "\u{115f}", "\u{180e}", "\u{200b}", "\u{200d}", "\u{200e}", "\u{200f}", "\u{2028}",
    "\u{2029}", "\u{202a}", "\u{202e}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{3164}", "\u{fe0f}",
    "\u{feff}", "\u{fff9}", "\u{e0001}", "\u{e0041}",
  ]

  @Test(arguments: unsafe) func `what cannot be seen is shown`(scalar: Unicode.Scalar) {
    let escape = "a\\u{\(String(scalar.value, radix: 16))}b"
    let text = "a\(scalar)b"
    #expect(VisibleText.line(text) == escape)
    #expect(VisibleText.lines(text) == escape)
    #expect(VisibleText.quoted(text) == "\"\(escape)\"")
    #expect(VisibleText.json(text).unicodeScalars.allSatisfy { !VisibleText.isUnsafe($0) })
  }

  @Test func `what can be seen stays, and doing it twice changes nothing`() {
    let text = "Ä → 漢字 🙂 \\ \"x\" [(_:) -> Int]"
    #expect(VisibleText.line(text) == text)
    #expect(VisibleText.line(VisibleText.line("a\nb")) == "a\\nb")
    #expect(VisibleText.quoted("a\"\\\n\t") == #""a\"\\\n\t""#)
    #expect(VisibleText.lines("a\n\tb\r") == "a\n\tb\\u{d}")
    #expect(VisibleText.line("abcdef", atMost: 3) == "abc…")
    #expect(VisibleText.json("\"\u{9b}\u{e0041}\"") == #""\u009b\udb40\udc41""#)
  }
}
