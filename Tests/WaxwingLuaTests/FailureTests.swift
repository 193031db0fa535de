// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

/// Errors as they leave Lua.
@Suite struct FailureTests {
  let state: TestState

  init() throws { state = try TestState() }

  private func failure(
    _ source: String, _ arguments: (LuaWriter) -> Void = { _ in }
  ) throws -> LuaFailure {
    try #require(throws: LuaFailure.self) { try state.run(source, arguments) }
  }

  static let failures: [(String, LuaFailure.Kind, String, String)] = [
    ("local x = nil + 1", .fault, "test.lua:1: attempt to perform arithmetic on a nil value", ""),
    ("error('no')", .explicit, "test.lua:1: no", "no"),
    ("error('no', 0)", .explicit, "no", "no"),
    ("\n\nerror('no', 1)", .explicit, "test.lua:3: no", "no"),
    ("local function f() error('no', 2) end\nf()", .explicit, "test.lua:2: no", "no"),
    ("error(7)", .explicit, "7", "7"),
    ("error(1.5)", .explicit, "1.5", "1.5"),
    ("error(true)", .explicit, "true", "true"),
    ("error()", .fault, "test.lua:1: (error value is a nil)", ""),
    ("error({1})", .explicit, "{ [1] = 1 }", "{ [1] = 1 }"),
    ("for k in next, {}, 1 do end", .fault, "test.lua:1: invalid key to 'next'", ""),
    ("assert(false, 'no')", .fault, "test.lua:1: no", ""),
    ("assert(nil)", .fault, "test.lua:1: assertion failed!", ""),
    (
      "pcall(error, 'first') local x = {} .. ''", .fault,
      "test.lua:1: attempt to concatenate a table value", ""
    ),
    ("local _, e = pcall(error, 'again', 0) error(e, 0)", .explicit, "again", "again"),
    (
      "string.rep('x', 1 << 40)", .fault,
      "test.lua:1: resulting string too large: string.rep makes at most 1048576 bytes", ""
    ),
  ]

  @Test(arguments: failures)
  func `errors say their kind and place`(
    source: String, kind: LuaFailure.Kind, message: String, raw: String
  ) throws {
    let failure = try failure(source)
    expectEqual(failure.kind, kind)
    expectEqual(failure.message, message)
    #expect(failure.rawMessage == (raw.isEmpty ? message : raw))
    expectEqual(failure.position?.source, "test.lua")
    try expectEqual(state.run("return 1"), [.integer(1)])
  }

  @Test(arguments: ["x =", "local <const>", "return 'a", "goto nowhere", "\u{1B}Lua"])
  func `source that does not compile says where`(source: String) throws {
    let failure = try failure(source)
    expectEqual(failure.kind, .fault)
    #expect(failure.message.hasPrefix("test.lua:1:") || failure.message.contains("binary chunk"))
    #expect(failure.frames.isEmpty)
  }

  @Test func `bytecode is refused`() throws {
    let full = try TestState(libraries: WAX_LIBRARY_LIBRARIES_FULL)
    let dumped = try full.run("return string.dump(function() return 1 end)")
    guard case .string(let bytecode) = dumped.first else {
      Issue.record("no bytecode")
      return
    }
    let failure = #expect(throws: LuaFailure.self) { try state.load(bytecode) }
    #expect(failure?.message.contains("attempt to load a binary chunk (mode is 't')") == true)
  }

  private static let nested = """
    local function inner(x) return x.y.z end
    local function outer(x)
      local r = inner(x)
      return r
    end
    local r = outer({})
    return r
    """

  @Test func `frames are those of the script, innermost first`() throws {
    let failure = try failure(Self.nested)
    expectEqual(
      failure.frames.map(\.description),
      [
        "test.lua:1: in upvalue 'inner'", "test.lua:3: in local 'outer'",
        "test.lua:6: in main chunk",
      ].map { $0.replacing("upvalue", with: "function").replacing("local", with: "function") })
    expectEqual(
      failure.description,
      """
      test.lua:1: attempt to index a nil value (field 'y') with 'z'
        test.lua:1: in function 'inner'
        test.lua:3: in function 'outer'
        test.lua:6: in main chunk
      """)
  }

  @Test(arguments: [
    ("local x return x.y", "local 'x'", "y"),
    ("local x x.y = 1", "local 'x'", "y"),
    ("local x return x[1]", "local 'x'", "1"),
    ("local x x[1] = 2", "local 'x'", "1"),
    ("local x local k = 'key' return x[k]", "local 'x'", "key"),
    ("local t = {} return t.first.second", "field 'first'", "second"),
    ("local t = {} t.first.second = 1", "field 'first'", "second"),
    ("local t = { first = {} } return t.first.second.third", "field 'second'", "third"),
    ("local t = {} return t.first:second()", "field 'first'", "second"),
    ("return somewhere.y", "global 'somewhere'", "y"),
    ("local x return (function() return x.y end)()", "upvalue 'x'", "y"),
    ("local x return (function() x.y = 1 end)()", "upvalue 'x'", "y"),
    ("local function f(a, b) return b.y end return (f(1))", "local 'b'", "y"),
    ("for i = 1, 3 do local t = {} if i > 2 then return t.x.y end end", "field 'x'", "y"),
  ])
  func `nil is called by the name of its variable`(source: String, name: String, key: String)
    throws
  {
    let failure = try failure(source)
    expectEqual(
      failure.message, "test.lua:1: attempt to index a nil value (\(name)) with '\(key)'")
  }

  @Test(arguments: [
    "local function f() end return f().y", "local a, b = nil, {} return (a or b.x).y",
    "return (nil).y", "return ({})[1].y",
  ])
  func `nil without a name has that of its key`(source: String) throws {
    expectEqual(try failure(source).message, "test.lua:1: attempt to index a nil value with 'y'")
  }

  /// How arguments are pushed is our affair.
  @Test func `frames are the same whatever the arguments`() throws {
    let plain = try failure(Self.nested) { $0.integer(1) }
    let other = try failure(Self.nested) { $0.string("text") }
    expectEqual(plain.frames, other.frames)
    expectEqual(plain.frames.count, 3)
  }

  @Test func `of many frames the innermost are kept`() throws {
    let failure = try failure(
      "local function f(n) if n == 0 then error('deep') end f(n - 1) return 1 end\n f(100)")
    expectEqual(failure.frames.count, Int(WAX_LUA_MAX_FRAMES))
    expectEqual(failure.frames.first?.source, "[C]")
    expectEqual(failure.position?.line, 1)
  }

  @Test func `a stack that overflows is an error, and the next call works`() throws {
    let failure = try failure("local function f() return 1 + f() end return f()")
    expectEqual(failure.kind, .fault)
    #expect(failure.message.contains("stack overflow"))
    try expectEqual(state.run("return 1"), [.integer(1)])
  }

  @Test func `a Swift error comes back as the same error`() throws {
    let census = Census()
    try state.define("fail") { (_) throws(LuaRaise) in
      throw .error(TrackedError(tracked: Tracked(census)))
    }
    for source in [
      "fail()", "error(select(2, pcall(fail)))", "local function f() fail() end\nf()",
      "local t = setmetatable({}, {__index = function() fail() end}) return t.x",
    ] {
      let failure = try failure(source)
      #expect(failure.swiftError is TrackedError)
      #expect(failure.message.hasPrefix("Swift error: "))
    }
    state.lua.collect()
    expectEqual(census.alive, 0)
    expectEqual(census.ended, 4)
  }

  @Test func `what a Swift function says has the position of its caller`() throws {
    try state.define("refuse") { (_) throws(LuaRaise) in throw .message("refused") }
    let failure = try failure("\nlocal function f()\n  refuse()\nend\nf()")
    expectEqual(failure.message, "test.lua:3: refused")
    expectEqual(failure.kind, .fault)
    try expectEqual(state.run("return pcall(refuse)").first, .boolean(false))
  }

  @Test func `a message handler of the script's own works`() throws {
    let values = try state.run(
      "return xpcall(function() error('a') end, function(m) return m .. '!' end)")
    expectEqual(values, [.boolean(false), .text("test.lua:1: a!")])
  }

  @Test func `failing leaves nothing behind`() throws {
    func fail() {
      _ = try? state.run("local x = nil .. ...") { $0.string("text") }
      _ = try? state.run("x =")
      _ = try? state.run("error({})") { $0.integer(1) }
    }
    for _ in 0..<100 { fail() }
    state.lua.collect()
    let memory = state.lua.memory
    for _ in 0..<2000 { fail() }
    state.lua.collect()
    // The registry keeps the compiled chunks: see `TestState.run`. One a time, of two kinds.
    #expect(state.lua.memory - memory < 2000 * 2 * 1000)
  }
}
