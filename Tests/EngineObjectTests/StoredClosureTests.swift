// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Closures stored in values of generic types.
  @Suite struct StoredClosureTests {
    @Test func `stored properties of generic structs are read, called and set`() throws {
      let text = try generic(
        """
        local R = class("Bank.Reactions")()
        local r = R:reaction()
        assert(r.react(4) == 8 and r.list == nil and r.plain(1, "ab") == 3 and r.make() == 5)
        assert(r.pair[1] == 3 and r.pair[2](9) == 9 and r.twin.a(6) == 6)
        r.react = function(n) return n + 100 end
        r.list = function(n, m) return {n, m, n} end
        r.plain = function(n, s) return -n end
        r.make = function() return 11 end
        r.pair = {1, function(n) return n * 2 end}
        local twin = r.twin
        twin.a = function(n) return n * 3 end
        r.twin = twin
        assert(r.react(1) == 101 and r.list(1, 2)[2] == 2 and r.twin.a(2) == 6)
        local t = R:textReaction()
        assert(t.react("abc") == 3 and t.make() == "five" and t.pair[2]("x") == "x")
        t.react = function(s) return #s * 10 end
        return r:ran(4) .. "|" .. R:ran(r:with(function(n) return n end), 3) .. "|" .. t:ran("ab")
        """)
      expectEqual(text, "104 3 -1 11 8 12|3 3 -1 11 6 9|20 none 3 five ab ab")
    }

    @Test func `payloads of generic enums`() throws {
      let text = try generic(
        """
        local R = class("Bank.Reactions")()
        local on, both, later = R:trigger(1), R:trigger(2), R:trigger(3)
        assert(on[1](4) and not on[1](3))
        local change, own = unpack(both)
        assert(change(2) == 20 and own == 7)
        assert(later[1]()[1](31))
        local out = {
          R:fires(on, 5), R:fires(both, 1), R:fires(later, 31), R:fires(R:trigger(0), 1),
          R:fires({case = "on", function(n) return n == 42 end}, 42),
          R:fires({case = "both", function(n) return -n end, 8}, 2),
          R:fires({case = "later", fallback(function() return on end, on)}, 1),
        }
        return table.concat(out, "|")
        """)
      expectEqual(text, "on true|both 70 10|later on true|never|on true|both -8 -2|later on false")
    }

    @Test func `generic classes: properties, getters, and methods with closures`() throws {
      let text = try generic(
        """
        local R = class("Bank.Reactions")()
        local seen = {}
        local s, t = R:signal(), R:textSignal()
        s:subscribe(function(n) seen[#seen + 1] = n end)
        s.map = function(n) return n * 2 end
        assert(s.map(4) == 8 and s.mapper(4) == 16 and s.filter == nil)
        s.filter = function(n) return n > 1 end
        assert(s.filter(2) and s:emit(1) == 0 and s:emit(5) == 1)
        s.observers = {s.observers[1], function(n) seen[#seen + 1] = -n end}
        assert(s:emit(6) == 2)
        t:subscribe(function(text) seen[#seen + 1] = text end)
        t.map = function(text) return text .. "!" end
        assert(t.map("a") == "a!" and t.mapper("a") == "a!!" and t.own("a") == "a~")
        t.own = function(text) return text .. "#" end
        assert(t.own("b") == "b#" and t:emit("c") == 1)
        local tokens = R:tokenSignal()
        tokens.map = function(token) return token end
        assert(tokens.map(self:token(3)).number == 3)
        assert(tokens:each({self:token(3), self:token(4)}, function(token) return token.number end) == 7)
        seen[#seen + 1] = table.concat(s:mapped({1, 2}, function(n) return "m" .. n end), "")
        return table.concat(seen, "|")
        """)
      expectEqual(text, "10|12|-12|c!|m1m2")
    }

    @Test func `overridden methods of generic types get and give closures`() throws {
      func check(_ factor: Int) {
        let signal = Signal<Int>()
        var seen = 0
        signal.subscribe { seen += $0 }
        signal.map = { $0 + 1 }
        #expect(signal.emit(4) == 1 && seen == 5 * factor)
        expectEqual(signal.each([1, 2]) { $0 * 10 }, 30 * factor)
        expectEqual(signal.mapped([1, 2]) { "\($0)" }, ["1", "2"])
        expectEqual(signal.mapper(1), 3)
        let tokens = Signal<Chest>()
        expectEqual(tokens.each([Chest(1)]) { $0.token.number }, factor)
        expectEqual(tokens.mapper(Chest(3)), Chest(3))
        let reaction = Reaction(2) { $0 * 3 }
        expectEqual(reaction.with { $0 * 5 }.ran(1), "\(5 * factor) none 3 2 1 1")
      }
      let alive = Token.alive
      check(1)
      try withPatch(
        """
        local Signal, Reaction = class "Bank.Signal", class "Bank.Reaction"
        function Signal:subscribe(body)
          self:ORIGsubscribe(function(v) if type(v) == "number" then v = v * 2 end body(v) end)
        end
        function Signal:each(values, body)
          return self:ORIGeach(values, function(v) return body(v) * 2 end)
        end
        function Signal:mapped(values, body)
          return self:ORIGmapped(values, function(v) return body(v) end)
        end
        function Signal.get:mapper()
          local own = self:ORIGmapper()
          return function(v) return own(v) end
        end
        Reaction["nonmutating with"] = function(self, react)
          return self:ORIGwith(function(v) return react(v) * 2 end)
        end
        """
      ) {
        check(2)
        expectEqual(faults(), [])
      }
      check(1)
      expectEqual(Token.alive, alive)
    }

    @Test func `members of protocols' extensions, and overridden methods of generic classes`()
      throws
    {
      let alive = Token.alive
      func check(_ factor: Int) {
        expectEqual(Chest(2).described { "\($0.token.number) \($1)" }, "2 \(3 * factor)")
        expectEqual(Token(4).described { "\($0.number) \($1)" }, "4 \(3 * factor)")
        expectEqual(7.described { "\($0) \($1)" }, "7 \(3 * factor)")
        #expect(
          Tag(5, level: 1).describer()(1).token.number == 5 && Chest(6).describer()(1) == Chest(6))
        expectEqual(Token(4).stamped { Token($0.number + $1) }, 40 + 30 * factor)
        expectEqual(Rack([1, 2]).firstUnit { $0.number == 2 }?.number, 2)
        let loud: Signal<Int> = LoudSignal()
        expectEqual(loud.each([1, 2]) { $0 }, 300 * factor)
      }
      check(1)
      try withPatch(
        """
        local Titled, Object, Sized = class "Bank.Titled", class "Bank.TitledObject", class "Bank.Sized"
        Titled["described(by:)"] = function(self, body)
          return Titled["ORIGdescribed(by:)"](self, function(value, n) return body(value, n * 2) end)
        end
        function Titled:describer()
          local body = self:ORIGdescriber()
          return fallback(function(n) return body(n) end, self)
        end
        Object["stamped(by:)"] = function(self, body)
          return self["ORIGstamped(by:)"](self, function(value, n)
            assert(value == self)
            return body(value, n * 2)
          end)
        end
        Sized["firstUnit(where:)"] = function(self, test)
          return self["ORIGfirstUnit(where:)"](self, function(unit) return test(unit) end)
        end
        local Loud = class "Bank.LoudSignal"
        function Loud:each(values, body)
          return self:ORIGeach(values, function(n) return body(n) * 2 end)
        end
        """
      ) {
        check(2)
        expectEqual(faults(), [])
      }
      check(1)
      expectEqual(Token.alive, alive)
    }

    @Test func `generic structs of more than four words`() throws {
      let alive = Token.alive
      func check(_ mark: Int) {
        #expect(Manifest([1, 2]).has(2, ==) && !Manifest(["a"]).has("b", ==))
        #expect(Manifest([Chest(3)]).has(Chest(3)) { $0 == $1 })
        expectEqual(Manifest([Token(1)]).size, 4 + mark)
        let (item, other) = Manifest([Chest(3)]).paired(Token(4))
        #expect(item?.token.number == 3 && other.number == 4)
      }
      check(0)
      try withPatch(
        """
        local Manifest = class "Bank.Manifest"
        function Manifest:has(item, same)
          return self:ORIGhas(item, function(a, b) return same(a, b) end)
        end
        function Manifest.get:size() return self:ORIGsize() + 1 end
        function Manifest:paired(other)
          local item, again = self:ORIGpaired(other)
          return item, again
        end
        local G = class "Bank.Generics"
        function G:run()
          local manifest = Manifest({ 1, 2 })
          assert(manifest:has(2, function(a, b) return a == b end) and manifest.size == 6)
          assert(select(2, manifest:paired("x")) == "x")
          return "ran"
        end
        """
      ) {
        check(1)
        expectEqual(Generics().run(), "ran")
        expectEqual(faults(), [])
      }
      check(0)
      expectEqual(Token.alive, alive)
    }
  }
}
