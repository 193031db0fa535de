// SPDX-License-Identifier: MIT

import Bank
import Testing
import Waxwing

extension EngineSuite {
  /// `before`, `after` and `instead`: what they get, what they may replace, and in which order.
  @Suite struct AdviceTests {
    private let machine = Machine(number: 3)

    @Test func `88, 98: before and after see the arguments and the result`() throws {
      let account = Account(owner: "Ada")
      #expect(account.deposit(1, memo: "a") == 1)
      try withPatch(
        """
        local A = class "Bank.Account"
        A:before("deposit(_:memo:)", function(self, n, memo)
          self.owner = self.owner .. ">" .. n .. memo
        end)
        A:after("deposit(_:memo:)", function(self, result, n, memo)
          self.owner = self.owner .. "<" .. result .. n .. memo
        end)
        """
      ) {
        #expect(account.deposit(2, memo: "b") == 3)
        #expect(account.owner == "Ada>2b<32b")
        #expect(faults() == [])
      }
      #expect(account.deposit(1, memo: "c") == 4)
      #expect(account.owner == "Ada>2b<32b" && account.tags == ["a", "b", "c"])
    }

    @Test func `89: advice may take fewer arguments than the function`() throws {
      try withPatch(adviceHead + "M:before('run', function() Bank.note('b') end)") {
        #expect(trace(2, { machine.run(1) }) == "br")
        #expect(faults() == [])
      }
    }

    @Test func `233, 245: before, original and after, in the order of adding`() throws {
      #expect(trace { machine.step() } == "|")
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          M:after("step", note "<")
          """
      ) {
        #expect(trace { machine.step() } == ">|<")
      }
      try withPatch(
        adviceHead + """
          M:after("step", note "b") M:before("step", note "a")
          M:before("step", note "c") M:after("step", note "d")
          """
      ) {
        #expect(trace { machine.step() } == "ac|bd")
        #expect(faults() == [])
      }
      #expect(trace { machine.step() } == "|")
    }

    @Test func `245: the second pair is left when the first is removed`() throws {
      try withPatch(
        adviceHead + """
          local first = { M:before("step", note "a"), M:after("step", note "b") }
          M:before("step", note "c") M:after("step", note "d")
          function M:run(n) return first[1]:remove() and first[2]:remove() and 1 or 0 end
          """
      ) {
        #expect(trace { machine.step() } == "ac|bd")
        #expect(machine.run(0) == 1)
        #expect(trace { machine.step() } == "c|d")
        #expect(machine.run(0) == 0)
        #expect(trace { machine.step() } == "c|d")
      }
    }

    @Test func `235: advice on a function that calls itself`() throws {
      try withPatch(
        adviceHead
          + "M:before('recurse', note '>') M:after('recurse', function(self, r, n) Bank.note('<' .. n) end)"
      ) {
        #expect(trace(120, { machine.recurse(5) }) == ">>>>><1<2<3<4<5")
        #expect(faults() == [])
      }
    }

    @Test func `250: observers are around overrides, whatever was declared first`() throws {
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          function M:step() Bank.note "/" self:ORIGstep() Bank.note "\\\\" end
          M:after("step", note "<")
          """
      ) {
        #expect(trace { machine.step() } == ">/|\\<")
        #expect(faults() == [])
      }
    }

    @Test func `220: several insteads of one function nest, newest outermost`() throws {
      try withPatch(
        adviceHead + """
          for _, i in ipairs { "1", "2", "3" } do
            M:instead("step", function(self) Bank.note(i) self:ORIGstep() Bank.note(i) end)
          end
          """
      ) {
        #expect(trace { machine.step() } == "321|123")
        #expect(faults() == [])
      }
      #expect(trace { machine.step() } == "|")
    }

    @Test func `220: an assigned override is one of the stack, in order of declaration`() throws {
      try withPatch(
        adviceHead + """
          M:instead("step", function(self) Bank.note "a" self:ORIGstep() end)
          function M:step() Bank.note "b" self:ORIGstep() end
          M:instead("step", function(self) Bank.note "c" self:ORIGstep() end)
          M:before("step", note ">")
          """
      ) {
        #expect(trace { machine.step() } == ">cba|")
        #expect(faults() == [])
      }
      #expect(
        refusal(adviceHead + "function M:step() end\nfunction M:step() end").contains(
          "overridden twice"))
    }

    @Test func `220, 248: sessions stack, each with its own pieces`() throws {
      func patch(_ name: String, _ letter: String) throws -> Session {
        try WaxwingEngine.start(
          text: adviceHead + """
            M:before("step", note "\(letter)>")
            M:instead("step", function(self) Bank.note "\(letter)/" self:ORIGstep() end)
            M:after("step", note "<\(letter)")
            """, name: name)
      }
      WaxwingEngine.setLogHandler { _ in }
      let one = try patch("one", "1")
      let two = try patch("two", "2")
      let three = try patch("three", "3")
      #expect(trace { machine.step() } == "3>3/2>2/1>1/|<1<2<3")
      try WaxwingEngine.end(two)
      #expect(trace { machine.step() } == "3>3/1>1/|<1<3")
      try WaxwingEngine.end(one)
      #expect(trace { machine.step() } == "3>3/|<3")
      try WaxwingEngine.end(three)
      #expect(trace { machine.step() } == "|")
    }

    @Test func `241: arguments are replaced, the first ones that a piece returns`() throws {
      try withPatch(
        """
        local A = class "Bank.Account"
        A:before("deposit(_:memo:)", function(self, n, memo) return n * 10 end)
        A:before("deposit(_:memo:)", function(self, n, memo) return n + 1, memo .. "?" end)
        A:before("deposit(_:memo:)", function(self, n, memo) self.owner = n .. memo end)
        """
      ) {
        let account = Account(owner: "Ada")
        #expect(account.deposit(2, memo: "b") == 21)
        #expect(account.owner == "21b?" && account.tags == ["b?"])
        #expect(faults() == [])
      }
    }

    @Test func `241, 221: results are replaced, one after the other`() throws {
      try withPatch(
        adviceHead + """
          M:after("run", function(self, r, n) return r * 10 end)
          M:after("run", function(self, r, n) return r + n end)
          M:after("run", function(self, r, n) end)
          M:after("reading", function(self, r) r.level = 2 r.name = r.name .. "!" return r end)
          M:after("maybe", function(self, r) if r then return nil end return "was nil" end)
          """
      ) {
        #expect(machine.run(4) == 54)
        #expect(machine.reading("x") == Reading(name: "x!", level: 2, parts: [1, 2]))
        #expect(machine.maybe("x") == nil)
        #expect(machine.maybe(nil) == "was nil")
        #expect(faults() == [])
      }
      #expect(machine.reading("x") == Reading(name: "x", level: 0.5, parts: [1, 2]))
      #expect(machine.run(4) == 5)
    }

    @Test func `100, 101: scalars stay exact`() throws {
      let values = [Int64.min, -1, 0, Int64.max]
      #expect(machine.half(0.1) == 0.05)
      try withPatch(
        adviceHead + """
          M:before("half", function() end)
          M:before("wide", function(self, n) end)
          M:after("wide", function(self, r, n) assert(r == n and math.type(r) == "integer") end)
          """
      ) {
        #expect(machine.half(0.1) == 0.05)
        #expect(machine.half(.infinity) == .infinity)
        #expect(machine.half(-0.0).sign == .minus)
        #expect(values.map(machine.wide) == values)
        #expect(faults() == [])
      }
      try withPatch(adviceHead + "M:instead('half', function() return 7.25 end)") {
        #expect(machine.half(0.1) == 7.25)
      }
      #expect(machine.half(0.1) == 0.05)
    }

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
        #expect(faults() == [])
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
        #expect(trace { machine.adjust(&value, 2) } == "13")
        #expect(value == 1013)
        var text = "t"
        value = 1
        #expect(machine.adjusting(&value, text: &text) == false)
        #expect(value == 4 && text == "t!?")
        value = 7
        #expect(machine.splitting(&value) == (30, 10))
        #expect(value == 5)
        #expect(faults() == [])
      }
      var value = 1
      machine.adjust(&value, 2)
      #expect(value == 3)
    }

    @Test func `50, 52: static and class methods, free functions, getters, setters, subscripts`()
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
        #expect(Machine.kind(1) == "machine 2")
        #expect(Machine.build(4).label == "built 4")
        #expect(gross(1) == 8)
        #expect(trace("title m!", { machine.title }) == "g")
        #expect(trace { machine.title = "new" } == "<new")
        #expect(machine.label == "<new")
        #expect(machine[2] == 8)
        machine[1] = 5
        #expect(machine.label == "1=10")
        #expect(faults() == [])
      }
      #expect(gross(1) == 2 && Machine.kind(1) == "machine 1")
    }

    @Test func `112: observers of a property and advice on its setter`() throws {
      #expect(trace { machine.watched = 1 } == "wd")
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          M.set:before("title", note "t")
          """
      ) {
        #expect(trace { machine.watched = 2 } == "wd")
        #expect(trace { machine.title = "x" } == "t")
        #expect(faults() == [])
      }
    }

    @Test func `5: initializers of classes, structs, failable and throwing`() throws {
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
        #expect(trace { _ = Machine(positive: 0) } == "nil")
        #expect(trace("positive", { Machine(positive: 1)?.label }) == "made")
        #expect(throws: MachineError.jam(-1)) { try Machine(checked: -1) }
        let checked = try Machine(checked: 1)
        #expect(checked.label == "after")
        let gauge = Gauge(level: 3)
        #expect(gauge.level == 3 && gauge.marks == ["marked"])
        #expect(faults() == [])
      }
      #expect(Machine.census.alive == alive)
    }

    @Test func `an initializer's result cannot be replaced`() throws {
      try withPatch(
        adviceHead
          + "M:after('init(number:label:)', function(self) return 5 end, {})\nM:after('init(number:label:)', function(self) return self end)"
      ) {
        #expect(Machine(number: 1).number == 1)
        #expect(faults()[0].contains("what an initializer makes cannot be replaced"))
        #expect(patches()[0].overrides[0].errors == 1)
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
        #expect(gauge.raise(by: 5) == 106)
        #expect(gauge.level == 106 && gauge.marks == ["after"])
        #expect(gauge.shown("V") == "106VV")
        #expect(gauge.doubled == 213)
        gauge.doubled = 4
        #expect(gauge.level == 20)
        #expect(Gauge.zero().level == 1)
        #expect(faults() == [])
      }
      #expect(Gauge.zero().level == 0)
    }

    @Test func `mutating methods of types that are values of Lua's own`() throws {
      let long = "a text that is long enough to be elsewhere"
      func check(_ mark: String, added: Int) {
        var text = long
        #expect(text.shout("!") == long.count + mark.count + added)
        #expect(text == long.uppercased() + mark)
        text = "b"
        #expect(text.shout("!") == 1 + mark.count + added)
        #expect(text == "B" + mark)
        var numbers = [1, 2]
        numbers.addAll(5)
        #expect(numbers == [6, 7])
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
        #expect(faults() == [])
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
        #expect(trace(2, { machine.pick(1, 2) }) == "2")
        #expect(trace("b", { machine.pick("a", "b") }) == "b")
        #expect(machine.paired("x") == ("x", 7))
        let paired = machine.paired((1, "t"))
        #expect(paired.0 == (1, "t") && paired.1 == 7)
        #expect(chosen(1.5, 2.5) == 1.5)
        #expect(crate.put("a") == 11)
        #expect(crate.contents == ["a!"])
        #expect(faults() == [])
      }
      #expect(machine.pick(1, 2) == 1)
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
        #expect(trace(9, { machine.consume(Machine(number: 9)) }) == "i9")
        #expect(machine.sum(1, 2, 3) == 30)
        #expect(machine.visit { $0 + 1 } == 10)
        #expect(machine.same() === machine)
        #expect(machine.maybe("x") == nil)
        #expect(faults() == [])
      }
      _ = try WaxwingEngine.liveObjects()
      #expect(Machine.census.alive == alive)
    }

    @Test func `253: nested calls know their depth`() throws {
      try withPatch(
        adviceHead + """
          local depth = 0
          for _, name in ipairs { "outer", "middle", "inner" } do
            M:before(name, function() Bank.note(tostring(depth)) depth = depth + 1 end)
            M:after(name, function() depth = depth - 1 end)
          end
          """
      ) {
        #expect(trace(12, { machine.outer(1) }) == "012")
        #expect(trace(12, { machine.outer(1) }) == "012")
        #expect(faults() == [])
      }
    }

    @Test func `113, 115, 147, 151: base and subclass, each with its own advice`() throws {
      let press = Press(number: 1)
      let lathe = Lathe(number: 2)
      #expect(trace { press.step() } == "<|>")
      try withPatch(
        adviceHead + """
          local P, L = class "Bank.Press", class "Bank.Lathe"
          P:before("step", note "p")
          M:before("step", note "m")
          L:after("run", function(self, r) Bank.note "L" return r + 100 end)
          M:instead("run", function(self, n) Bank.note "M" return self:ORIGrun(n) + 1 end)
          """
      ) {
        #expect(trace { press.step() } == "p<m|>")
        #expect(trace { lathe.step() } == "m|")
        #expect(trace { machine.step() } == "m|")
        #expect(trace(106, { lathe.run(1) }) == "lMrL")
        #expect(trace(3, { press.run(1) }) == "Mr")
        #expect(trace(3, { machine.run(1) }) == "Mr")
        #expect(faults() == [])
      }
      #expect(trace { press.step() } == "<|>")
      #expect(lathe.run(1) == 4)
    }

    @Test func `209: ORIG in a piece is what is below the override that runs`() throws {
      try withPatch(
        adviceHead + """
          function M:run(n) return self:ORIGrun(n) * 10 end
          M:instead("run", function(self, n) return self:ORIGrun(n) + self:ORIGrun(n) end)
          M:before("run", function(self, n) Bank.note(tostring(self:ORIGrun(n))) end)
          local original = M.ORIGrun
          function M:half(value) return original(self, 1) end
          """
      ) {
        #expect(machine.run(1) == 40)
        #expect(trace(40, { machine.run(1) }).filter { $0 != "r" } == "40")
        // Outside any of them: what is below the oldest.
        #expect(machine.half(0) == 2)
        #expect(faults() == [])
      }
    }

    @Test func `147, 152: super in advice`() throws {
      let press = Press(number: 1)
      try withPatch(
        adviceHead + """
          local P = class "Bank.Press"
          P:instead("step", function(self) Bank.note "(" self.super:step() Bank.note ")" end)
          M:after("step", note "m")
          """
      ) {
        #expect(trace { press.step() } == "(|m)")
        #expect(faults() == [])
      }
    }

    @Test func `103, 104: advice on deinit is refused, with the reason`() {
      for what in ["before", "after", "instead"] {
        #expect(
          refusal(adviceHead + "M:\(what)('deinit', function() end)").contains(
            "`Bank.Machine.deinit` cannot be overridden: Swift makes no replacement entry for"))
      }
      #expect(refusal(adviceHead + "function M:deinit() end").contains("no replacement entry"))
    }

    @Test(arguments: [
      ("M:before('stepp', print)", "did you mean `step()`"),
      ("M:before('step', 5)", "refused.lua:3: advice is a function, not a number"),
      ("M:before(5, print)", "refused.lua:3: a Swift name is a string, not a number"),
      (
        "M.before('step', print)",
        "refused.lua:3: call it with `:`, as Bank.Machine:before(name, f)"
      ),
      (
        "M:before('step', print, 5)",
        "refused.lua:3: options are a table, { once = true }, not a number"
      ),
      (
        "M:before('step', print, {onec = true})",
        "refused.lua:3: advice has no option `onec`; did you mean `once`?"
      ),
      (
        "M:before('step', print, {once = 1})",
        "refused.lua:3: the option `once` is true or false, not 1"
      ),
      (
        "M:before('step', print, {instance = M})",
        "refused.lua:3: the option `instance` is an object, not a table"
      ),
      (
        "M:before('step', print, {thread = 1.5})",
        "refused.lua:3: the option `thread` is a thread's id, an integer, not 1.5"
      ),
      (
        "M:before('step', print, {thread = 0})",
        "refused.lua:3: the option `thread` is a thread's id, not 0"
      ),
      ("M.static:before('kind', print, {instance = Bank.Turnstile()})", "it is called on the type"),
      (
        "Bank:before('gross', print, {instance = Bank.Turnstile()})",
        "a free function is called on no object"
      ),
      (
        "M:before('init(number:label:)', print, {instance = Bank.Turnstile()})",
        "there is no object before"
      ),
      (
        "class'Bank.Gauge':before('shown', print, {instance = Bank.Turnstile()})",
        "values of Bank.Gauge are copies"
      ),
      (
        "class'Bank.Press':before('step', print, {instance = Bank.Turnstile()})",
        "`instance` is an object of Bank.Press, got"
      ),
      (
        "M:before('step', print):removee()",
        "refused.lua:3: a piece of advice has no `removee`, only remove()"
      ),
      (
        "M:before('step', print).remove()",
        "refused.lua:3: remove is called on a token, as token:remove()"
      ),
    ])
    func `what is wrong with advice is said where it is added`(code: String, message: String) {
      let found = refusal(adviceHead + code)
      #expect(found.contains(message))
    }
  }
}
