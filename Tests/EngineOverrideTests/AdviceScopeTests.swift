// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

/// What a patch has after `adviceHead` that gives advice to an object while the program runs.
private let hooking = """
  local P, T = class "Bank.Panel", class "Bank.Turnstile"
  local token
  local function removed(token)
    local was_there, why = token:remove()
    return tostring(was_there) .. (why and ": " .. why or "")
  end

  """

extension EngineSuite {
  /// Advice for one object, one call or one thread, and its tokens.
  @Suite struct AdviceScopeTests {
    private let panel = Panel()
    private let machine = Machine(number: 3)

    /// Calls of an override of the only patch.
    private func calls(_ selector: String) -> Int {
      patches().flatMap(\.overrides).first { $0.selector == selector }?.calls ?? -1
    }

    @Test func `advice on one object leaves others and the type alone`() throws {
      let press = Press(number: 1)
      let other = Press(number: 1)
      try withPatch(
        adviceHead + hooking + """
          P["hook(_: Bank.Machine)"] = function(self, m)
            token = M:before("step", note "h", { instance = m })
            return "hooked"
          end
          function P:press() return removed(token) end
          """
      ) {
        expectEqual(panel.hook(press), "hooked")
        expectEqual(trace { press.step() }, "<h|>")
        expectEqual(trace { other.step() }, "<|>")
        expectEqual(trace { machine.step() }, "|")
        expectEqual(calls("step()"), 1)
        let isPress = type(of: press as Machine) == Press.self
        #expect(isPress)
        let plain: Machine = press
        let isSame = (plain as? Press) === press
        #expect(isSame && !(plain is Lathe))
        expectEqual(panel.press("remove"), "true")
        expectEqual(trace { press.step() }, "<|>")
        expectEqual(panel.press("remove"), "false")
        expectEqual(faults(), [])
      }
    }

    @Test func `one of several objects, and of the class as well`() throws {
      let one = Machine(number: 1)
      let two = Machine(number: 2)
      try withPatch(
        adviceHead + hooking + """
          P["hook(_: Bank.Machine)"] = function(self, m)
            local letter = tostring(m.number)
            M:after("step", note(letter), { instance = m })
            M:instead("step", function(self) Bank.note("i" .. letter) self:ORIGstep() end, { instance = m })
            return ""
          end
          M:after("step", note "c")
          """
      ) {
        _ = panel.hook(one)
        _ = panel.hook(two)
        expectEqual(trace { one.step() }, "i1|c1")
        expectEqual(trace { two.step() }, "i2|c2")
        expectEqual(trace { machine.step() }, "|c")
        expectEqual(faults(), [])
      }
    }

    @Test func `the token of a dead object says so; the patch does not keep the object`()
      throws
    {
      let alive = Machine.census.alive
      try withPatch(
        adviceHead + hooking + """
          P["hook(_: Bank.Machine)"] = function(self, m)
            token = M:before("step", note "h", { instance = m })
            M:instead("run", function() return 7 end, { instance = m })
            return tostring(token)
          end
          function P:press() return removed(token) end
          """
      ) {
        do {
          let short = Machine(number: 1)
          expectEqual(panel.hook(short), "before step")
          expectEqual(short.run(1), 7)
        }
        _ = try WaxwingEngine.liveObjects()
        expectEqual(Machine.census.alive, alive)
        expectEqual(panel.press(""), "false: the object is gone")
        expectEqual(panel.press(""), "false: the object is gone")
        expectEqual(faults(), [])
      }
    }

    @Test func `a new object at the address of a dead one has none of its advice`() throws {
      try withPatch(
        adviceHead + hooking + """
          P["hook(_: Bank.Machine)"] = function(self, m)
            M:before("step", note "h", { instance = m })
            M:instead("run", function() return 7 end, { instance = m })
            return ""
          end
          """
      ) {
        var addresses: Set<ObjectIdentifier> = []
        for _ in 0..<20 {
          let short = Machine(number: 1)
          addresses.insert(ObjectIdentifier(short))
          _ = panel.hook(short)
        }
        _ = try WaxwingEngine.liveObjects()
        var reused = 0
        let all = (0..<2000).map { _ in Machine(number: 1) }
        for fresh in all {
          if addresses.contains(ObjectIdentifier(fresh)) { reused += 1 }
          expectEqual(trace { fresh.step() }, "|")
          expectEqual(fresh.run(1), 2)
        }
        #expect(reused > 0)
        expectEqual(faults(), [])
      }
    }

    @Test func `advice for one call runs once, and its token finds nothing`() throws {
      try withPatch(
        adviceHead + hooking + """
          token = M:before("step", note "b", { once = true })
          M:after("step", note "a", { once = true })
          local instead = M:instead("step", function(self) Bank.note "i" self:ORIGstep() end, { once = true })
          function P:press() return removed(token) .. removed(instead) end
          """
      ) {
        expectEqual(trace { machine.step() }, "bi|a")
        expectEqual(trace { machine.step() }, "|")
        expectEqual(panel.press(""), "falsefalse")
        expectEqual(patches().flatMap(\.overrides).map(\.selector), ["press(_:)"])
        expectEqual(faults(), [])
      }
    }

    @Test func `many threads at once claim it once`() throws {
      let counted = LogLines()
      try withPatch(
        adviceHead + hooking + """
          function P:press(button)
            M:instead("half", function(self, value) return -1 end, { once = true })
            M:after("half", function(self, r) if r ~= -1 then return r + 1000 end end, { once = true })
            return ""
          end
          """
      ) {
        for _ in 0..<20 {
          _ = panel.press("")
          onThreads(4) { _ in
            let mine = Machine(number: 1)
            for _ in 0..<50 {
              let result = mine.half(2)
              if result != 1 { counted.add("\(result)") }
            }
          }
        }
        expectEqual(faults(), [])
      }
      expectEqual(counted.all.filter { $0 == "-1.0" }.count, 20)
      // The `after` is used up by the call that the `instead` had, or by one that it had not.
      #expect(counted.all.filter { $0 == "1001.0" }.count <= 20)
      expectEqual(counted.all.filter { $0 != "1001.0" && $0 != "-1.0" }, [])
    }

    @Test func `while it runs for one call, the next finds the original`() throws {
      let turnstile = Turnstile()
      let results = LogLines()
      try withPatch(
        adviceHead + hooking
          + "T:instead('pass', function(self, n) return self:ORIGpass(n) * 10 end, { once = true })"
      ) {
        let first = Thread { results.add("\(turnstile.pass(1))") }
        first.start()
        expectEventually(turnstile.waiting, 1)
        let second = Thread { results.add("\(turnstile.pass(2))") }
        second.start()
        expectEventually(turnstile.waiting, 2)
        turnstile.letPass()
        expectEventually(results.all.count, 2)
        expectEqual(results.all.sorted(), ["10", "2"])
        expectEqual(faults(), [])
      }
    }

    @Test func `advice for one thread, and the thread of each call`() throws {
      try withPatch(
        adviceHead + hooking + """
          function P:press()
            M:before("run", function(self, n) return n + 100 end, { thread = thread() })
            return tostring(math.type(thread()))
          end
          M:instead("wide", function() return thread() end)
          """
      ) {
        expectEqual(panel.press(""), "integer")
        let before = calls("run(_:)")
        expectEqual(machine.run(1), 102)
        let mine = machine.wide(0)
        let others = LogLines()
        onThreads(2) { _ in
          let own = Machine(number: 1)
          others.add("\(own.run(1)) \(own.wide(0) == mine) \(own.wide(0) == own.wide(1))")
        }
        expectEqual(others.all, ["2 false true", "2 false true"])
        expectEqual(machine.wide(0), mine)
        expectEqual(calls("run(_:)"), before + 1)
        expectEqual(faults(), [])
      }
    }

    @Test func `tokens, in any order`() throws {
      try withPatch(
        adviceHead + hooking + """
          local tokens = {
            a = M:before("step", note "a"), b = M:before("step", note "b"),
            c = M:instead("step", function(self) Bank.note "c" self:ORIGstep() end),
            d = M:instead("step", function(self) Bank.note "d" self:ORIGstep() end),
            e = M:after("step", note "e"),
          }
          function P:press(button) return removed(tokens[button]) end
          """
      ) {
        expectEqual(trace { machine.step() }, "abdc|e")
        #expect(panel.press("a") == "true" && panel.press("a") == "false")
        expectEqual(trace { machine.step() }, "bdc|e")
        #expect(panel.press("c") == "true" && panel.press("c") == "false")
        expectEqual(trace { machine.step() }, "bd|e")
        expectEqual(panel.press("e"), "true")
        expectEqual(panel.press("d"), "true")
        expectEqual(trace { machine.step() }, "b|")
        #expect(panel.press("b") == "true" && panel.press("b") == "false")
        expectEqual(trace { machine.step() }, "|")
        expectEqual(patches().flatMap(\.overrides).map(\.selector), ["press(_:)"])
        expectEqual(faults(), [])
      }
    }

    @Test func `a piece that removes itself and its pair from inside the call`() throws {
      try withPatch(
        adviceHead + """
          local own, after
          own = M:before("step", function() Bank.note "a" assert(own:remove() and after:remove()) end)
          after = M:after("step", note "A")
          M:before("step", note "b")
          M:after("step", note "B")
          local instead
          instead = M:instead("run", function(self, n)
            assert(instead:remove() and not instead:remove())
            return self:ORIGrun(n) * 10
          end)
          """
      ) {
        expectEqual(trace { machine.step() }, "ab|B")
        expectEqual(trace { machine.step() }, "b|B")
        expectEqual(trace(20) { machine.run(1) }, "r")
        expectEqual(trace(2) { machine.run(1) }, "r")
        expectEqual(faults(), [])
      }
    }

    @Test func `removed by another thread while the original runs`() throws {
      let turnstile = Turnstile()
      let results = LogLines()
      try withPatch(
        adviceHead + hooking + """
          T:before("pass", function(self, n) return n + 1 end)
          token = T:after("pass", function(self, r) return r * 10 end)
          T:after("pass", function(self, r) return r + 5 end)
          function P:press() return removed(token) end
          """
      ) {
        Thread { results.add("\(turnstile.pass(1))") }.start()
        expectEventually(turnstile.waiting, 1)
        expectEqual(panel.press(""), "true")
        turnstile.letPass()
        expectEventually(results.all.count, 1)
        expectEqual(results.all, ["7"])
        expectEqual(faults(), [])
      }
    }

    @Test func `an initializer gives its object advice of its own`() throws {
      let alive = Machine.census.alive
      try withPatch(
        adviceHead + """
          M:after("init(number:label:)", function(self, _, number)
            M:instead("step", function(me) Bank.note("s" .. number) me:ORIGstep() end, { instance = self })
            M:before("run", function(me, n) return n + number end, { instance = self })
          end)
          """
      ) {
        let one = Machine(number: 1)
        let two = Machine(number: 2)
        expectEqual(trace { one.step() }, "s1|")
        expectEqual(trace { two.step() }, "s2|")
        expectEqual(trace { machine.step() }, "|")
        #expect(one.run(10) == 12 && two.run(10) == 13 && machine.run(10) == 11)
        // Of objects that are dead, nothing is left.
        for _ in 0..<2000 { _ = Machine(number: 3) }
        _ = try WaxwingEngine.liveObjects()
        for n in 0..<200 { expectEqual(Machine(number: n).run(1), n + 2) }
        let overrides = try #require(patches().first?.overrides)
        #expect(overrides.count < 1500)
        expectEqual(trace { one.step() }, "s1|")
        expectEqual(faults(), [])
      }
      _ = try WaxwingEngine.list()
      expectEqual(Machine.census.alive, alive)
    }

    @Test func `what is removed leaves the entry as it was, and comes again`() throws {
      try withPatch(
        adviceHead + hooking + """
          function P:press(button)
            if button == "add" then
              token = M:before("step", note ">")
              return ""
            end
            return removed(token)
          end
          """
      ) {
        for _ in 0..<50 {
          _ = panel.press("add")
          let during = try WaxwingEngine.explain("Bank.Machine.step()").isAtBaseline
          #expect(!during)
          expectEqual(trace { machine.step() }, ">|")
          expectEqual(panel.press("remove"), "true")
          let after = try WaxwingEngine.explain("Bank.Machine.step()")
          #expect(after.isAtBaseline && after.steps.isEmpty)
          expectEqual(trace { machine.step() }, "|")
        }
        expectEqual(faults(), [])
      }
    }

    @Test func `advice comes and goes while threads call`() throws {
      let wrong = LogLines()
      let done = Atomic<Bool>(false)
      let single = Atomic<Int>(0)
      try withPatch(
        adviceHead + hooking + """
          function P:press()
            local b = M:before("wide", function(self, n) return n + 1 end)
            local i = M:instead("wide", function(self, n) return self:ORIGwide(n) + 10 end)
            local a = M:after("wide", function(self, r) return r + 100 end)
            M:after("wide", function(self, r) return r + 1000 end, { once = true })
            assert(i:remove() and b:remove() and a:remove())
            return ""
          end
          """
      ) {
        let group = DispatchGroup()
        for _ in 0..<3 {
          group.enter()
          Thread {
            let own = Machine(number: 1)
            while !done.load(ordering: .relaxed) {
              let result = own.wide(0)
              // A digit for each piece: whether the call had it. Those for one call pile up.
              let isLegal = "\(result % 1000)".allSatisfy { "01".contains($0) }
              if !isLegal { wrong.add("\(result)") }
              single.add(Int(result / 1000), ordering: .relaxed)
            }
            group.leave()
          }.start()
        }
        for _ in 0..<500 { _ = panel.press("") }
        done.store(true, ordering: .relaxed)
        group.waitInTime()
        single.add(Int(machine.wide(0) / 1000), ordering: .relaxed)
        expectEqual(machine.wide(0), 0)
        expectEqual(single.load(ordering: .relaxed), 500)
        expectEqual(wrong.all, [])
        expectEqual(faults(), [])
      }
      expectEqual(machine.wide(0), 0)
    }

    @Test func `advice that comes and goes leaves no memory behind`() throws {
      try withPatch(
        adviceHead + hooking + """
          function P:press(button)
            for _ = 1, 100 do
              local t = M:before("step", note ">")
              local i = M:instead("step", function(self) self:ORIGstep() end)
              M:after("step", note "<", { once = true })
              assert(t:remove() and i:remove())
            end
            return ""
          end
          """
      ) {
        func memory() throws -> Int {
          for _ in 0..<100 { machine.step() }
          _ = panel.press("")
          for _ in 0..<100 { machine.step() }
          _ = try WaxwingEngine.liveObjects()
          return try #require(patches().first).memory
        }
        let before = try memory()
        var after = before
        for _ in 0..<10 { after = try memory() }
        #expect(after < before + 20_000)
        expectEqual(faults(), [])
      }
    }
  }
}
