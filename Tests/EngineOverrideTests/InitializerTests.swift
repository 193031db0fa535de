// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Initializers of structs and enums whose overrides make the value.
  @Suite struct InitializerTests {
    @Test func `an override makes the value in place of an initializer that traps`() async throws {
      try await withAsyncPatch(
        """
        local Interval, Article, Outcome = class "Bank.Interval", class "Bank.Article", class "Bank.Outcome"
        Interval["init(from:to:)"] = function(self, from, to)
          if from > to then return { from = to, to = from } end
          return original(self, from, to)
        end
        Interval["init(length:)"] = function(self, length)
          if length < 0 then return Interval { from = length, to = 0 } end
          original(self, length)
        end
        Interval["init(text:)"] = function(self, text)
          if text == "none" then return nil end
          if text == "all" then return repack(Interval { length = 3 }, { -1, 1 }) end
          return original(self, text)
        end
        Interval["init(checking:)"] = function(self, length)
          if length == -1 then return { 0, 77 } end
          return original(self, length)
        end
        Interval["init(later:)"] = function(self, length)
          if length == -1 then return { 0, 77 } end
          return original(self, length)
        end
        Interval["init(counting:)"] = function(self, calls) return { 0, 5 }, calls + 10 end
        function Article:init(title)
          if title == "" then
            return { title = "untitled", words = { "a", "b" }, author = "lua", year = 2026 }
          end
          original(self, title)
          self.year = 1999
        end
        function Outcome:init(code)
          if code < 0 then return { case = "bad", "negative" } end
          return original(self, code)
        end
        """
      ) {
        expectEqual(Interval(from: 5, to: 2), Interval(from: 2, to: 5))
        expectEqual(Interval(length: -3), Interval(from: -3, to: 0))
        expectEqual(Interval(length: 3), Interval(from: 0, to: 3))
        expectEqual(Interval(text: "none"), nil)
        expectEqual(Interval(text: "all"), Interval(from: -1, to: 1))
        expectEqual(Interval(text: "4"), Interval(from: 0, to: 4))
        expectEqual(Interval(text: "x"), nil)
        expectEqual(try Interval(checking: -1), Interval(from: 0, to: 77))
        #expect(throws: BankError.closed) { try Interval(checking: -2) }
        expectEqual(try await Interval(later: -1), Interval(from: 0, to: 77))
        await #expect(throws: BankError.closed) { try await Interval(later: -2) }
        var calls = 1
        expectEqual(Interval(counting: &calls), Interval(from: 0, to: 5))
        expectEqual(calls, 11)
        expectEqual(Article("").words, ["a", "b"])
        expectEqual(Article("t").year, 1999)
        expectEqual(Outcome(-1), .bad("negative"))
        expectEqual(Outcome(0), .good)
        expectEqual(faults(), [])
      }
      expectEqual(Article("t").year, 2000)
    }

    @Test func `an override makes values of generic types`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local Tagged, Grip = class "Bank.Tagged", class "Bank.Grip"
        function Tagged:init(value, label)
          if label == "" then return { value = value, label = "none" } end
          return original(self, value, label)
        end
        function Grip:init(object, count)
          if count < 0 then return { object = object, count = 0 } end
          return original(self, object, count)
        end
        """
      ) {
        expectEqual(Tagged("text", "").label, "none")
        expectEqual(Tagged(5, "").value, 5)
        expectEqual(Tagged(5, "five").label, "five")
        let account = Account(owner: "Ada")
        #expect(Tagged(account, "").value === account)
        let grip = Grip(account, -1)
        #expect(grip.object === account && grip.count == 0)
        expectEqual(Grip(account, 2).count, 2)
        expectEqual(faults(), [])
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `what is returned after the original counts if it is another value`() throws {
      try withPatch(
        """
        local Interval = class "Bank.Interval"
        Interval["init(from:to:)"] = function(self, from, to)
          local made = original(self, from, to)
          if from == 0 then self.from = -1 return made end
          if from == 1 then return self end
          if from == 2 then return repack(made, { 20, 30 }) end
          return true
        end
        """
      ) {
        expectEqual(Interval(from: 0, to: 9).from, -1)
        expectEqual(Interval(from: 1, to: 9).from, 1)
        expectEqual(Interval(from: 2, to: 9).from, 20)
        expectEqual(faults(), [])
        expectEqual(Interval(from: 3, to: 9).from, 3)
        expectContains(
          expectedFault(), "returned a wrong value: expected Bank.Interval, got boolean true")
      }
    }

    @Test func `an override that makes nothing is told what to return`() throws {
      try withPatch(
        """
        local Interval = class "Bank.Interval"
        Interval["init(length:)"] = function(self, length) end
        Interval["init(text:)"] = function(self, text) end
        """
      ) {
        expectEqual(Interval(length: 2).to, 2)
        expectEqual(Interval(text: "3")?.to, 3)
        let remedy = "call it, `original(self, …)`, or return a value of Bank.Interval in its place"
        #expect(expectedFault().hasSuffix(remedy))
        #expect(expectedFault(1).hasSuffix(remedy + ", or nil to fail"))
      }
    }
  }
}
