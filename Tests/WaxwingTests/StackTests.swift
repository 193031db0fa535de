// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import HeapProbe
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Threads with short stacks, as thread pools have them.
  @Suite struct StackTests {
    /// What the method returns on a thread with so many bytes of stack, when so many are left.
    private func number(_ prey: Prey, stack: Int, leaving: Int = 0) -> Int {
      let isolated = Isolated(prey)
      let done = DispatchSemaphore(value: 0)
      let answer = Answer()
      let thread = Thread {
        answer.number.store(Self.descend(isolated, leaving: leaving), ordering: .relaxed)
        done.signal()
      }
      thread.stackSize = stack
      thread.start()
      done.waitInTime()
      return answer.number.load(ordering: .relaxed)
    }

    private final class Answer: Sendable { let number = Atomic<Int>(0) }

    static let recursions = [
      "local function f() pcall(f) end f()",
      "local function f() return 1 + f() end f()",
      "local function f() return (('x'):gsub('x', f)) end f()",
      "local function f() table.sort({3, 2, 1}, function(a, b) f() return a < b end) end f()",
      "local t = setmetatable({}, {__index = function(t, k) return t[k .. 'x'] end}) return t.a",
      "local t = {} setmetatable(t, {__tostring = function() return tostring(t) end}) tostring(t)",
      "local t = setmetatable({}, {__eq = function(a, b) return a == {} end}) return t == {}",
      "local function f(n) return coroutine.wrap(function() return f(n + 1) end)() end f(1)",
      "local function f() return string.format('%s', setmetatable({}, {__tostring = f})) end f()",
      "local t = setmetatable({}, {}) getmetatable(t).__concat = function(a, b) return a .. b end "
        + "return t .. t",
      "local function f() xpcall(error, f) end f()",
      "local function f() for _ in pairs(setmetatable({}, {__pairs = f})) do end end f()",
    ]

    @Test(arguments: recursions, [128 << 10, 512 << 10, 8 << 20])
    func `recursion ends on every stack`(body: String, stack: Int) throws {
      let prey = Prey()
      try withPatch("local P = class 'Bank.Prey'\nfunction P:number(n) do \(body) end return 1 end")
      {
        let answer = number(prey, stack: stack)
        #expect(answer == 1000 || answer == 1)
      }
    }

    @Test func `a stack that is too short goes past the override`() throws {
      let prey = Prey()
      try withPatch("local P = class 'Bank.Prey'\nfunction P:number(n) return self:other(n) end") {
        expectEqual(number(prey, stack: 512 << 10), 2000)
        expectEqual(number(prey, stack: 512 << 10, leaving: 150 << 10), 1000)
        expectEqual(patches().first?.overrides.first?.bypassed, 1)
      }
    }

    /// Calls the method there.
    private func number(_ prey: Prey, on stack: OtherStack) -> Int {
      var answer = 0
      Self.on(stack) { answer = prey.number(1) }
      return answer
    }

    private typealias OtherStack = (
      @convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer
    ) -> Void

    private static func on(_ stack: OtherStack, _ body: () -> Void) {
      withoutActuallyEscaping(body) { body in
        var body = body
        withUnsafeMutablePointer(to: &body) { body in
          stack({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, body)
        }
      }
    }

    @Test func `Lua is not run on stacks that are not their thread's`() throws {
      let prey = Prey()
      try withPatch(
        "local P = class 'Bank.Prey'\nfunction P:number(n) return self:number(n) end",
      ) {
        // Of a recursion as deep as overrides may be nothing is left in a fibre.
        expectEqual(number(prey) { heap_probe_on_fibre(256 << 10, $0, $1) }, 1000)
        expectEqual(number(prey) { heap_probe_in_handler($0, $1) }, 1000)
        let override = try #require(patches().first?.overrides.first)
        #expect(override.calls == 0 && override.bypassed == 2)
        expectEqual(
          override.bypassReasons,
          [
            "the call is on a stack that does not belong to its thread, as with fibres"
          ])
      }
    }

    @Test(arguments: [16, 20, 32, 64, 128])
    func `a call with hardly any stack goes to the original, or gets what stands in`(kilobytes: Int)
      throws
    {
      let prey = Prey()
      let keeper = ClosureKeeper()
      try withPatch(
        """
        local P, K = class "Bank.Prey", class "Bank.ClosureKeeper"
        function P:other(n) return 7 end
        function P:list() return {7} end
        P:before("refuse(_:)", function() end)
        function K:prepare()
          self:keep(fallback(function(n) return n + 1 end, 55))
          return 1
        end
        """
      ) {
        expectEqual(keeper.prepare(), 1)
        expectEqual(keeper.call(1), 2)
        let faults = LogLines()
        WaxwingEngine.setLogHandler { faults.add($0.message) }
        var answers: [Int] = []
        answers.reserveCapacity(4)
        Self.on({ heap_probe_on_thread(kilobytes << 10, $0, $1) }) {
          answers.append(prey.other(1))
          answers.append(prey.list().count)
          answers.append((try? prey.refuse(1)) ?? 0)
          answers.append(keeper.call(1))
        }
        expectEqual(answers, [2000, 1, 1000, 55])
        expectEqual(patches().flatMap(\.overrides).map(\.bypassed).reduce(0, +), 3)
        let reasons = Set(patches().flatMap(\.overrides).flatMap(\.bypassReasons))
        expectEqual(reasons, ["the thread's stack is too small for Lua code"])
        #expect(faults.all.contains { $0.contains("the thread's stack is too small for Lua code") })
      }
    }

    @Test func `a Lua function that is called on a fibre says why it does not run`() throws {
      let keeper = ClosureKeeper()
      try withPatch(
        """
        local K = class "Bank.ClosureKeeper"
        function K:prepare()
          self:keep(function(n) return self:call(n + 1) end)
          return 1
        end
        """
      ) {
        expectEqual(keeper.prepare(), 1)
        let faults = LogLines()
        WaxwingEngine.setLogHandler { faults.add($0.message) }
        Self.on({ heap_probe_on_fibre(256 << 10, $0, $1) }) { _ = keeper.call(1) }
        #expect(
          faults.all.contains { $0.contains("on a stack that does not belong to its thread") })
      }
    }

    /// Calls when no more than this is left of the stack; 0: at once.
    @inline(never)
    private static func descend(_ prey: Isolated<Prey>, leaving bytes: Int) -> Int {
      withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
        if bytes == 0 || heap_probe_stack_left() <= bytes { return prey.value.number(1) }
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        return descend(prey, leaving: bytes) + Int(memory[0]) - 1
      }
    }
  }
}

/// A value that one thread at a time uses.
private struct Isolated<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
