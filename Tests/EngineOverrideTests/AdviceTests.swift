// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `before`, `after` and `instead`: what they get, what they may replace, and in which order.
  @Suite struct AdviceTests {
    private let machine = Machine(number: 3)

    @Test func `before and after see the arguments and the result`() throws {
      let account = Account(owner: "Ada")
      expectEqual(account.deposit(1, memo: "a"), 1)
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
        expectEqual(account.deposit(2, memo: "b"), 3)
        expectEqual(account.owner, "Ada>2b<32b")
        expectEqual(faults(), [])
      }
      expectEqual(account.deposit(1, memo: "c"), 4)
      #expect(account.owner == "Ada>2b<32b" && account.tags == ["a", "b", "c"])
    }

    @Test func `advice may take fewer arguments than the function`() throws {
      try withPatch(adviceHead + "M:before('run', function() Bank.note('b') end)") {
        expectEqual(trace(2, { machine.run(1) }), "br")
        expectEqual(faults(), [])
      }
    }

    @Test func `before, original and after, in the order of adding`() throws {
      expectEqual(trace { machine.step() }, "|")
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          M:after("step", note "<")
          """
      ) {
        expectEqual(trace { machine.step() }, ">|<")
      }
      try withPatch(
        adviceHead + """
          M:after("step", note "b") M:before("step", note "a")
          M:before("step", note "c") M:after("step", note "d")
          """
      ) {
        expectEqual(trace { machine.step() }, "ac|bd")
        expectEqual(faults(), [])
      }
      expectEqual(trace { machine.step() }, "|")
    }

    @Test func `the second pair is left when the first is removed`() throws {
      try withPatch(
        adviceHead + """
          local first = { M:before("step", note "a"), M:after("step", note "b") }
          M:before("step", note "c") M:after("step", note "d")
          function M:run(n) return first[1]:remove() and first[2]:remove() and 1 or 0 end
          """
      ) {
        expectEqual(trace { machine.step() }, "ac|bd")
        expectEqual(machine.run(0), 1)
        expectEqual(trace { machine.step() }, "c|d")
        expectEqual(machine.run(0), 0)
        expectEqual(trace { machine.step() }, "c|d")
      }
    }

    @Test func `advice on a function that calls itself`() throws {
      try withPatch(
        adviceHead
          + "M:before('recurse', note '>') M:after('recurse', function(self, r, n) Bank.note('<' .. n) end)"
      ) {
        expectEqual(trace(120, { machine.recurse(5) }), ">>>>><1<2<3<4<5")
        expectEqual(faults(), [])
      }
    }

    @Test func `observers are around overrides, whatever was declared first`() throws {
      try withPatch(
        adviceHead + """
          M:before("step", note ">")
          function M:step() Bank.note "/" self:ORIGstep() Bank.note "\\\\" end
          M:after("step", note "<")
          """
      ) {
        expectEqual(trace { machine.step() }, ">/|\\<")
        expectEqual(faults(), [])
      }
    }

    @Test func `several insteads of one function nest, newest outermost`() throws {
      try withPatch(
        adviceHead + """
          for _, i in ipairs { "1", "2", "3" } do
            M:instead("step", function(self) Bank.note(i) self:ORIGstep() Bank.note(i) end)
          end
          """
      ) {
        expectEqual(trace { machine.step() }, "321|123")
        expectEqual(faults(), [])
      }
      expectEqual(trace { machine.step() }, "|")
    }

    @Test func `an assigned override is one of the stack, in order of declaration`() throws {
      try withPatch(
        adviceHead + """
          M:instead("step", function(self) Bank.note "a" self:ORIGstep() end)
          function M:step() Bank.note "b" self:ORIGstep() end
          M:instead("step", function(self) Bank.note "c" self:ORIGstep() end)
          M:before("step", note ">")
          """
      ) {
        expectEqual(trace { machine.step() }, ">cba|")
        expectEqual(faults(), [])
      }
      #expect(
        refusal(adviceHead + "function M:step() end\nfunction M:step() end").contains(
          "overridden twice"))
    }

    @Test func `sessions stack, each with its own pieces`() throws {
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
      expectEqual(trace { machine.step() }, "3>3/2>2/1>1/|<1<2<3")
      try WaxwingEngine.end(two)
      expectEqual(trace { machine.step() }, "3>3/1>1/|<1<3")
      try WaxwingEngine.end(one)
      expectEqual(trace { machine.step() }, "3>3/|<3")
      try WaxwingEngine.end(three)
      expectEqual(trace { machine.step() }, "|")
    }

    @Test func `arguments are replaced, the first ones that a piece returns`() throws {
      try withPatch(
        """
        local A = class "Bank.Account"
        A:before("deposit(_:memo:)", function(self, n, memo) return n * 10 end)
        A:before("deposit(_:memo:)", function(self, n, memo) return n + 1, memo .. "?" end)
        A:before("deposit(_:memo:)", function(self, n, memo) self.owner = n .. memo end)
        """
      ) {
        let account = Account(owner: "Ada")
        expectEqual(account.deposit(2, memo: "b"), 21)
        #expect(account.owner == "21b?" && account.tags == ["b?"])
        expectEqual(faults(), [])
      }
    }

    @Test func `results are replaced, one after the other`() throws {
      try withPatch(
        adviceHead + """
          M:after("run", function(self, r, n) return r * 10 end)
          M:after("run", function(self, r, n) return r + n end)
          M:after("run", function(self, r, n) end)
          M:after("reading", function(self, r) r.level = 2 r.name = r.name .. "!" return r end)
          M:after("maybe", function(self, r) if r then return nil end return "was nil" end)
          """
      ) {
        expectEqual(machine.run(4), 54)
        expectEqual(machine.reading("x"), Reading(name: "x!", level: 2, parts: [1, 2]))
        #expect(machine.maybe("x") == nil)
        expectEqual(machine.maybe(nil), "was nil")
        expectEqual(faults(), [])
      }
      expectEqual(machine.reading("x"), Reading(name: "x", level: 0.5, parts: [1, 2]))
      expectEqual(machine.run(4), 5)
    }

    @Test func `scalars stay exact`() throws {
      let values = [Int64.min, -1, 0, Int64.max]
      expectEqual(machine.half(0.1), 0.05)
      try withPatch(
        adviceHead + """
          M:before("half", function() end)
          M:before("wide", function(self, n) end)
          M:after("wide", function(self, r, n) assert(r == n and math.type(r) == "integer") end)
          """
      ) {
        expectEqual(machine.half(0.1), 0.05)
        expectEqual(machine.half(.infinity), .infinity)
        expectEqual(machine.half(-0.0).sign, .minus)
        expectEqual(values.map(machine.wide), values)
        expectEqual(faults(), [])
      }
      try withPatch(adviceHead + "M:instead('half', function() return 7.25 end)") {
        expectEqual(machine.half(0.1), 7.25)
      }
      expectEqual(machine.half(0.1), 0.05)
    }

    @Test func `nested calls know their depth`() throws {
      try withPatch(
        adviceHead + """
          local depth = 0
          for _, name in ipairs { "outer", "middle", "inner" } do
            M:before(name, function() Bank.note(tostring(depth)) depth = depth + 1 end)
            M:after(name, function() depth = depth - 1 end)
          end
          """
      ) {
        expectEqual(trace(12, { machine.outer(1) }), "012")
        expectEqual(trace(12, { machine.outer(1) }), "012")
        expectEqual(faults(), [])
      }
    }

    @Test func `base and subclass, each with its own advice`() throws {
      let press = Press(number: 1)
      let lathe = Lathe(number: 2)
      expectEqual(trace { press.step() }, "<|>")
      try withPatch(
        adviceHead + """
          local P, L = class "Bank.Press", class "Bank.Lathe"
          P:before("step", note "p")
          M:before("step", note "m")
          L:after("run", function(self, r) Bank.note "L" return r + 100 end)
          M:instead("run", function(self, n) Bank.note "M" return self:ORIGrun(n) + 1 end)
          """
      ) {
        expectEqual(trace { press.step() }, "p<m|>")
        expectEqual(trace { lathe.step() }, "m|")
        expectEqual(trace { machine.step() }, "m|")
        expectEqual(trace(106, { lathe.run(1) }), "lMrL")
        expectEqual(trace(3, { press.run(1) }), "Mr")
        expectEqual(trace(3, { machine.run(1) }), "Mr")
        expectEqual(faults(), [])
      }
      expectEqual(trace { press.step() }, "<|>")
      expectEqual(lathe.run(1), 4)
    }

    @Test func `ORIG in a piece is what is below the override that runs`() throws {
      try withPatch(
        adviceHead + """
          function M:run(n) return self:ORIGrun(n) * 10 end
          M:instead("run", function(self, n) return self:ORIGrun(n) + self:ORIGrun(n) end)
          M:before("run", function(self, n) Bank.note(tostring(self:ORIGrun(n))) end)
          local original = M.ORIGrun
          function M:half(value) return original(self, 1) end
          """
      ) {
        expectEqual(machine.run(1), 40)
        expectEqual(trace(40, { machine.run(1) }).filter { $0 != "r" }, "40")
        // Outside any of them: what is below the oldest.
        expectEqual(machine.half(0), 2)
        expectEqual(faults(), [])
      }
    }

    @Test func `super in advice`() throws {
      let press = Press(number: 1)
      try withPatch(
        adviceHead + """
          local P = class "Bank.Press"
          P:instead("step", function(self) Bank.note "(" self.super:step() Bank.note ")" end)
          M:after("step", note "m")
          """
      ) {
        expectEqual(trace { press.step() }, "(|m)")
        expectEqual(faults(), [])
      }
    }

    @Test func `advice on deinit is refused, with the reason`() {
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
        "a free function is not called on an object"
      ),
      (
        "M:before('init(number:label:)', print, {instance = Bank.Turnstile()})",
        "an initializer has no object before"
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
        "refused.lua:3: a token has no `removee`, only remove()"
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
