// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations

@Suite struct PunycodeTests {
  @Test(arguments: [
    ("gre_GkaIi", "größe"), ("6ldrIFb", nil), ("ldrIFb", "名前"),
    ("withspacesanddashes_osagJJAFCjcHawa", "`with\u{a0}spaces\u{a0}and-dashes`"),
  ])
  func `compiler spellings are read`(encoded: String, decoded: String?) {
    #expect(Punycode.decode(Array(encoded.utf8)[...]) == decoded)
  }

  @Test(arguments: [
    "größe", "名前", "`with spaces and-dashes`", "plain", "1st", "é", "👩‍🚀 in space", "-",
  ])
  func `what is written can be read`(text: String) {
    #expect(Punycode.decode(Punycode.encode(text)[...]) == text)
  }
}
