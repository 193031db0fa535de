// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations

@Suite struct NamePatternTests {
  @Test(arguments: [
    ("title", "Bank.Account.title", true), ("titles", "Bank.Account.title", false),
    ("Bank.*", "Bank.Account.title", true), ("Bank.*", "MyBank.Account", false),
    ("*.title", "Bank.Account.title", true), ("*.title", "Bank.Account.titles", false),
    ("*a*b*c", "xaybzc", true), ("*a*b*c", "xaybz", false), ("*", "", true), ("?", "", false),
    ("?", "ö", true), ("gr??e", "größe", true), ("**", "anything", true), ("a?c", "abc", true),
    ("a?c", "ac", false), ("*aab", "aaaab", true),
  ])
  func `patterns match as in a shell`(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern).matches(name) == matches)
  }

  @Test(.timeLimit(.minutes(1))) func `hostile patterns take no time`() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!NamePattern(pattern).matches(String(repeating: "a", count: 2000)))
  }
}
