// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

@Suite struct SelectorRulesTests {
  /// A pattern, a function, and whether the pattern means it.
  static let cases: [(pattern: String, selector: String, matches: Bool)] = [
    ("Orders.*", "Orders.Cart.total(items:)", true),
    ("Orders.*", "Orders", false),
    ("Orders.*", "OrdersOld.Cart.total()", false),
    ("*.password.get", "Bank.User.password.get", true),
    ("*.password.get", "Bank.User.password.set", false),
    ("*", "anything", true),
    ("Bank.Account", "Bank.Account.withdraw(_:memo:)", true),
    ("Bank.Account", "Bank.Account", true),
    ("Bank.Account", "Bank.Accounts.withdraw(_:)", false),
    ("Bank.Account.withdraw", "Bank.Account.withdraw(_:memo:)", true),
    ("Bank.Account.withdraw", "Bank.Account.withdrawAll()", false),
    ("Bank.Account.withdraw(_:memo:)", "Bank.Account.withdraw(_:memo:)", true),
    ("Bank.Account.withdraw(_:memo:)", "Bank.Account.withdraw(_:)", false),
    ("Bank.Account.title", "Bank.Account.title.set", true),
    ("Bank.*.t*e.get", "Bank.Account.title.get", true),
    ("Bank.*.t*e.get", "Bank.Account.total.get", false),
    ("Bänk.*", "Bänk.ä()", true),
    ("Shop.closure*", "Shop.closure #1 in boot(routes:)", true),
    ("Shop.boot", "Shop.closure #1 in boot(routes:)", true),
    ("Shop.boot(routes:)", "Shop.closure #2 in closure #1 in boot(routes:)", true),
    ("Shop.boot(other:)", "Shop.closure #1 in boot(routes:)", false),
    ("Shop.boots", "Shop.closure #1 in boot(routes:)", false),
    ("Shop.Desk", "Shop.Desk.closure #1 in open()", true),
    ("Shop.Desk.op*", "Shop.Desk.implicit closure #1 in open()", true),
  ]

  @Test(arguments: cases)
  func `what a pattern means`(pattern: String, selector: String, matches: Bool) throws {
    #expect(try #require(SelectorPattern(pattern)).matches(selector) == matches)
  }

  @Test func `a pattern of many stars ends`() throws {
    let pattern = try #require(SelectorPattern(String(repeating: "*a", count: 200) + "b"))
    #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    #expect(SelectorPattern("") == nil)
    #expect(SelectorPattern("a b") == nil)
    #expect(SelectorPattern(String(repeating: "a", count: 1025)) == nil)
  }

  @Test
  func `a signer with a line may override what it says, one without what is not protected`()
    throws
  {
    var rules = SelectorRules()
    rules.protected = [try #require(SelectorPattern("Orders.Audit.*"))]
    rules.allowed = ["alice@ops": [try #require(SelectorPattern("Orders.*"))]]
    func reason(_ selector: String, _ signer: String?) -> String? {
      rules.reason(against: selector, signer: signer)
    }
    #expect(reason("Orders.Cart.total()", "alice@ops") == nil)
    #expect(
      reason("Bank.fee(_:)", "alice@ops")
        == "patches by alice@ops may not override Bank.fee(_:) here: the host allows only Orders.*")
    #expect(reason("Bank.fee(_:)", "bob@ops") == nil)
    #expect(reason("Bank.fee(_:)", nil) == nil)
    for signer in ["alice@ops", "bob@ops", nil] {
      #expect(
        reason("Orders.Audit.log(_:)", signer)
          == "Orders.Audit.log(_:) may not be patched here: the host protects `Orders.Audit.*`")
    }
  }
}
