// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Closures where they are called in another way: in arrays, dictionaries, `Any`; and where not:
  /// in optionals, tuples and structs.
  @Suite struct ClosureContainerTests {
    private let closures = Closures()

    @Test func `closures in collections, optionals, tuples and structs, as arguments`() throws {
      func check() {
        expectEqual(closures.maybe { $0 * 2 }, 10)
        expectEqual(closures.maybe(nil), -1)
        expectEqual(closures.total([{ $0 + 1 }, { $0 + 2 }]), 5)
        expectEqual(closures.total(of: { $0 + 1 }, { $0 + 2 }), 5)
        expectEqual(closures.table(["a": { "\($0)\($1)" }, "b": { "\($1)\($0)" }]), ["a3", "3b"])
        expectEqual(closures.tuple(("x", { $0 + 1 })), "x 2")
        expectEqual(closures.tuples([("x", { $0 + 1 }), ("y", { $0 + 2 })]), ["x 2", "y 3"])
        expectEqual(closures.optionals([{ $0 + 1 }, nil]), [2, 0])
        let change: (Int) -> Int = { $0 + 1 }
        expectEqual(closures.any(change), 21)
        #expect((closures.asAny(3) as? (Int) -> Int)?(5) == 15)
        #expect(closures.apply(Rule(name: "r") { $0 > 3 }, 4))
      }
      check()
      try withPatch(
        """
        local C = class "Bank.Closures"
        local count = 0
        local function wrap(f)
          if f == nil or f == null then return f end
          return function(...) count = count + 1 return f(...) end
        end
        function C:maybe(f) return self:ORIGmaybe(wrap(f)) end
        C["total(_:)"] = function(self, fs)
          for i = 1, #fs do fs[i] = wrap(fs[i]) end
          return self["ORIGtotal(_:)"](self, fs)
        end
        C["total(of:)"] = function(self, fs)
          for i = 1, #fs do fs[i] = wrap(fs[i]) end
          return self["ORIGtotal(of:)"](self, fs)
        end
        function C:table(fs)
          for name, f in pairs(fs) do fs[name] = wrap(f) end
          return self:ORIGtable(fs)
        end
        function C:tuple(pair) return self:ORIGtuple { name = pair.name, change = wrap(pair.change) } end
        function C:tuples(pairs)
          for _, pair in ipairs(pairs) do pair[2] = wrap(pair[2]) end
          return self:ORIGtuples(pairs)
        end
        function C:optionals(fs)
          for i = 1, #fs do fs[i] = wrap(fs[i]) end
          return self:ORIGoptionals(fs)
        end
        function C:any(f) assert(f(1) == 2) return self:ORIGany(f) end
        function C:asAny(n) local f = self:ORIGasAny(n) assert(f(2) == 2 * n) return f end
        function C:apply(rule, n)
          assert(rule.check(4) and not rule.check(3) and rule.note == nil)
          local check = rule.check
          rule.check = function(m) count = count + 1 return check(m) end
          rule.note = function() return "noted" end
          assert(rule.note() == "noted")
          return self:ORIGapply(rule, n)
        end
        function C:run() return count end
        """
      ) {
        check()
        expectEqual(faults(), [])
        #expect(closures.run(0) == 14, "\(closures.run(0))")
      }
      check()
    }

    @Test func `closures as properties, of objects and of structs`() throws {
      closures.handler = { $0 + 1 }
      closures.handlers = [{ $0 + 1 }]
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          assert(self.handler(1) == 2 and self.always("a") == "a." and self.thrower(3) == 3)
          assert(self.handlers[1](1) == 2 and self.pair[2](5) == 5 and self.pair[1] == "pair")
          local first = self.handlers[1]
          self.handlers = { first, function(n) return n * 2 end }
          self.handler = function(n) return n * 3 end
          self.always = function(s) return s .. "!" end
          self.thrower = function(n) error("no " .. n) end
          self.named = { x = function(s, n) return s:rep(n) end }
          self.pair = { "lua", function(n) return -n end }
          local rule = self.rule
          rule.check = function(n) return n == 42 end
          self.rule = rule
          self.handler = nil
          assert(self.handler == nil)
          self.handler = function(n) return n * 4 end
          return self:ORIGrun(n)
        end
        """
      ) {
        expectEqual(closures.run(5), 20)
        expectEqual(faults(), [])
        expectEqual(closures.handler?(2), 8)
        expectEqual(closures.handlers.map { $0(5) }, [6, 10])
        expectEqual(closures.always("x"), "x!")
        let thrower = closures.thrower
        let error = #expect(throws: LuaError.self) { try thrower(3) }
        expectEqual(error?.message, "no 3")
        expectEqual(closures.named["x"]?("ab", 2), "abab")
        expectEqual(closures.pair.1(3), -3)
        #expect(closures.rule.check(42) && !closures.rule.check(41))
      }
    }

    @Test func `a list of callbacks, one of which goes while they run`() throws {
      closures.handlers = [{ $0 }, { $0 * 10 }]
      try withPatch(
        """
        local C = class "Bank.Closures"
        local calls = ""
        function C:add(handler)
          local function own(n)
            calls = calls .. n
            local handlers = self.handlers
            table.remove(handlers, 1)
            self.handlers = handlers
            return #handlers
          end
          self:ORIGadd(own)
          self:ORIGadd(handler)
        end
        function C:kept() return function(n) return #calls end end
        """
      ) {
        closures.add { $0 * 100 }
        expectEqual(closures.runAll(1), [1, 10, 3, 100])
        expectEqual(closures.handlers.count, 3)
        expectEqual(closures.kept()?(0), 1)
        expectEqual(faults(), [])
      }
    }

    @Test func `a Lua function comes back as the function it was`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        local function triple(n) return n * 3 end
        function C:run(n)
          self:keep(triple)
          assert(self:kept() == triple and self.handler == triple)
          self.handler = self:kept()
          assert(self.handler == triple)
          local back
          self:takesInner(function(inner) back = inner return "x" end)
          local natural = self:adder(1)
          self:keep(natural)
          return self.handler(n) + triple(n)
        end
        """
      ) {
        expectEqual(closures.run(2), 9)
        expectEqual(faults(), [])
      }
    }

    @Test func `a value without a type is refused with the reason`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:any(f)
          local ok, message = pcall(function() self:ORIGany(function() end) end)
          assert(message:find("a Lua function, which has no Swift type", 1, true), message)
          log.info("harmless", { f = f, t = { f, print } })
          return 3
        end
        """
      ) {
        expectEqual(closures.any(1), 3)
        expectEqual(faults(), [])
      }
    }
  }
}
