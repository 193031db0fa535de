// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Closures whose types have generic parameters in them, of functions that Lua calls: they are
  /// called as the function's source writes their types, whatever the parameters stand for.
  @Suite struct GenericClosureCallTests {
    @Test func `Lua functions are passed to generic functions`() throws {
      let text = try generic(
        """
        local token = self:token(4)
        local out = {}
        local function add(...) for _, v in ipairs {...} do out[#out + 1] = tostring(v) end end
        add(table.concat(Bank.transformed({1, 2, 3}, function(n) return n * 2 end), ","))
        add(Bank.transformed({token}, function(t) return t.number end)[1])
        add(Bank.transformed({1}, function(n) return "a text that is long enough" end)[1])
        local seen = {}
        Bank.visited({"a", "b"}, function(v, i, all) seen[#seen + 1] = v .. i .. #all end)
        add(table.concat(seen, ","))
        add(Bank.folded({1, 2, 3}, 10, function(sum, n) return sum + n end))
        add(Bank.folded({token, token}, "x", function(text, t) return text .. t.number end))
        add(Bank.kept({1, 2, 3, 4}, function(n) return n % 2 == 0 end)[2])
        add(Bank.plainBeside(token, function(n, s) return n + #s end))
        return table.concat(out, "|")
        """)
      expectEqual(text, "2,4,6|4|a text that is long enough|a02,b12|16|x44|4|3")
    }

    @Test func `tuples, inout, structs, classes and metatypes`() throws {
      let text = try generic(
        """
        local token, chest = self:token(4), self:chest(5)
        local out = {}
        local function add(...) for _, v in ipairs {...} do out[#out + 1] = tostring(v) end end
        add(Bank.tupleTurned("t", function(pair) return pair[1] .. "!", pair[2] + 1 end))
        local again, n = Bank.tupleTurned(chest, function(pair) return pair[1], pair[2] * 2 end)
        add(again.token.number, n)
        local digits, value = Bank.tupleSplit(
          token, fallback(function(t) return 1, {2, 3}, t end, {0, {0, 0}, token}))
        add(digits, value.number)
        add(Bank.changedInside("v", function(v, n, m) return {v, v .. v}, v .. "?", n + m end))
        add(Bank.changedInside(token, function(v, n, m) return {}, self:token(9), n - m end).number)
        add(Bank.classMapped(token, function(t, none) assert(none == nil) return t end).number)
        add(Bank.kindTold(token, function(kind, t, int)
          assert(kind == Bank.Token and int == class "Swift.Int")
          return tostring(t.number)
        end))
        local twin, flag = Bank.structsPassed(token, function(one, two)
          assert(one.a == 5 and one.b == token and #two.a == 2 and two.b == 6)
          return {a = token, b = self:token(8)}
        end)
        add(twin.number, flag)
        add(select(2, Bank.structsPassed(1, function() return nil end)))
        add(Bank.handedOver(chest, function(c, s) return c end).token.number)
        add(Bank.spreadOver(3, function(first, rest) return first + #rest end))
        return table.concat(out, "|")
        """)
      expectEqual(text, "t!|5|5|8|10203|4|vv|6|9|4|4|8|1|0|5|5")
    }

    @Test func `optional closures, collections of closures, variadic ones and autoclosures`() throws
    {
      let text = try generic(
        """
        local function up(n) return n + 1 end
        local function shout(s) return s .. "!" end
        local out = {
          Bank.maybeCalled(4, up), Bank.maybeCalled(4, nil), Bank.maybeCalled("x", shout),
          Bank.allCalled(1, {up, up, up}), Bank.allCalled(self:token(3), {}).number,
          Bank.namedCalled("y", {a = shout, b = shout}), Bank.variadicCalled(1, up, up),
          Bank.lazyValue(true, function() return "lazy" end, "eager"),
          Bank.lazyValue(false, function() error("not asked") end, "eager"),
        }
        return table.concat(out, "|")
        """)
      expectEqual(text, "5|4|x!|4|3|y!!|3|lazy|eager")
    }

    @Test func `closures that generic functions return, take and pass on`() throws {
      let text = try generic(
        """
        local token = self:token(6)
        local out = {}
        local function add(...) for _, v in ipairs {...} do out[#out + 1] = tostring(v) end end
        add(Bank.constantly(token)().number, Bank.constantly("text")(), Bank.constantly(2.5)())
        add(Bank.twiceOver(function(v) return v .. v end)("ab"))
        add(Bank.composed(function(a) return a + 1 end, function(b) return "n" .. b end)(4))
        local add3 = Bank.curried(function(a, b) return a .. b end)("x")
        add(add3("y"), add3(3))
        local asked
        local function constant(n) return token end
        add(Bank.closuresPassed(token, fallback(function(count, make, n)
          asked = count(token) + n
          assert(make(1) == token)
          return fallback(function(m) asked = asked + m return token end, token)
        end, fallback(constant, token))).number, asked)
        -- A closure of Swift's tells what the parameters stand for.
        local R = class("Bank.Reactions")()
        add(math.type(Bank.transformed({1, 3}, R:numbers())[2]), Bank.composed(R:numbers(), function(d) return d end)(5))
        return table.concat(out, "|")
        """)
      expectEqual(text, "6|text|2.5|abababab|n5|xy|x3|6|19|float|2.5")
    }

    @Test func `errors go through closures that throw, typed and not`() throws {
      let text = try generic(
        """
        local out = {}
        local ok, message = pcall(Bank.transformed, {1}, function() error("raised", 0) end)
        out[1] = tostring(ok) .. " " .. tostring(message):match("raised")
        out[2] = Bank.typedThrough(3, function(n) return n + 1 end)
        local ok, message = pcall(Bank.typedThrough, 3, function(n) error("typed", 0) end)
        out[3] = tostring(ok) .. " " .. tostring(message):match("typed")
        return table.concat(out, "|")
        """)
      expectEqual(text, "false raised|4|false typed")
    }

    @Test func `what only closures would tell is anything that is allowed`() throws {
      let text = try generic(
        """
        local groups = Bank.keyed({1, 2, 3}, function(n) return n % 2 == 0 and "even" or "odd" end)
        local least = Bank.leastOf({3, 1, 2}, fallback(function(n) return -n end, 0))
        local shortest = Bank.leastOf({"bb", "a"}, fallback(function(s) return s end, ""))
        return #groups.odd .. " " .. #groups.even .. " " .. least .. " " .. shortest
        """)
      expectEqual(text, "2 1 3 a")
      let failure = try genericFailure("Bank.leastOf({1}, function(n) return n end)")
      #expect(
        failure.contains(
          "what B stands for cannot be told from the arguments; provide what the function returns, `fallback(f, value)`, or name "
            + "its type after the arguments"
        ), "\(failure)")
    }

    @Test func `a function in place of a parameter goes as any value does`() throws {
      let text = try generic(
        """
        local R = class("Bank.Reactions")()
        return Bank.sameBody(R:numbers())(5) .. " " .. Bank.callsSameBody(4)
        """)
      expectEqual(text, "2.5 5")
    }
  }
}
