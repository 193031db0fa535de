// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Generic functions called from Lua: what their parameters stand for is told by the arguments.
  @Suite struct GenericCallTests {
    @Test func `a value of each kind keeps its type`() throws {
      let text = try generic(
        """
        local token, chest, tag = self:token(1), self:chest(2), self:tag(3)
        assert(Bank.same(token) == token)
        return table.concat({
          Bank.same(4), math.type(Bank.same(2.0)), Bank.same("a text that is long enough"),
          tostring(Bank.same(true)), Bank.same({1, 2})[2], Bank.same({a = "b"}).a,
          Bank.same(chest).token.number, Bank.same(tag).token.number,
        }, " ")
        """)
      expectEqual(text, "4 float a text that is long enough true 2 b 2 3")
    }

    @Test func `results with generic elements`() throws {
      let text = try generic(
        """
        local out = {}
        local function add(...) for _, v in ipairs({...}) do out[#out + 1] = v end end
        local a, b = Bank.twice(self:token(7)) add(a.number, b.number, tostring(a == b))
        add(Bank.numbered("text", 4))
        local c, d = Bank.chestd(self:tag(5), self:chest(6)) add(c.token.number, d.token.number)
        add(Bank.unpaired({self:chest(8), 9}))
        out[#out] = out[#out].token.number
        add(Bank.optional(nil, "other"), Bank.optional("this", "other"))
        return table.concat(out, " ")
        """)
      expectEqual(text, "7 7 true text 5 5 6 9 8 other this")
    }

    @Test func `collections, dictionaries and sequences`() throws {
      let text = try generic(
        """
        local out = {
          Bank.first({self:token(3), self:token(4)}).number, tostring(Bank.first({5})),
          table.concat(Bank.reversedList({1, 2, 3}), ","),
          Bank.looked({x = 1, y = 2}, "y"), tostring(Bank.looked({x = 1}, "z")),
          tostring(Bank.contains({1, 2, 3}, 2)), tostring(Bank.contains({"a"}, "b")),
          Bank.unitCount(self:shelf()), Bank.firstUnit(self:shelf()).number,
        }
        return table.concat(out, " ")
        """)
      expectEqual(text, "3 5 3,2,1 2 nil true false 2 1")
    }

    @Test func `elements that have nothing in common are Any`() throws {
      let text = try generic(
        """
        local mixed = Bank.reversedList({1, "b", self:token(3)})
        return table.concat({
          mixed[1].number, mixed[2], mixed[3], #Bank.reversedList({}),
          tostring(Bank.first({})), tostring(Bank.first({ {1}, {"a"} })[1]),
          Bank.reversedList({1, 2.5})[1], Bank.same({1, "b"})[2], #Bank.same({}),
        }, " ")
        """)
      expectEqual(text, "3 b 1 0 nil 1 2.5 b 0")
    }

    @Test func `requirements, classes and many arguments`() throws {
      let text = try generic(
        """
        return table.concat({
          Bank.largest(2, 9), Bank.largest("a", "b"), Bank.largest(1, 2.5),
          Bank.largest(self:token(3), self:token(8)).number,
          Bank.headings(self:chest(1), self:tag(2)), Bank.headings(4, 5),
          Bank.tokenSame(self:token(6)).number, Bank.stamped(self:token(6), 2),
          Bank.some(self:chest(3)), Bank.stackOf(self:pile(), self:token(1)),
          Bank.stacked(self:tag(1), "b", 2.5, 1, 2, 3, 0.5, "h"),
          Bank.typed(Bank.Token), Bank.Pile(4):total(), Bank.Cell("x"):get(),
          Bank.Roster({1, 2}):has(2) and "has" or "has not", Bank.Cell.of(5).value,
          Bank.Pile.single("y"):pop(),
        }, "|")
        """)
      expectEqual(
        text,
        "9|b|2.5|8|chest 1, tag 2, true|number 4, number 5, true|6|120|chest 3|1"
          + "|tag 1 b 2.5 1 2 3 0.5 h|Token|4|x|has|5|y")
    }

    @Test func `ownership, inout and errors`() throws {
      let text = try generic(
        """
        local out = {
          Bank.consumed(self:token(1)).number, Bank.consumed("text"), Bank.borrowed(self:chest(1)),
          Bank.sent(self:chest(4)).token.number, Bank.tried(self:token(2), false).number,
        }
        local ok, e = pcall(Bank.tried, self:token(2), true)
        out[#out + 1] = tostring(ok)
        local a, b = Bank.swapped(self:token(5), self:token(6))
        out[#out + 1] = a.number .. " " .. b.number
        local any, number = Bank.anyAndNumber(self:chest(3), 4)
        out[#out + 1] = any.token.number .. " " .. number
        return table.concat(out, "|")
        """)
      expectEqual(text, "1|text|7|4|2|false|6 5|3 4")
    }

    @Test func `what cannot be told is an error that says so`() throws {
      #expect(
        try genericFailure("Bank.make()").contains(
          "stands for cannot be told from the arguments, only from where the result goes, which a call from Lua does "
            + "not say: name the type after the arguments: `make(…, String)`"
        ))
      #expect(try genericFailure("Bank.same(nil)").contains("cannot be told from the arguments"))
      #expect(
        try genericFailure("Bank.choose(1, 'text', true)")
          .contains("would stand for both Int and String"))
      #expect(
        try genericFailure("Bank.largest(self:chest(1), self:chest(2))")
          .contains("Comparable is not satisfied by Bank.Chest"))
      #expect(try genericFailure("Bank.tokenSame(self)").contains("Bank.Token is not satisfied by"))
      #expect(
        try genericFailure("Bank.stamped(self:tag(1), 1)").contains(
          "TitledObject is not satisfied by Bank.Tag"))
      #expect(try genericFailure("Bank.packed(1, 2)").contains("parameter pack"))
    }
  }
}
