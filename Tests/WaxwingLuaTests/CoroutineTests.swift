// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

@Suite struct CoroutineTests {
  let state: TestState

  init() throws { state = try TestState() }

  @Test func `a coroutine that was given back is used again`() throws {
    try state.lua.entered {
      let first = try #require(LuaCoroutine(state.lua))
      let second = try #require(LuaCoroutine(state.lua))
      #expect(first.raw != second.raw)
      second.release()
      let third = try #require(LuaCoroutine(state.lua))
      expectEqual(third.raw, second.raw)
      third.release()
      first.release()
    }
  }

  @Test func `calls one after the other on one coroutine see nothing of each other`() throws {
    let function = try state.load(Array("return ...".utf8))
    try state.lua.entered {
      let coroutine = try #require(LuaCoroutine(state.lua))
      defer { coroutine.release() }
      coroutine.writer.string("one")
      try expectEqual(coroutine.call(function), 1)
      wax_lua_buffer_clear(coroutine.buffer)
      coroutine.writer.integer(2)
      coroutine.writer.string("three")
      try expectEqual(coroutine.call(function), 2)
      var reader = coroutine.reader
      expectEqual(Value(&reader), .integer(2))
      expectEqual(Value(&reader), .text("three"))
    }
  }

  /// The value's proxy stays reachable, whether the other arguments need memory or not.
  @Test(arguments: [false, true])
  func `the receiver that is kept is no result`(withText: Bool) throws {
    let census = Census()
    let function = try state.load(Array("local self = ... self = nil return 7".utf8))
    try state.lua.entered {
      let coroutine = try #require(LuaCoroutine(state.lua))
      coroutine.raw.pointee.keeps_receiver = true
      if withText {
        coroutine.writer.box(Tracked(census))
        coroutine.writer.string("text")
      } else {
        coroutine.writer.integer(1)
      }
      try expectEqual(coroutine.call(function), 1)
      wax_lua_collect(state.lua.handle)
      var reader = coroutine.reader
      expectEqual(Value(&reader), .integer(7))
      #expect((coroutine.raw.pointee.receiver != nil) == withText)
      #expect(census.alive == (withText ? 1 : 0))
      coroutine.release()
    }
    state.lua.collect()
    expectEqual(census.alive, 0)
  }

  @Test func `a call in a call has a coroutine of its own`() throws {
    let function = try state.load(
      Array("local n = ... if n == 0 then return 0 end return 1 + down(n - 1)".utf8))
    try state.define("down") { [unowned state] (call) throws(LuaRaise) in
      var reader = call.arguments
      let n = reader.read().integer
      do throws(LuaFailure) {
        for value in try state.call(function, { $0.integer(n) }) { value.write(call.writer) }
      } catch {
        throw .message(error.message)
      }
    }
    for depth in [1, 10, 150] {
      try expectEqual(state.call(function) { $0.integer(depth) }, [.integer(Int64(depth))])
    }
  }
}
