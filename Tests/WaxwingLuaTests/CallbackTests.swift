// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Synchronization
import Testing
import WaxwingLua

/// Swift functions that Lua calls.
@Suite struct CallbackTests {
  let state: TestState
  let census = Census()

  init() throws { state = try TestState() }

  @Test func `arguments and results cross`() throws {
    try state.define("echo") { call in
      var reader = call.arguments
      for _ in 0..<call.argumentCount { Value(&reader).write(call.writer) }
    }
    let values = ValueTests.plain + ValueTests.tables
    let all = try state.run("return echo(...)") { writer in
      for value in values { value.write(writer) }
    }
    expectEqual(all, values)
    try expectEqual(state.run("return echo(nil, nil)"), [.nil, .nil])
    try expectEqual(state.run("return echo()"), [])
  }

  /// A longjmp over a Swift frame would skip both silently.
  @Test(arguments: [false, true])
  func `raising 1,000 times runs every defer and every deinitializer`(isError: Bool) throws {
    let deferred = Counter()
    try state.define("fail") { [census] (call) throws(LuaRaise) in
      defer { deferred.add() }
      let tracked = Tracked(census)
      call.writer.string("a result that nobody gets")
      call.writer.box(tracked)
      throw isError ? .error(TrackedError(tracked: tracked)) : .message("no")
    }
    let failed = try state.run(
      """
      local failed = 0
      for i = 1, 1000 do
        if not pcall(fail, i, 'text', {i}) then failed = failed + 1 end
      end
      return failed
      """)
    expectEqual(failed, [.integer(1000)])
    expectEqual(deferred.value, 1000)
    state.lua.collect()
    expectEqual(census.ended, 1000)
    expectEqual(census.alive, 0)
  }

  /// The same where the error has to pass other Swift frames on its way.
  @Test func `raising through Swift and Lua in turn runs every defer`() throws {
    let deferred = Counter()
    let function = try state.load(
      Array("local n = ... if n == 0 then error('bottom') end return again(n - 1)".utf8))
    try state.define("again") { [unowned state, census] (call) throws(LuaRaise) in
      defer { deferred.add() }
      let tracked = Tracked(census)
      var reader = call.arguments
      let count = reader.read().integer
      do throws(LuaFailure) {
        _ = try state.call(function) { $0.integer(count) }
      } catch {
        throw .error(TrackedError(tracked: tracked))
      }
    }
    for depth in [0, 1, 10, 50] {
      let before = deferred.value
      let failure = #expect(throws: LuaFailure.self) {
        try state.run("again(...)") { $0.integer(depth) }
      }
      #expect(failure?.swiftError is TrackedError)
      expectEqual(deferred.value - before, depth + 1)
    }
    state.lua.collect()
    expectEqual(census.alive, 0)
  }

  @Test func `functions and tables can be kept for later`() throws {
    let kept = Mutex<[Int32]>([])
    try state.define("keep") { call in
      for index in 0..<call.argumentCount {
        if let reference = call.reference(toArgument: index) {
          kept.withLock { $0.append(reference) }
        }
      }
    }
    try state.run("keep(function(n) return n * 2 end, {1})")
    let references = kept.withLock { $0 }
    expectEqual(references.count, 2)
    try expectEqual(state.call(references[0]) { $0.integer(21) }, [.integer(42)])
    let table = try state.run("return ...") { $0.reference(references[1]) }
    expectEqual(table, [.array([.integer(1)])])
  }

  @Test func `results that would not outlive the function are pushed before it ends`() throws {
    try state.define("make") { [census] call in
      let tracked = Tracked(census)
      call.writer.array(count: 1)
      call.writer.object(tracked)
      call.writer.string("and more")
      wax_lua_push_call_results(call.raw)
      withExtendedLifetime(tracked) {}
    }
    try expectEqual(
      state.run("local made, more = make() return tostring(made[1]), more"),
      [.text("tracked"), .text("and more")])
    state.lua.collect()
    expectEqual(census.ended, 1)
  }

  @Test func `a callback knows where it was called`() throws {
    let places = Mutex<[String]>([])
    try state.define("here") { call in
      for level in 0... {
        guard let frame = call.position(level: level) else { break }
        places.withLock { $0.append("\(frame.source):\(frame.line ?? 0)") }
      }
    }
    try state.run("local function f()\n  here()\nend\n\nf()")
    expectEqual(places.withLock { $0 }, ["test.lua:2", "test.lua:5"])
  }
}
