// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Advice on functions of every form: what its pieces get, and what they may return.
  @Suite struct AdviceFormTests {
    private let machine = Machine(number: 3)

    @Test func `tuples are one table for advice, with positions and labels`() throws {
      try withPatch(
        adviceHead + """
          M:after("bounds", function(self, r, n)
            assert(r[1] == r.low and r[2] == r.high and n == 5)
            return { low = r.low - 1, high = r.high + 1 }
          end)
          M:after("bounds", function(self, r) r[2] = 100 return r end)
          M:after("triple", function(self, r) assert(r[2] == nil or r[2] == null) end)
          M:after("triple", function(self, r, n) return { n + 1, "two", r[3] } end)
          """
      ) {
        #expect(machine.bounds(5) == (3, 100))
        let triple = machine.triple(1)
        #expect(triple.0 == 2 && triple.1 == "two" && triple.2 == [1])
        expectEqual(faults(), [])
      }
      #expect(machine.bounds(5) == (4, 6))
    }

    @Test func `inout arguments: as they were before, and as they are after`() throws {
      try withPatch(
        adviceHead + """
          M:before("adjust", function(self, value, by) return value * 10, by + 1 end)
          M:after("adjust", function(self, r, value, by) assert(r == nil and by == 3) Bank.note(tostring(value)) end)
          M:after("adjust", function(self, r, value) return value + 1000 end)
          M:after("adjusting", function(self, r, value, text)
            assert(r == true and value == 2 and text == "t!")
            return not r, value * 2
          end)
          M:after("adjusting", function(self, r, value, text)
            assert(r == false and value == 4)
            return r, value, text .. "?"
          end)
          M:after("splitting", function(self, r, value)
            assert(r.half == 3 and r.rest == 1 and value == 0)
            return { 30, 10 }, 5
          end)
          """
      ) {
        var value = 1
        expectEqual(trace { machine.adjust(&value, 2) }, "13")
        expectEqual(value, 1013)
        var text = "t"
        value = 1
        #expect(machine.adjusting(&value, text: &text) == false)
        #expect(value == 4 && text == "t!?")
        value = 7
        #expect(machine.splitting(&value) == (30, 10))
        expectEqual(value, 5)
        expectEqual(faults(), [])
      }
      var value = 1
      machine.adjust(&value, 2)
      expectEqual(value, 3)
    }

    @Test func `static and class methods, free functions, getters, setters, subscripts`()
      throws
    {
      try withPatch(
        adviceHead + """
          M.static:before("kind", function(class, n) assert(class == M.static) return n + 1 end)
          M.static:after("build", function(class, made, n) made.label = "built " .. n end)
          Bank:before("gross", function(amount) return amount + 1 end)
          Bank:after("gross", function(result, amount) return result * amount end)
          M.get:before("title", function(self) Bank.note "g" end)
          M.get:after("title", function(self, title) return title .. "!" end)
          M.set:before("title", function(self, value) return "<" .. value end)
          M.set:after("title", function(self, result, value) assert(result == nil) Bank.note(value) end)
          M.get:after("subscript(_:)", function(self, result, i) return result + i end)
          M.set:before("subscript(_:)", function(self, value, i) return value * 2 end)
          """
      ) {
        expectEqual(Machine.kind(1), "machine 2")
        expectEqual(Machine.build(4).label, "built 4")
        expectEqual(gross(1), 8)
        expectEqual(trace("title m!", { machine.title }), "g")
        expectEqual(trace { machine.title = "new" }, "<new")
        expectEqual(machine.label, "<new")
        expectEqual(machine[2], 8)
        machine[1] = 5
        expectEqual(machine.label, "1=10")
        expectEqual(faults(), [])
      }
      #expect(gross(1) == 2 && Machine.kind(1) == "machine 1")
    }

    @Test func `observers of a property and advice on its setter`() throws {
      expectEqual(trace { machine.watched = 1 }, "wd")
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          M.set:before("title", note "t")
          """
      ) {
        expectEqual(trace { machine.watched = 2 }, "wd")
        expectEqual(trace { machine.title = "x" }, "t")
        expectEqual(faults(), [])
      }
    }

    @Test func `initializers of classes, structs, failable and throwing`() throws {
      let alive = Machine.census.alive
      try withPatch(
        adviceHead + """
          local G = class "Bank.Gauge"
          M:before("init(number:label:)", function(self, number, label)
            assert(not pcall(function() return self.label end))
            return number + 1, label .. "!"
          end)
          M:after("init(number:label:)", function(self, result, number, label)
            assert(result == self and self.number == number)
            self.label = self.label .. label
          end)
          M:after("init(positive:)", function(self, result, number)
            Bank.note(result and "made" or "nil")
          end)
          M:after("init(checked:)", function(self, result) self.label = "after" end)
          G:after("init(level:)", function(self, result, level) self.marks = { "marked" } end)
          """
      ) {
        let made = Machine(number: 1, label: "a")
        #expect(made.number == 2 && made.label == "a!a!")
        expectEqual(trace { _ = Machine(positive: 0) }, "nil")
        expectEqual(trace("positive", { Machine(positive: 1)?.label }), "made")
        #expect(throws: MachineError.jam(-1)) { try Machine(checked: -1) }
        let checked = try Machine(checked: 1)
        expectEqual(checked.label, "after")
        let gauge = Gauge(level: 3)
        #expect(gauge.level == 3 && gauge.marks == ["marked"])
        expectEqual(faults(), [])
      }
      expectEqual(Machine.census.alive, alive)
    }

    @Test func `an initializer's result cannot be replaced`() throws {
      try withPatch(
        adviceHead
          + "M:after('init(number:label:)', function(self) return 5 end, {})\nM:after('init(number:label:)', function(self) return self end)"
      ) {
        expectEqual(Machine(number: 1).number, 1)
        #expect(expectedFault().contains("advice cannot replace what an initializer makes"))
        expectEqual(patches().first?.overrides.first?.errors, 1)
      }
    }

    @Test func `mutating methods and setters of structs`() throws {
      try withPatch(
        """
        local G = class "Bank.Gauge"
        G:before("raise(by:)", function(self, amount) self.level = 100 return amount + 1 end)
        G:after("raise(by:)", function(self, result, amount)
          assert(self.level == result and amount == 6)
          self.marks = { "after" }
        end)
        G:after("shown", function(self, result, unit) return result .. unit end)
        G.get:after("doubled", function(self, result) return result + 1 end)
        G.set:before("doubled", function(self, value) return value * 10 end)
        G.static:after("zero", function(class, result) result.level = 1 return result end)
        """
      ) {
        var gauge = Gauge(level: 1)
        expectEqual(gauge.raise(by: 5), 106)
        #expect(gauge.level == 106 && gauge.marks == ["after"])
        expectEqual(gauge.shown("V"), "106VV")
        expectEqual(gauge.doubled, 213)
        gauge.doubled = 4
        expectEqual(gauge.level, 20)
        expectEqual(Gauge.zero().level, 1)
        expectEqual(faults(), [])
      }
      expectEqual(Gauge.zero().level, 0)
    }

    @Test func `mutating methods of types that are values of Lua's own`() throws {
      let long = "a text that is long enough to be elsewhere"
      func check(_ mark: String, added: Int) {
        var text = long
        expectEqual(text.shout("!"), long.count + mark.count + added)
        expectEqual(text, long.uppercased() + mark)
        text = "b"
        expectEqual(text.shout("!"), 1 + mark.count + added)
        expectEqual(text, "B" + mark)
        var numbers = [1, 2]
        numbers.addAll(5)
        expectEqual(numbers, [6, 7])
      }
      check("!", added: 0)
      try withPatch(
        """
        String:before("shout", function(self, mark) return mark .. "?" end)
        String:after("shout", function(self, count) return count + 10 end)
        Array:after("addAll", function() end)
        """
      ) {
        check("!?", added: 10)
        expectEqual(faults(), [])
      }
      check("!", added: 0)
    }

    @Test func `generic functions and members of generic types`() throws {
      let crate = Crate<String>()
      try withPatch(
        adviceHead + """
          local C = class "Bank.Crate"
          M:before("pick", function(self, a, b) return b end)
          M:after("pick", function(self, result, a, b) Bank.note(tostring(result)) end)
          M:after("paired", function(self, r) r[2] = 7 return r end)
          Bank:after("chosen", function(result, first, second) return first end)
          C:before("put", function(self, element) return element .. "!" end)
          C:after("put", function(self, count) return count + 10 end)
          """
      ) {
        expectEqual(trace(2, { machine.pick(1, 2) }), "2")
        expectEqual(trace("b", { machine.pick("a", "b") }), "b")
        #expect(machine.paired("x") == ("x", 7))
        let paired = machine.paired((1, "t"))
        #expect(paired.0 == (1, "t") && paired.1 == 7)
        expectEqual(chosen(1.5, 2.5), 1.5)
        expectEqual(crate.put("a"), 11)
        expectEqual(crate.contents, ["a!"])
        expectEqual(faults(), [])
      }
      expectEqual(machine.pick(1, 2), 1)
    }

    @Test func `consuming and variadic arguments, closures, optionals, identity`() throws {
      let alive = Machine.census.alive
      try withPatch(
        adviceHead + """
          M:before("consume", function(self, other) Bank.note(tostring(other.number)) end)
          M:after("consume", function(self, result, other) assert(other.number == result) end)
          M:before("sum", function(self, values) assert(#values == 3) return { 10, 20 } end)
          M:after("sum", function(self, result, values) assert(#values == 2) end)
          M:before("visit", function(self, body) return function(n) return body(n) * 2 end end)
          M:after("visit", function(self, result, body) return result + body(0) end)
          M:after("same", function(self, result) assert(result == self) end)
          M:before("maybe", function(self, value) return nil end)
          """
      ) {
        expectEqual(trace(9, { machine.consume(Machine(number: 9)) }), "i9")
        expectEqual(machine.sum(1, 2, 3), 30)
        expectEqual(machine.visit { $0 + 1 }, 10)
        #expect(machine.same() === machine)
        #expect(machine.maybe("x") == nil)
        expectEqual(faults(), [])
      }
      _ = try WaxwingEngine.liveObjects()
      expectEqual(Machine.census.alive, alive)
    }
  }
}
