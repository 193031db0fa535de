// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

/// Lua's allocator fails at any moment: nothing crashes, nothing leaks.
@Suite struct MemoryLimitTests {
  let census = Census()

  @Test func `a limit that does not hold the libraries is refused`() throws {
    let needed = try TestState().lua.memory
    // Near what is needed a collection may make room.
    for limit in stride(from: 1, to: needed / 2, by: 101) {
      #expect(throws: LuaStateError.self) { try TestState(memoryLimit: limit) }
    }
    for limit in needed / 2...needed { _ = try? TestState(memoryLimit: limit) }
    _ = try TestState(memoryLimit: needed * 2)
  }

  @Test func `a script that wants too much gets an error, and the state lives on`() throws {
    let state = try TestState(memoryLimit: 1 << 20)
    let failure = #expect(throws: LuaFailure.self) {
      try state.run("local t = {} for i = 1, 1e7 do t[i] = 'x' .. i end")
    }
    expectEqual(failure?.kind, .limit)
    #expect(failure?.message.contains("not enough memory: the patch") == true)
    // A table grows by doubling, and may overshoot by twice its size.
    #expect(state.lua.memory <= 3 << 20)
    try expectEqual(state.run("return 1"), [.integer(1)])
    try expectEqual(
      state.run("return pcall(string.rep, 'x', 1 << 20)"),
      [.boolean(false), .text("not enough memory")])
  }

  /// Every kind of crossing, once.
  private func cross(_ state: TestState) throws {
    try state.define("give") { [census] call in
      call.writer.string("a string of more than forty characters, not short")
      call.writer.object(census.held())
      call.writer.box(Tracked(census))
      call.writer.array(count: 2)
      call.writer.box(Tracked(census))
      call.writer.integer(1)
    }
    try state.define("fail") { [census] (_) throws(LuaRaise) in
      let tracked = Tracked(census)
      throw .error(TrackedError(tracked: tracked))
    }
    try state.define("refuse") { [census] (call) throws(LuaRaise) in
      call.writer.box(Tracked(census))
      throw .message("refused")
    }
    try state.define("keep") { (call) throws(LuaRaise) in
      guard call.reference(toArgument: 0) != nil else { throw .message("not enough memory") }
    }
    let results = try state.run(
      """
      local object, box, text, list, record = ...
      keep({object, box})
      local s, o, b, l = give()
      local fine, swift = pcall(fail)
      local bad, message = pcall(refuse)
      object:member()
      return #s, tostring(o), message, list, {record, text .. tostring(swift), tostring(b)}
      """
    ) { writer in
      writer.object(census.held())
      writer.box(Tracked(census))
      writer.string("another string that is too long to be kept only once")
      writer.array(count: 3)
      for i in 1...3 { writer.integer(i) }
      writer.table(count: 2)
      writer.string("a")
      writer.object(census.held())
      writer.string("b")
      writer.box(Tracked(census))
    }
    guard results.count == 5 else { throw Incomplete() }
    // A failing fault, with traceback.
    _ = try? state.run("local function f() return nil .. 'x' end return f()")
    state.lua.collect()
  }

  private struct Incomplete: Error {}

  /// The limit goes up from what an empty state needs, so that each allocation is once the one
  /// that fails.
  @Test func `every crossing survives every failing allocation`() throws {
    let empty = try TestState().lua.memory
    var failures = 0
    var successes = 0
    var limit = empty
    while successes < 50 {
      if let state = try? TestState(memoryLimit: limit) {
        do {
          try cross(state)
          successes += 1
        } catch let failure as LuaFailure {
          failures += 1
          #expect(failure.kind == .noMemory || failure.message.contains("memory"), "\(failure)")
        }
        census.letGo()
        state.lua.close()
        #expect(census.alive == 0, "leaked at a limit of \(limit) bytes")
      }
      limit += 24
      try #require(limit < empty + 1_000_000)
    }
    #expect(failures > 100)
  }
}
