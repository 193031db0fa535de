// SPDX-License-Identifier: MIT

import CWaxwingLua
import Dispatch
import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingLua

@Suite struct LockTests {
  let state: TestState

  init() throws { state = try TestState() }

  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(index)
        group.leave()
      }
    }
    group.waitInTime()
  }

  @Test func `one thread at a time is in`() throws {
    let inside = Counter()
    let mistakes = Counter()
    let total = Counter()
    nonisolated(unsafe) var unguarded = 0
    onThreads(8) { [state] _ in
      for turn in 0..<2000 {
        state.lua.entered {
          if inside.add() != 1 { mistakes.add() }
          unguarded += 1
          if turn % 3 == 0 { state.lua.entered { unguarded += 1 } }
          inside.add(-1)
        }
        total.add(turn % 3 == 0 ? 2 : 1)
      }
    }
    expectEqual(mistakes.value, 0)
    expectEqual(unguarded, total.value)
  }

  @Test func `entering is recursive and suspending leaves wholly`() throws {
    let entered = Counter()
    state.lua.entered {
      state.lua.entered {
        #expect(wax_lua_is_entered(state.lua.handle))
        state.lua.suspended {
          #expect(!wax_lua_is_entered(state.lua.handle))
          onThreads(1) { [state] _ in
            state.lua.entered { _ = entered.add() }
          }
        }
        #expect(wax_lua_is_entered(state.lua.handle))
      }
      #expect(wax_lua_is_entered(state.lua.handle))
    }
    #expect(!wax_lua_is_entered(state.lua.handle))
    expectEqual(entered.value, 1)
  }

  @Test func `what runs while suspended may wait for another thread that enters`() throws {
    let function = try state.load(Array("return ... + 1".utf8))
    try state.define("wait") { [unowned state] call in
      let result = Mutex<[Value]>([])
      state.lua.suspended {
        onThreads(1) { _ in
          let values = (try? state.call(function) { $0.integer(41) }) ?? []
          result.withLock { $0 = values }
        }
      }
      result.withLock { $0.first }?.write(call.writer)
    }
    try expectEqual(state.run("return wait()"), [.integer(42)])
  }

  /// Calls in flight on coroutines of one state, the lock dropped in the middle of each, garbage and
  /// errors in between, calls within calls.
  @Test func `eight threads with calls in flight get their own results`() throws {
    let work = try state.load(
      Array(
        """
        local n, depth = ...
        garbage = garbage or {}
        garbage[#garbage % 100 + 1] = {n, tostring(n)}
        local ok, result = pcall(original, n, depth)
        if n % 97 == 0 then pcall(error, "x") end
        if n % 1009 == 0 then collect() end
        return result + 1
        """.utf8))
    try state.define("collect") { [unowned state] _ in state.lua.collect() }
    try state.define("original") { [unowned state] call in
      var reader = call.arguments
      let n = reader.read().integer
      let depth = reader.read().integer
      let result = Mutex(n)
      state.lua.suspended {
        if n & 15 == 0 { sched_yield() }
        guard depth > 0 else { return }
        let inner = try? state.call(work) { writer in
          writer.integer(n)
          writer.integer(depth - 1)
        }
        if case .integer(let value) = inner?.first { result.withLock { $0 = value } }
      }
      call.writer.integer(result.withLock { $0 })
    }
    let wrong = Counter()
    onThreads(8) { [state] thread in
      for turn in 0..<2000 {
        let n = turn * 8 + thread
        let depth = turn % 7 == 0 ? 3 : 0
        let values = try? state.call(work) { writer in
          writer.integer(n)
          writer.integer(depth)
        }
        if values != [.integer(Int64(n + depth + 1))] { wrong.add() }
      }
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `objects are released on many threads, each once`() throws {
    let census = Census()
    let function = try state.load(Array("local o = ... last = o".utf8))
    onThreads(8) { [state] _ in
      for turn in 0..<1000 {
        let object = Tracked(census)
        _ = try? state.call(function) { $0.object(object) }
        withExtendedLifetime(object) {}
        if turn % 100 == 0 { state.lua.collect() }
      }
    }
    try state.run("last = nil")
    state.lua.collect()
    expectEqual(census.ended, 8000)
    expectEqual(census.alive, 0)
  }
}
