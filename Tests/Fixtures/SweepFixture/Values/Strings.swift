// SPDX-License-Identifier: MIT

private func turned(_ text: String) -> String { String(text.reversed()) }
private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
private func middle(_ text: String) -> Substring { text.dropFirst().dropLast() }
private func rest(_ text: Substring) -> Substring { text.dropFirst() }
private func base(_ text: Substring) -> String { text.base }
private func letter(_ letter: Character) -> (Character, Int) {
  (letter, letter.unicodeScalars.count)
}
private func letters(_ text: String) -> [Character] { Array(text) }
private func scalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
  Unicode.Scalar(scalar.value + 1)
}
private func fixed() -> StaticString { "static" }
private func index(_ text: String, _ offset: Int) -> String.Index {
  text.index(text.startIndex, offsetBy: offset)
}
private func part(_ text: String, _ range: Range<String.Index>) -> Substring { text[range] }
private func optional(_ text: String?) -> String? { text.map { $0 + $0 } }
private func parts(_ text: String) -> [Substring] { text.split(separator: ",") }
private func view(_ text: String) -> String.UTF8View { text.utf8 }
private func wide(_ text: String) -> String.UTF16View { text.utf16 }
private func scalars(_ text: String) -> String.UnicodeScalarView { text.unicodeScalars }
private func table(_ text: String) -> [Character: Int] {
  text.reduce(into: [:]) { $0[$1, default: 0] += 1 }
}

func runStrings(_ say: Say) {
  let text = "a\0é👩‍👩‍👧🇩🇪e\u{301}"
  say("turned \(turned(text)) \(bytes(text).count) \(bytes("\0\u{ff}")) \(turned(""))")
  let long = String(repeating: "long text ", count: 20)
  say("long \(turned(long).count) \(middle(long).count) \(middle(text).utf8.count)")
  let sub = text.dropFirst(2)
  say(
    "rest \(rest(sub)) \(rest(sub).base == text) \(base(sub) == text) \(base(rest(rest(sub))).count)"
  )
  say("index \(rest(sub).startIndex == text.index(text.startIndex, offsetBy: 3))")
  say("letter \(letter("👩‍👩‍👧")) \(letter("x")) \(letters(text).count) \(letters("ab"))")
  say(
    "scalar \(scalar("a")!) \(scalar("\u{D7FF}") == nil) \(fixed()) \(String(describing: optional("o")))"
  )
  let start = index(text, 1)
  let end = index(text, 3)
  say(
    "part \(part(text, start..<end).utf8.count) \(part(text, start..<start).isEmpty) \(text[start] == "\0")"
  )
  say("parts \(parts("x,y,,z")) \(parts("x,y")[1].base) \(optional(nil) == nil)")
  say(
    "views \(view(text).count) \(wide(text).count) \(Array(scalars("ab"))) \(table("hello")["l"] ?? 0)"
  )
}
