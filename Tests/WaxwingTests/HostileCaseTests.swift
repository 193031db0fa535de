// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Glibc
import HostileRig
import Testing
import Waxwing

extension EngineSuite {
  /// Hostile overrides: what each of them is stopped with.
  @Suite struct HostileCaseTests {
    private let head =
      "patch { limits = { instructions = 1000000, milliseconds = 2000, memory = 16777216 } }"

    /// Expects a fault whose message has one of the texts, and the original's answer.
    private func stopped(
      _ body: String, _ reasons: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let outcome = try HostileOutcome.of(body, head: head)
      #expect(outcome.answers == [Cage().open("a key")], sourceLocation: sourceLocation)
      let fault = outcome.faults.first ?? outcome.refusal ?? "none"
      #expect(
        reasons.contains { fault.contains($0) }, "\(fault)", sourceLocation: sourceLocation)
      #expect(fault.utf8.count < 5000, sourceLocation: sourceLocation)
    }

    private func answers(
      _ body: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let outcome = try HostileOutcome.of(body, head: head)
      #expect(outcome.faults == [], sourceLocation: sourceLocation)
      #expect(outcome.answers == [answer], sourceLocation: sourceLocation)
    }

    /// Lua puts such a value on the stack again and again, and executes no instruction meanwhile.
    @Test func `a value that calls itself is stopped when its time is over`() throws {
      WaxwingEngine.policy.limits.milliseconds = 20
      let itself = "local t = {} setmetatable(t, {__call = t}) "
      for body in [
        itself + "t()",
        itself + "pcall(t) pcall(t)",
        itself + "coroutine.wrap(function() t() end)()",
        itself + "for x in t do end",
        itself + "return setmetatable({}, {__add = t}) + 1",
        itself + "local x <close> = setmetatable({}, {__close = t})",
        itself + "xpcall(t, function(m) t() return m end)",
        "local a, b = {}, {} setmetatable(a, {__call = b}) setmetatable(b, {__call = a}) a()",
      ] {
        let outcome = try HostileOutcome.of(body)
        #expect(outcome.answers == [Cage().open("a key")], "\(body)")
        let fault = try #require(outcome.faults.first, "\(body)")
        #expect(fault.contains("the call has run for more than"), "\(body): \(fault)")
      }
    }

    @Test func `an endless loop is stopped`() throws {
      try stopped("while true do end", "instructions")
    }

    @Test func `so is one that catches its error`() throws {
      try stopped("while true do pcall(function() while true do end end) end", "instructions")
    }

    @Test func `so is one in a coroutine`() throws {
      try stopped("coroutine.wrap(function() while true do end end)()", "instructions")
    }

    @Test func `coroutines that loop are stopped once for all`() throws {
      try stopped(
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "instructions")
    }

    @Test func `a finalizer is refused`() throws {
      try stopped(
        "setmetatable({}, {__gc = function() while true do end end})", "cannot have `__gc`")
    }

    @Test func `so is one that comes again`() throws {
      try stopped(
        "local mt = {} mt.__gc = function(o) setmetatable(o, mt) end setmetatable({}, mt)",
        "cannot have `__gc`")
    }

    @Test func `a loop with a variable to be closed, which loops, is stopped`() throws {
      try stopped(
        "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
        "instructions")
    }

    @Test func `so are 180 of them`() throws {
      try stopped(
        "local function f(n) local x <close> = setmetatable({}, {__close = function() while true do end end}) if n > 0 then return (f(n - 1)) end while true do end end f(180)",
        "instructions")
    }

    @Test func `a coroutine that was stopped is not closed`() throws {
      try stopped(
        "local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end end) coroutine.resume(co) coroutine.close(co)",
        "instructions")
    }

    @Test func `a message is cut`() throws {
      try stopped("error(('x'):rep(2^20))", "xxxx")
    }

    @Test func `endless recursion is a fault`() throws {
      try stopped(
        "local function f() return 1 + f() end return f()", "stack overflow", "memory",
        "instructions")
    }

    @Test func `endless tail calls are stopped`() throws {
      try stopped("local function f() return f() end return f()", "instructions")
    }

    @Test func `gsub that calls itself is a fault`() throws {
      try stopped("local function f(s) return (s:gsub('x', f)) end return f('x')", "stack overflow")
    }

    @Test func `a comparison that sorts is a fault`() throws {
      try stopped(
        "local function c(a, b) table.sort({3, 2, 1}, c) return a < b end table.sort({2, 1}, c)",
        "stack overflow")
    }

    @Test func `an index function that indexes is a fault`() throws {
      try stopped(
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end return t.x",
        "stack overflow")
    }

    @Test func `coroutines in coroutines are a fault`() throws {
      try stopped("local function f() return coroutine.wrap(f)() end f()", "stack overflow")
    }

    @Test func `rep of too much is refused`() throws {
      try stopped("return ('x'):rep(2^33)", "string.rep makes at most 1048576 bytes")
    }

    @Test func `tables without end are a fault`() throws {
      try stopped("local t = {} while true do t = {t} end", "instructions", "memory")
    }

    @Test func `closures without end are a fault`() throws {
      try stopped(
        "local f while true do local g = f f = function() return g end end", "instructions",
        "memory")
    }

    @Test func `coroutines without end are a fault`() throws {
      try stopped(
        "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
        "instructions", "memory")
    }

    @Test func `arrays without end are a fault`() throws {
      try stopped("local t = {} while true do t[#t + 1] = 1 end", "instructions", "memory")
    }

    @Test func `a pattern that takes for ever is stopped`() throws {
      try stopped(
        "return ('a'):rep(28):find(('a?'):rep(28) .. ('a'):rep(28) .. 'b')", "instructions")
    }

    @Test func `so is an honest one`() throws {
      try stopped("return ('a'):rep(220000):match('.-b')", "instructions")
    }

    @Test func `so is trimming of many spaces`() throws {
      try stopped("return (('x' .. (' '):rep(50000) .. 'x'):gsub('%s+$', ''))", "instructions")
    }

    @Test func `gsub that makes too much is refused`() throws {
      try stopped(
        "return (('x'):rep(1e5):gsub('x', ('y'):rep(1e5)))", "string.gsub makes at most",
        "instructions")
    }

    @Test func `a format that is too wide is a fault`() throws {
      try stopped("return string.format('%9999999d', 1)", "invalid conversion")
    }

    @Test func `a format without arguments is a fault`() throws {
      try stopped("return string.format('%d')", "bad argument #2 to 'format'")
    }

    @Test func `unpacking too much is a fault`() throws {
      try stopped("return table.unpack({}, 1, 1e8)", "too many results")
    }

    @Test func `moving without end is stopped`() throws {
      try stopped(
        "return table.move(setmetatable({}, {__index = type, __newindex = type}), 1, math.maxinteger - 1, 1)",
        "instructions")
    }

    @Test func `so is inserting`() throws {
      try stopped(
        "table.insert(setmetatable({}, {__len = function() return 2^53 | 0 end, __index = type, __newindex = type}), 1, 0)",
        "instructions")
    }

    @Test func `an order that is none is a fault`() throws {
      try stopped(
        "local t = {} for i = 1, 1000 do t[i] = i % 7 end table.sort(t, function() return true end)",
        "invalid order function")
    }

    @Test func `functions have no bytes`() throws {
      try stopped("return string.dump(function() end)", "attempt to call a nil value")
    }

    @Test func `there is no debug library`() throws {
      try stopped("return debug.sethook()", "undefined variable `debug`")
    }

    @Test func `nobody gets at what strings do`() throws {
      try stopped("getmetatable('').__index = nil", "attempt to index a boolean")
    }

    @Test func `there is no os library`() throws {
      try stopped("os.exit(3, true)", "undefined variable `os`")
    }

    @Test func `there is no io library`() throws {
      try stopped("return io.open('/etc/passwd')", "undefined variable `io`")
    }

    @Test func `what is loaded is not there`() throws {
      try stopped("return package.loaded", "undefined variable `package`")
    }

    @Test func `the collector is the engine's`() throws {
      try stopped("collectgarbage('stop')", "undefined variable `collectgarbage`")
    }

    @Test func `an override does not yield`() throws {
      try stopped("coroutine.yield()", "outside a coroutine")
    }

    @Test func `nobody warns`() throws {
      try stopped("warn('x')", "undefined variable `warn`")
    }

    @Test func `text that is no UTF-8 is a fault`() throws {
      try stopped("for _ in utf8.codes('\\xff') do end", "invalid UTF-8 code")
    }

    @Test func `a table that changes under pairs is a fault`() throws {
      try stopped(
        "local t = {1, 2, 3, a = 1, b = 2} for k in pairs(t) do t[k] = nil t[k .. 'z'] = 1 end return 'x'",
        "invalid key to 'next'", "instructions")
    }

    @Test func `a concatenation that loops is stopped`() throws {
      try stopped(
        "return setmetatable({}, {__concat = function() while true do end end}) .. 'x'",
        "instructions")
    }

    @Test func `a length that loops is stopped`() throws {
      try stopped(
        "return #setmetatable({}, {__len = function() while true do end end})", "instructions")
    }

    @Test func `a comparison that loops is stopped`() throws {
      try stopped(
        "local mt = {__eq = function() while true do end end} return setmetatable({}, mt) == setmetatable({}, mt)",
        "instructions")
    }

    @Test func `upper case again and again is stopped`() throws {
      try stopped("local s = ('x'):rep(2^20) while true do s:upper() end", "instructions")
    }

    /// Each is an instruction, or a call of a function, that takes up to 10 ms.
    @Test(arguments: [
      "local b = ('\\0'):rep(2^20 - 1) .. 'b' local a = ('\\0'):rep(2^20) while true do local x = a < b end",
      "while true do local x = s + 0 end",
      "while true do local x = math.floor(s) end",
      "while true do s:sub(s) end",
      "while true do local x = s .. s .. s .. s .. s .. s .. s .. s end",
      "while true do pcall(function() for i = s, 1 do end end) end",
      "local t = {} for i = 1, 500000 do t[i] = i end for i = 1, 500000 do t[i] = nil end while true do next(t) end",
    ])
    func `what one instruction does to a long string is stopped in time`(loop: String) throws {
      let cage = Cage()
      WaxwingEngine.policy.limits.instructions = 100_000_000
      defer { WaxwingEngine.policy = Policy() }
      try withPatch(
        """
        local C = class "Bank.Cage"
        function C:open(key)
          local s = ('0'):rep(2^20 - 1) .. '1'
          \(loop)
        end
        """, isPatient: false
      ) {
        let before = clock()
        _ = cage.open("key")
        // Microseconds of the process's own time, where the limit is 20 ms and a thousand comparisons
        // would take two seconds.
        #expect(clock() - before < 1_000_000)
        #expect(faults().count == 1 && expectedFault().contains("`limits.milliseconds`"))
      }
    }

    @Test func `a type's name in a message is cut`() throws {
      try stopped(
        "return setmetatable({}, {__name = ('n'):rep(2^20)}) + 1", "attempt to perform arithmetic")
    }

    @Test func `coroutines that close one another end`() throws {
      try answers(
        "local co = false for i = 1, 2000 do local p = co co = coroutine.create(function() local c <close> = setmetatable({}, {__close = function() if p then coroutine.close(p) end end}) coroutine.yield() end) assert(coroutine.resume(co)) end return tostring((coroutine.close(co)))",
        "true")
    }

    @Test func `nothing, repeated, is nothing`() throws {
      try answers("return 'x' .. (''):rep(math.maxinteger)", "x")
    }

    @Test func `plain text is found in linear time`() throws {
      try answers(
        "local s = ('a'):rep(2^20) return tostring(s:find(('a'):rep(2^19) .. 'b', 1, true))", "nil")
    }

    @Test func `a comparison may change its table`() throws {
      try answers(
        "local t = {} for i = 1, 100 do t[i] = 100 - i end pcall(table.sort, t, function(a, b) t[1] = nil return (a or 0) < (b or 0) end) return 'x'",
        "x")
    }

    @Test func `the engine does without a script's globals`() throws {
      try answers(
        "local keep, all = tostring, _G for k in pairs(all) do all[k] = nil end return keep(42)",
        "42")
    }

    @Test func `integers wrap, and divide as they do`() throws {
      try answers(
        "return tostring(math.mininteger // -1 == math.mininteger) .. tostring(1 // 0.0)", "trueinf"
      )
    }

    @Test func `xpcall far down works`() throws {
      try answers(
        "local function f(n) if n == 0 then error('x', 0) end return f(n - 1) + 1 end local _, m = xpcall(f, function(m) return m .. '!' end, 5000) return m",
        "x!")
    }

    @Test func `of an error that is no text its type is told`() throws {
      try stopped("error(nil)", "nil")
      try stopped("error({})", "table")
      try stopped(
        "error(setmetatable({}, {__tostring = function() while true do end end}))", "table")
    }
  }
}
