// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

@Suite struct ValueTests {
  let state: TestState

  init() throws { state = try TestState() }

  static let plain: [Value] = [
    .nil, .null, .boolean(true), .boolean(false),
    .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(1 << 53 + 1),
    .double(0), .double(-0.0), .double(1), .double(.infinity), .double(-.infinity),
    .double(.leastNonzeroMagnitude), .number(0x7ff8_0000_0000_1234),
    .text(""), .text("a\0b"), .text("Grüße 🙂"), .string([0xff, 0xfe, 0]),
    .string(Array(repeating: 0x61, count: 100_000)),
  ]

  static let tables: [Value] = [
    .array([]), .array([.integer(1), .text("two"), .boolean(false)]),
    .array([.array([.array([.integer(1)])]), .array([])]),
    .array([.null, .integer(2), .null]),
    .array((1...1000).map { .integer($0) }),
    .table([.text("a"): .integer(1), .text("b"): .array([.text("c")])]),
    .table([.integer(0): .integer(1)]), .table([.integer(2): .integer(1)]),
    .table([.double(1.5): .text("x"), .boolean(true): .text("y")]),
    .table([.text("deep"): .table([.text("deeper"): .table([.text("deepest"): .null])])]),
  ]

  @Test(arguments: plain + tables)
  func `a value comes back as it went in`(value: Value) throws {
    try expectEqual(state.run("return ...") { value.write($0) }, [value])
  }

  /// Where Lua keeps them depends on how they were made.
  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 100, 1024])
  func `sequences of all lengths are arrays, and are none with one key more`(count: Int) throws {
    let numbers = Value.array((1...count).map { .integer(Int64($0)) })
    let makers = [
      "local t = {} for i = 1, n do t[i] = i end",
      "local t = table.pack(table.unpack(full, 1, n)) t.n = nil",
      "local t = table.move(full, 1, n, 1, {})",
      "local t = table.move(full, 1, 2 * n, 1, {}) for i = 2 * n, n + 1, -1 do t[i] = nil end",
      "local t = table.move(full, 1, n, 1, {}) local _ = #t t[n] = nil local _ = #t t[n] = n",
    ]
    for maker in makers {
      let start = "local n, full = \(count), {} for i = 1, 2048 do full[i] = i end \(maker)"
      #expect(try state.run("\(start) return t") == [numbers], "\(maker)")
      for key in ["n + 2", "0", "-1", "'x'", "1.5"] {
        let odd = try state.run("\(start) t[\(key)] = true return t")
        guard case .table(let pairs) = odd.first else {
          Issue.record("\(maker) t[\(key)] is \(odd)")
          continue
        }
        #expect(pairs.count == count + 1, "\(maker) t[\(key)]")
      }
    }
  }

  @Test func `arguments and results keep their order and number`() throws {
    let values = Self.plain + Self.tables
    let all = try state.run("return select('#', ...), ...") { writer in
      for value in values { value.write(writer) }
    }
    expectEqual(all, [.integer(Int64(values.count))] + values)
  }

  static let read: [(String, Value)] = [
    ("{1, 2, 3}", .array([.integer(1), .integer(2), .integer(3)])),
    ("{1, nil, 3}", .table([.integer(1): .integer(1), .integer(3): .integer(3)])),
    ("{1, x = 2}", .table([.integer(1): .integer(1), .text("x"): .integer(2)])),
    ("{[2] = 2, [1] = 1}", .table([.integer(1): .integer(1), .integer(2): .integer(2)])),
    ("{[1.0] = 1}", .array([.integer(1)])),
    ("{[1] = 1, [7] = 2}", .table([.integer(1): .integer(1), .integer(7): .integer(2)])),
    (
      "{true, 0.5, 'a', {1}}",
      .array([.boolean(true), .double(0.5), .text("a"), .array([.integer(1)])])
    ),
    (
      "(function() local t = {1, 2, 3} t[3] = nil return t end)()",
      .array([1, 2].map(Value.integer))
    ),
    (
      "(function() local t = {1, 2, 3} t[2] = nil return t end)()",
      .table([.integer(1): .integer(1), .integer(3): .integer(3)])
    ),
    ("(function() local t = {1} t.x = 1 t.x = nil return t end)()", .array([.integer(1)])),
    ("{n = {}}", .table([.text("n"): .array([])])),
    ("type", .function), ("{type}", .array([.function])),
    ("coroutine.create(type)", .other("coroutine")),
    ("2^53", .double(9_007_199_254_740_992)), ("10 // 1.0", .double(10)),
    ("1 << 63", .integer(.min)),
    ("(function() local t = {} t[1] = t return t end)()", .array([.cycle])),
    (
      "(function() local a, b = {}, {} a.b = b b.a = a return a end)()",
      .table([.text("b"): .table([.text("a"): .cycle])])
    ),
    ("(function() local t = {} return {t, t} end)()", .array([.array([]), .array([])])),
  ]

  /// A table whose keys Lua may keep in either of its two parts reads the same.
  @Test(arguments: read)
  func `what Lua makes is read exactly`(expression: String, expected: Value) throws {
    let values = try state.run("return \(expression)")
    if case .table(let entries) = expected, values == [Self.sequence(entries)] { return }
    expectEqual(values, [expected])
  }

  /// The sequence that has the same entries, if one has.
  private static func sequence(_ entries: [Value: Value]) -> Value? {
    let elements = (1...entries.count).compactMap { entries[.integer(Int64($0))] }
    return elements.count == entries.count ? .array(elements) : nil
  }

  @Test func `tables nest as deep as is said, and no deeper`() throws {
    func nested(_ depth: Int) throws -> Value? {
      try state.run("local t = {} for _ = 2, ... do t = {t} end return t") {
        $0.integer(depth)
      }.first
    }
    func innermost(_ value: Value?) -> (Int, Value?) {
      var depth = 0
      var value = value
      while case .array(let elements) = value {
        depth += 1
        value = elements.first
      }
      return (depth, value)
    }
    let most = Int(WAX_LUA_MAX_DEPTH)
    #expect(innermost(try nested(most)) == (most, nil))
    #expect(innermost(try nested(most + 1)) == (most, .tooDeep))
    #expect(innermost(try nested(100_000)) == (most, .tooDeep))
  }

  @Test func `a crossing of too many values fails, and the next one works`() throws {
    let failure = #expect(throws: LuaFailure.self) {
      try state.run(
        "local t = {} for i = 1, \(WAX_LUA_MAX_ENTRIES) * 2 + 1 do t[i] = i end return t")
    }
    expectEqual(failure?.kind, .noMemory)
    try expectEqual(state.run("return 1"), [.integer(1)])
  }

  @Test func `thousands of arguments and results cross`() throws {
    let sum = try state.run(
      "local s = 0 for i = 1, select('#', ...) do s = s + (select(i, ...)) end return s, ..."
    ) { writer in
      for i in 1...5000 { writer.integer(i) }
    }
    expectEqual(sum.count, 5001)
    expectEqual(sum.first, .integer(5000 * 5001 / 2))
    expectEqual(sum.last, .integer(5000))
    try expectEqual(state.run("return ...") { $0.integer(1) }, [.integer(1)])
  }

  @Test func `reading past the end gives nil`() throws {
    try state.lua.entered {
      let coroutine = try #require(LuaCoroutine(state.lua))
      defer { coroutine.release() }
      coroutine.writer.array(count: 1)
      coroutine.writer.integer(1)
      coroutine.writer.boolean(true)
      var reader = coroutine.reader
      reader.skip()
      expectEqual(Value(&reader), .boolean(true))
      #expect(reader.isAtEnd && reader.peeked.isNil && reader.read().isNil)
      reader.skip()
    }
  }

  @Test func `strings that are not UTF-8 are told apart`() throws {
    let valid = ["", "a", "sixteen bytes -!", "Grüße", "\u{FFFD}", "🙂\0", "\u{10FFFF}"]
    let invalid: [[UInt8]] = [
      [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xe2, 0x82],
      Array("a long text that is not small \u{FFFD}".utf8) + [0xc3],
    ]
    try state.lua.entered {
      let coroutine = try #require(LuaCoroutine(state.lua))
      defer { coroutine.release() }
      for text in valid { coroutine.writer.string(text) }
      for bytes in invalid { bytes.withUnsafeBytes { coroutine.writer.bytes($0) } }
      var reader = coroutine.reader
      for text in valid { expectEqual(reader.string(reader.read()), text) }
      for bytes in invalid {
        let value = reader.read()
        #expect(reader.string(value) == nil)
        expectEqual(reader.displayString(value), String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
