// SPDX-License-Identifier: MIT

import Expectations
import Testing

@testable import WaxwingDeclarations

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("Bank.*", "Bank.Account.title", true), ("Bank.*", "MyBank.Account", false),
    ("*.title", "Bank.Account.title", true), ("*.title", "Bank.Account.titles", false),
    ("*a*b*c", "xaybzc", true), ("*a*b*c", "xaybz", false), ("*", "", true), ("?", "", false),
    ("**", "anything", true), ("a?c", "abc", true), ("a?c", "ac", false), ("*aab", "aaaab", true),
  ])
  func `patterns match as in a shell`(pattern: String, name: String, matches: Bool) {
    let glob = GlobPattern(Array(pattern.utf8), hasQuestionMarks: true)
    #expect(glob.matches(Array(name.utf8)) == matches)
  }

  @Test func `hostile patterns take no time`() {
    let pattern = GlobPattern(Array((String(repeating: "*a", count: 200) + "b").utf8))
    expectTakes(atMost: 10) {
      #expect(!pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 2000)))
    }
  }
}
