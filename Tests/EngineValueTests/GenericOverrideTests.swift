// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Generic functions overridden: what their parameters stand for is told by each call's registers.
  @Suite struct GenericOverrideTests {
    private func check(_ mark: String) {
      #expect(same(4) == 4 && same("a text that is long enough") == "a text that is long enough")
      #expect(same(Token(3)).number == 3 && same(Chest(5)).token.number == 5)
      #expect(
        choose(1.5, 2.5, true) == 2.5
          && choose(Tag(1, level: 2), Tag(3, level: 4), false).level == 2)
      let (first, second) = twice(Token(8))
      #expect(first == second && first.number == 8)
      let (value, number) = numbered(Chest(6), 4)
      #expect(value.token.number == 6 && number == 5)
      let (token, chest) = chestd(Token(1), Chest(2))
      #expect(token.number == 1 && chest == Chest(2))
      #expect(Bank.first([Token(4)])?.number == 4 && Bank.first([Int]()) == nil)
      expectEqual(reversedList([Tag(1, level: 1), Tag(2, level: 1)])[0].token.number, 2)
      #expect(optional(nil, Token(7)).number == 7 && optional("x", "y") == "x")
      let (index, unpaired) = unpaired((Token(2), 9))
      #expect(index == 9 && unpaired.number == 2)
      #expect(largest(Token(1), Token(2)).number == 2 && largest("a", "b") == "b")
      expectEqual(headings(Chest(1), Tag(2, level: 1)), "chest 1, tag 2, true" + mark)
      expectEqual(looked(["x": Token(4)], "x")?.number, 4)
      #expect(tokenSame(Token(5)).number == 5 && stamped(Token(3), 2) == 60)
      #expect(contains([1, 2], 2) && !contains([Token(1)], Token(2)))
      #expect(unitCount(Rack([1, 2])) == 2 && firstUnit(Rack([3]))?.number == 3)
      #expect(consumed(Chest(2)).token.number == 2 && sent(Token(4)).number == 4)
      expectEqual(stackOf(Pile(one: Token(1)), Token(2)), 1)
      expectEqual(
        stacked(Tag(1, level: 1), "b", Token(2).number, 1, 2, 3, 0.5, "h"),
        "tag 1 b 2 1 2 3 0.5 h" + mark)
    }

    private func checkErrors() throws {
      try expectEqual(tried(Chest(1), false).token.number, 1)
      #expect(throws: BankError.insufficient(3)) { _ = try tried(Token(1), true) }
      var first = Token(1)
      var second = Token(2)
      swapped(&first, &second)
      #expect(first.number == 2 && second.number == 1)
    }

    private let names = [
      ("same", 1), ("choose", 3), ("twice", 1), ("numbered", 2), ("chestd", 2), ("first", 1),
      ("reversedList", 1), ("optional", 2), ("unpaired", 1), ("largest", 2), ("headings", 2),
      ("looked", 2), ("tokenSame", 1), ("stamped", 2), ("contains", 2), ("unitCount", 1),
      ("firstUnit", 1), ("consumed", 1), ("sent", 1), ("stackOf", 2), ("stacked", 8),
      ("tried", 2), ("swapped", 2),
    ]

    @Test func `originals give what they gave, whatever the types are`() throws {
      let alive = Token.alive
      check("")
      try checkErrors()
      let text = names.map { name, _ in
        let mark = ["headings", "stacked"].contains(name) ? " .. '?'" : ""
        return "function Bank.\(name)(...) return Bank.ORIG\(name)(...)\(mark) end"
      }.joined(separator: "\n")
      try withPatch("local Bank = module 'Bank'\n" + text) {
        check("?")
        try checkErrors()
        expectEqual(faults(), [])
        let areCalled = try #require(patches().first?.overrides).allSatisfy { $0.calls > 0 }
        #expect(areCalled)
      }
      check("")
      expectEqual(Token.alive, alive)
    }

    @Test func `overrides look at the values and make others`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.same(value)
          if type(value) == "number" then return value + 1 end
          if type(value) == "string" then return value .. "!" end
          return value
        end
        function Bank.twice(value) return value, Bank.ORIGtwice(value) end
        function Bank.numbered(value, number) return value, number * 100 end
        function Bank.optional(value, other) return other end
        function Bank.largest(a, b) return a < b and a or b end
        function Bank.swapped(a, b) return a, b end
        function Bank.tried(value, fails) throw("never") end
        """
      ) {
        #expect(same(4) == 5 && same(4.5) == 5.5 && same(UInt8(4)) == 5)
        #expect(same("text") == "text!" && same(Token(2)).number == 2)
        expectEqual(twice(Chest(2)).1, Chest(2))
        #expect(numbered("x", 3) == ("x", 300))
        expectEqual(optional(Token(1), Token(2)).number, 2)
        expectEqual(largest(3, 4), 3)
        var first = Token(1)
        var second = Token(2)
        swapped(&first, &second)
        expectEqual(first.number, 1)
        #expect(throws: (any Error).self) { _ = try tried(Token(1), false) }
        expectEqual(faults(), [])
      }
      expectEqual(same(4), 4)
      expectEqual(Token.alive, alive)
    }

    @Test func `a wrong result, or types that cannot cross, let the original run`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.same(value) return nil end
        function Bank.twice(value) return value, "wrong" end
        """
      ) {
        expectEqual(same(Token(4)).number, 4)
        expectEqual(twice(Token(4)).1.number, 4)
        #expect(faults().count == 2 && expectedFault().contains("returned a wrong value"))
      }
      expectEqual(Token.alive, alive)
    }

    @Test func `callers whose types the compiler knew see the override`() throws {
      func check(_ isPatched: Bool) {
        #expect(callsSame() == (isPatched ? 105 : 6))
        #expect(callsLargest(1.5, 2.5) == (isPatched ? 0.5 : 2.5))
        #expect(callsHeadings() == (isPatched ? "short" : "number 1, number 2, true"))
        #expect(callsPile() == (isPatched ? 102 : 6))
        #expect(callsShout() == (isPatched ? "tag 1?" : "tag 1!"))
        #expect(Token(3).shout("!") == (isPatched ? "token 3?" : "token 3!"))
        #expect(callsCell() == (isPatched ? 1002 : 8))
      }
      check(false)
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.same(value) return value + 100 end
        function Bank.choose(a, b, second) return a end
        function Bank.largest(a, b) return 0.5 end
        function Bank.headings(a, b) return "short" end
        local Pile, Cell = class "Bank.Pile", class "Bank.Cell"
        function Pile:pop() return 100 end
        function Cell:get() return 1000 end
        local Titled = class "Bank.Titled"
        function Titled:shout(mark) return self:ORIGshout("?") end
        """
      ) {
        check(true)
        expectEqual(faults(), [])
      }
      check(false)
    }
  }
}
