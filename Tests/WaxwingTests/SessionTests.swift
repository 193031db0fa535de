// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Glibc
import Testing
import Waxwing

extension EngineSuite {
  /// Sessions: start, stacking, ending, restoring.
  @Suite struct SessionTests {
    private func patch(_ letter: String) -> String {
      """
      local A = class "Bank.Account"
      function A:describe() return "\(letter)(" .. self:ORIGdescribe() .. ")" end
      """
    }

    @Test
    func `overrides stack, the original is the next older one, all end in any order`()
      throws
    {
      let account = Account(owner: "Ada")
      for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let sessions = try ["a", "b", "c"].map {
          try WaxwingEngine.start(text: patch($0), name: $0)
        }
        expectEqual(account.describe(), "c(b(a(account)))")
        var left = ["a", "b", "c"]
        for index in order {
          let restoration = try WaxwingEngine.end(sessions[index])
          #expect(restoration.isComplete)
          left.removeAll { $0 == sessions[index].name }
          let expected = left.reduce("account") { "\($1)(\($0))" }
          expectEqual(account.describe(), expected)
          expectEqual(patches().map(\.name), left)
        }
      }
    }

    @Test func `restore ends all and verifies every entry`() throws {
      let account = Account(owner: "Ada")
      try WaxwingEngine.start(text: patch("a"), name: "a")
      try WaxwingEngine.start(text: patch("b"), name: "b")
      let restoration = try WaxwingEngine.restore()
      expectEqual(restoration.endedPatches, ["b", "a"])
      #expect(restoration.entriesVerified >= 1)
      #expect(restoration.isComplete)
      expectEqual(account.describe(), "account")
      let again = try WaxwingEngine.restore()
      #expect(again.endedPatches == [] && again.isComplete)
    }

    @Test func `ending twice is a no-op`() throws {
      let session = try WaxwingEngine.start(text: patch("a"), name: "a")
      let first = try WaxwingEngine.end(session)
      let second = try WaxwingEngine.end(session)
      #expect(first.endedPatches == ["a"] && second.endedPatches == [])
    }

    @Test func `a call after the end runs the original, as does one of a sibling`() throws {
      let account = Account(owner: "Ada")
      let text = """
        local Account = class "Bank.Account"
        function Account:describe() return "patched" end
        """
      for _ in 0..<3 {
        let session = try WaxwingEngine.start(text: text, name: "late")
        expectEqual(account.describe(), "patched")
        try WaxwingEngine.end(session)
        expectEqual(account.describe(), "account")
        expectEqual(account.deposit(0, memo: ""), account.balance)
        #expect(patches().isEmpty)
      }
    }

    @Test func `an overridden method changes no type`() throws {
      let savings: Account = Savings(id: 1, owner: "Ada")
      try WaxwingEngine.start(
        text: """
          local Account = class "Bank.Account"
          function Account:describe() return "patched " .. typeof(self).name end
          """, name: "types")
      #expect(type(of: savings) == Savings.self && savings is Savings)
      #expect((savings as? Savings)?.owner == "saver Ada")
      #expect(type(of: Account(owner: "Bob")) == Account.self)
      expectEqual(Account(owner: "Bob").describe(), "patched Bank.Account")
      try WaxwingEngine.restore()
      #expect(type(of: savings) == Savings.self)
    }

    @Test func `class gives the type object of a value's type, also of an object of a Lua class`()
      throws
    {
      try WaxwingEngine.start(
        text: """
          local Account = class "Bank.Account"
          local Made = class("Made", Account)
          function Account:describe()
            if class(self) == Account then return tostring(class(self)) end
            return "below: " .. tostring(class(self))
          end
          function Account:deposit(amount, memo)
            local made = Made(1, "Cy")
            assert(class(made) == Made, tostring(class(made)))
            local works, problem = pcall(class, null)
            assert(not works and problem:find("a Swift name is a string, not a"), problem)
            return amount + 1
          end
          """, name: "types")
      defer { _ = try? WaxwingEngine.restore() }
      expectEqual(Account(owner: "Bob").describe(), "Bank.Account")
      expectEqual(Savings(id: 1, owner: "Ada").describe(), "savings+below: Bank.Savings")
      #expect(Account(owner: "Bob").deposit(5, memo: "x") == 6, "\(patches())")
    }

    @Test func `errno survives a call of an override`() throws {
      let account = Account(owner: "Ada")
      try WaxwingEngine.start(
        text: """
          local Account = class "Bank.Account"
          function Account:deposit(amount, memo)
            local texts = {}
            for i = 1, 100 do texts[i] = memo .. i end
            return self:ORIGdeposit(amount, table.concat(texts))
          end
          """, name: "errno")
      errno = 77
      let balance = account.deposit(5, memo: "x")
      expectEqual(errno, 77)
      expectEqual(balance, 5)
      try WaxwingEngine.restore()
    }

    @Test func `a patch that is applied and never runs leaves nothing`() throws {
      let alive = Census.accounts.alive
      for _ in 0..<20 {
        let session = try WaxwingEngine.start(
          text: """
            local Account = class "Bank.Account"
            local made = {}
            for i = 1, 10 do made[i] = Account("x" .. i) end
            function Account:describe() return made[1].owner end
            """, name: "unused")
        let end = try WaxwingEngine.end(session)
        #expect(end.isComplete)
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `a patch works the same the second time`() throws {
      let account = Account(owner: "Ada")
      for _ in 0..<2 {
        try withPatch(patch("a")) { expectEqual(account.describe(), "a(account)") }
        expectEqual(account.describe(), "account")
      }
    }

    @Test func `of two patches on disjoint functions, the other stays`() throws {
      let account = Account(owner: "Ada")
      let first = try WaxwingEngine.start(text: patch("a"), name: "a")
      let second = try WaxwingEngine.start(
        text: "local A = class 'Bank.Account'\nfunction A:inheritedOnly(n) return 9 end", name: "b")
      try WaxwingEngine.end(first)
      #expect(account.describe() == "account" && account.inheritedOnly(1) == 9)
      try WaxwingEngine.end(second)
      expectEqual(account.inheritedOnly(1), 2)
    }

    @Test func `a name is live once; apply replaces it`() throws {
      let account = Account(owner: "Ada")
      let directory = try PatchFolder()
      try directory.write(patch("a"), "same.lua")
      try WaxwingEngine.start(directory.path("same.lua"))
      #expect(throws: WaxwingError.self) { try WaxwingEngine.start(directory.path("same.lua")) }
      try directory.write(patch("b"), "same.lua")
      try WaxwingEngine.apply(directory.path("same.lua"))
      expectEqual(account.describe(), "b(account)")
      expectEqual(patches().map(\.name), ["same"])
      try WaxwingEngine.revert("same")
      #expect(throws: WaxwingError.self) { try WaxwingEngine.revert("same") }
      expectEqual(account.describe(), "account")
    }

    @Test func `require runs a module once`() throws {
      let account = Account(owner: "Ada")
      let directory = try PatchFolder()
      try directory.write(
        """
        local words = require "words"
        assert(words == require("words") and words.runs == 1)
        local ok, message = pcall(require, "missing")
        assert(not ok and message:find("no module `missing`", 1, true), message)
        local A = class "Bank.Account"
        function A:describe() return words.hello end
        """, "multi/main.lua")
      try directory.write(
        "runs = (rawget(_G, 'runs') or 0) + 1\nreturn { hello = 'from a module', runs = runs }",
        "multi/words.lua")
      let session = try WaxwingEngine.start(directory.path("multi"))
      expectEqual(account.describe(), "from a module")
      try WaxwingEngine.end(session)
    }

    @Test func `a patch for another program or build is refused`() {
      #expect(refusal("patch { program = 'other' }").contains("the patch is for `other`"))
      #expect(refusal("patch { build = 'abcdef0123456789' }").contains("the patch is for build"))
    }

    @Test func `state survives from call to call, and not from session to session`() throws {
      let account = Account(owner: "Ada")
      let counting = """
        local A = class "Bank.Account"
        count = 0
        function A:inheritedOnly(n) count = count + 1 return count end
        """
      for _ in 0..<2 {
        try withPatch(counting) {
          expectEqual([1, 2, 3].map(account.inheritedOnly), [1, 2, 3])
        }
      }
    }

    @Test func `logs and prints carry file and line`() throws {
      let lines = LogLines()
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe()
          log.warn("watch out", { amount = 5, who = "Ada\\nBob" })
          print("plain", 1, nil)
          return "x"
        end
        """
      ) {
        WaxwingEngine.setLogHandler { lines.add($0.line) }
        _ = Account(owner: "Ada").describe()
        WaxwingEngine.setLogHandler { _ in }
      }
      expectEqual(
        lines.all.map { $0.dropFirst("2026-05-04T03:02:01.123Z ".count) },
        [
          "waxwing warning patch.log: watch out patch=test at=test.lua:3 amount=5 who=\"Ada\\nBob\"",
          "waxwing info patch.log: \"plain\\t1\\tnil\" patch=test at=test.lua:4",
        ])
    }
  }
}
