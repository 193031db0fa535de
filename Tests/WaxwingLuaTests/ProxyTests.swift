// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Synchronization
import Testing
import WaxwingLua

@Suite struct ProxyTests {
  let state: TestState
  let census = Census()

  init() throws { state = try TestState() }

  @Test func `an object has one proxy`() throws {
    let first = Tracked(census)
    let second = Tracked(census)
    let values = try state.run(
      "local a, b, c = ... return rawequal(a, b), a == b, a == c, ({[a] = 'same'})[b], a"
    ) { writer in
      writer.object(first)
      writer.object(first)
      writer.object(second)
    }
    expectEqual(
      values,
      [
        .boolean(true), .boolean(true), .boolean(false), .text("same"),
        .object(UInt(bitPattern: first.pointer)),
      ])
    expectEqual(state.lua.liveProxies, 2)
    state.lua.collect()
    expectEqual(state.lua.liveProxies, 0)
  }

  @Test func `a proxy keeps its object, and releases it once`() throws {
    try state.run("kept = ...") { $0.object(census.held()) }
    census.letGo()
    state.lua.collect()
    expectEqual(census.alive, 1)
    try expectEqual(state.run("return tostring(kept)"), [.text("tracked")])
    try state.run("kept = nil")
    state.lua.collect()
    state.lua.collect()
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 1)
  }

  @Test func `boxes and errors are released once`() throws {
    var tracked: Tracked? = Tracked(census)
    for _ in 0..<100 {
      try state.run("local a, b = ... return #tostring(a)") { writer in
        writer.box(tracked!)
        writer.error(TrackedError(tracked: tracked!))
      }
    }
    #expect(state.lua.liveProxies > 0)
    state.lua.collect()
    expectEqual(state.lua.liveProxies, 0)
    expectEqual(census.alive, 1)
    tracked = nil
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 1)
  }

  /// Lua calls no finalizer twice, and none where the stack of the thread that collects is at its end.
  @Test func `what is collected at the end of the stack is released after all`() throws {
    try state.run("kept = {...}") { writer in
      for _ in 0..<100 { writer.object(census.held()) }
      for _ in 0..<100 { writer.box(Tracked(census)) }
    }
    census.letGo()
    try state.run(
      """
      local function down()
        if not pcall(down) then
          kept = nil
          for i = 1, 50000 do local garbage = {} end
        end
      end
      down()
      """)
    state.lua.collect()
    expectEqual(state.lua.liveProxies, 0)
    expectEqual(census.alive, 0)
  }

  @Test func `closing releases what is left`() throws {
    try state.run("kept = {...} also = kept[1]") { writer in
      for _ in 0..<100 { writer.object(census.held()) }
      for _ in 0..<100 { writer.box(Tracked(census)) }
    }
    census.letGo()
    expectEqual(census.alive, 200)
    state.lua.close()
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 200)
  }

  @Test func `a deinitializer may enter the state that gave its object up`() throws {
    let seen = Mutex<[Value]>([])
    let count = Counter()
    try state.run("ended = 0 function note() ended = ended + 1 return ended end")
    let note = try state.load(Array("return note()".utf8))
    for _ in 0..<10 {
      let object = Tracked(census) { [unowned state] in
        count.add()
        let values = (try? state.call(note)) ?? []
        seen.withLock { $0 += values }
      }
      try state.run("kept = {...}") { $0.object(object) }
      withExtendedLifetime(object) {}
    }
    try state.run("kept = nil")
    state.lua.collect()
    expectEqual(count.value, 10)
    #expect(seen.withLock { $0 } == (1...10).map { .integer($0) })
  }

  @Test func `an object is not released while the state is entered`() throws {
    let object = Mutex<Tracked?>(Tracked(census))
    try state.lua.entered {
      try state.run("local _ = ...") { writer in
        object.withLock { writer.object($0!) }
      }
      object.withLock { $0 = nil }
      wax_lua_collect(state.lua.handle)
      expectEqual(census.alive, 1)
    }
    expectEqual(census.alive, 0)
  }

  @Test func `what Lua does not reach is released without being asked`() throws {
    let function = try state.load(Array("local _ = ...".utf8))
    for _ in 0..<20_000 {
      _ = try state.call(function) { $0.object(census.held()) }
      census.letGo()
    }
    #expect(census.alive < 5000)
  }

  @Test func `cycles within Lua do not keep objects`() throws {
    try state.run("local t = {...} t.t = t") { $0.object(census.held()) }
    census.letGo()
    state.lua.collect()
    expectEqual(census.alive, 0)
  }

  @Test func `finalizers see an object again and let it go again`() throws {
    try state.run(
      "local o = ... setmetatable({o}, {__gc = function(t) back = t[1] end})"
    ) { $0.object(census.held()) }
    census.letGo()
    state.lua.collect()
    _ = try state.run("return type(back)")
    state.lua.collect()
    try state.run("back = nil")
    state.lua.collect()
    state.lua.collect()
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 1)
  }

  @Test func `a method is looked up once`() throws {
    let values = try state.run(
      "local o = ... local t for i = 1, 100 do t = o:member() end return t, rawequal(o:self(), o)"
    ) { $0.object(census.held()) }
    expectEqual(values, [.text("member"), .boolean(true)])
    expectEqual(state.memberLookUps, 2)
  }

  static let misuses: [(String, String)] = [
    ("setmetatable(o, {})", "table expected"), ("o.x = 1", "read only"),
    ("return #o", "attempt to get length"), ("return o + 1", "attempt to perform arithmetic"),
    ("o()", "attempt to call"), ("return o < o", "attempt to compare"),
    ("getmetatable(o).__gc(o)", "attempt to index a boolean"),
  ]

  @Test(arguments: misuses)
  func `scripts cannot get at what is inside`(source: String, message: String) throws {
    let failure = #expect(throws: LuaFailure.self) {
      try state.run("local o = ... " + source) { $0.object(census.held()) }
    }
    #expect(failure?.message.contains(message) == true)
  }

  @Test func `values that are not pushed are released`() throws {
    // The first is taken over by its proxy; `__gc` and the buffer must not both release it.
    let failure = #expect(throws: LuaFailure.self) {
      try state.run("return 1") { writer in
        writer.box(Tracked(census))
        writer.array(count: 1)
        writer.box(Tracked(census))
        writer.table(count: 1)
        writer.nil()  // no key: cannot be pushed
        writer.box(Tracked(census))
        writer.box(Tracked(census))
      }
    }
    #expect(failure?.message.contains("index is nil") == true)
    state.lua.collect()
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 4)
  }
}
