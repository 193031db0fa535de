// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

/// Says its name when it dies.
private final class Witness: Mayfly {
  let log: LogLines
  init(_ name: String, _ log: LogLines) {
    self.log = log
    super.init(name: name)
  }
  deinit { log.add(name) }
}

extension EngineSuite {
  /// What dies with the call that saw it, as it would without the patch: nobody collects garbage here.
  @Suite struct LifetimeCallTests {
    /// Runs `body` under a patch of `Bank.Mayfly`, with no collector that works on its own.
    private func under(_ patch: String, _ body: () throws -> Void) throws {
      let old = WaxwingEngine.policy
      WaxwingEngine.policy.limits.idleMilliseconds = 0
      defer { WaxwingEngine.policy = old }
      try withPatch("local M = class 'Bank.Mayfly'\n" + patch) {
        try body()
        expectEqual(faults(), [])
      }
    }

    static let passing = [
      "return original(self)",
      "return self:ORIGrest()",
      "local n = self:ORIGrest() return n",
      "local n = original(self) if n < 0 then return 0 end return n",
      "for i = 1, 3 do original(self) end return original(self)",
      "local name = self.name return original(self)",
      "if self.other then return 1 end return original(self)",
      "return self.ORIGrest(self)",
      "return self['ORIGrest'](self)",
      "local f = self.ORIGrest return f(self)",
      "local ok, n = pcall(self.ORIGrest, self) if not ok then error(n, 0) end return n",
      "local _, n = pcall(original, self) return n",
      "return select(2, assert(pcall(self.ORIGrest, self)))",
      "n = n + 1 return original(self)",
      "local r = self:ORIGrest() n = n * 2 + 1 return r",
      "n, m = n + 1, n return self.ORIGrest(self)",
      "local key = 'ORIGrest' return self[key](self)",
      "return self[key](self)",
      "return self['ORIG' .. short](self)",
      "return self[keys.rest](self)",
      "return M.ORIGrest(self)",
      "return type.ORIGrest(self)",
      "m = (m or 0) + 1 return original(self)",
      "calls.n = calls.n + 1 return original(self)",
      "calls.m = (calls.m or 0) + 1 local r = original(self) calls.m = calls.m - 1 return r",
      "stats.by.rest = (stats.by.rest or 0) + 1 return self:ORIGrest()",
      "list[1] = list[1] + 1 return original(self)",
      "count = count + 1 last = 'rest' return original(self)",
      "count = (count or 0) + 1 totals.n = totals.n + 1 return original(self)",
      "if n > 3 then return self:ORIGrest() else return original(self) end",
      "local o = self.ORIGrest if calls.n > 3 then return o(self) end return o(self)",
      "local key if n > 3 then key = 'ORIGrest' else key = keys.rest end return self[key](self)",
      "local o = n > 3 and self.ORIGrest or original return o(self)",
      "local i = 0 while i < 3 do i = i + 1 calls.n = calls.n + i end return original(self)",
      "::again:: if n < 0 then n = 0 goto again end return original(self)",
      "for i = 1, 3 do n = n + i end return original(self)",
      "return original(self, ...)",
      "local t = { ... } return original(self, table.unpack(t))",
      "local t = table.pack(self, ...) return self.ORIGrest(table.unpack(t, 1, t.n))",
      "local t = { pcall(original, self) } return table.unpack(t, 2)",
      "local t = { of = self } t.n = t.of:ORIGrest() return t.n",
      "log.debug('rest ' .. n) return original(self)",
      "log.debug(tostring(self)) return original(self)",
      "m = string.upper('rest') .. string.format('%d', n) return original(self)",
      "n = math.max(n, clock()) return original(self)",
    ]

    /// Variables that the functions may read and write.
    private static let around = """
      count, totals, last = 0, { n = 0 }, ""
      local n, m = 0
      local key, short, keys, type = "ORIGrest", "rest", { rest = "ORIGrest" }, M
      local calls, stats, list = { n = 0 }, { by = {} }, { 0 }

      """

    @Test(arguments: passing)
    func `what a function cannot keep dies with its call`(body: String) throws {
      let log = LogLines()
      try under("\(Self.around) function M:rest(...) \(body) end") {
        for number in 0..<50 {
          _ = Witness("\(number)", log).rest()
          expectEqual(log.all.count, number + 1)
        }
      }
    }

    static let keeping = [
      "n = self return original(self)",
      "calls.n = self return original(self)",
      "calls.n = n > 3 and n or self return original(self)",
      "stats.by.rest = self.other or self return original(self)",
      "count = self return original(self)",
      "totals.last = { self } return original(self)",
      "list[1] = self return original(self)",
      "local t = { self } list[1] = t return original(self)",
      "local t = table.pack(self) calls.n = t return original(self)",
      "local set = rawset set(calls, 'n', self) return original(self)",
      "keys.ORIGkeep(self) return original(self)",
      "local t = {} t.ORIGkeep = keys.ORIGkeep if n > 3 then t = self end t.ORIGkeep(self) return original(self)",
      "for _, m in ipairs({ self }) do kept = m end return original(self)",
      "local t <close> = setmetatable({}, { __close = function() kept = self end }) return original(self)",
      "n = n + 1 m = self return original(self)",
      "n = self.other or self return original(self)",
      "pcall(rawset, list, 1, self) return original(self)",
      "local pcall = rawset pcall(list, self.ORIGrest, self) return original(self)",
      "kept = self return original(self)",
      "local k = self keep = function() return k end return original(self)",
      "table.insert(list, self) return original(self)",
      "list[#list + 1] = self return original(self)",
      "list[self] = true return original(self)",
      "local t = setmetatable({}, { __index = function(_, m) kept = m end }) local _ = t[self] "
        + "return original(self)",
      "other = { self } return original(self)",
      "up = coroutine.wrap(function(m) coroutine.yield() return m end) up(self) return original(self)",
    ]

    @Test(arguments: keeping)
    func `what a function keeps stays`(body: String) throws {
      let log = LogLines()
      let around = "\(Self.around) list = {} keys.ORIGkeep = function(m) kept = m end"
      try under("\(around) function M:rest() \(body) end") {
        _ = Witness("kept", log).rest()
        expectEqual(log.all, [])
      }
      expectEqual(log.all, ["kept"])
    }

    @Test func `a variable that counts may have something else later`() throws {
      let log = LogLines()
      try under(
        """
        local n, calls = 0, 0
        local sum = { __add = function(t) t[1] = known.other return t end }
        function M:rest() n = n + 1 return original(self) end
        function M:meet(other) known = self n = setmetatable({}, sum) return original(self, other) end
        function M:same(other) return n[1] and n[1].name == "other" and n[1] or original(self, other) end
        """
      ) {
        let first = Witness("first", log)
        expectEqual(first.rest(), first.rest())
        first.other = Witness("other", log)
        _ = first.meet(first)
        _ = first.rest()
        expectEqual(first.same(first)?.name, "other")
        first.other = nil
        expectEqual(log.all, [])
      }
    }

    @Test func `a table that counts may get a metatable later`() throws {
      let log = LogLines()
      try under(
        """
        local calls = { n = 0 }
        function M:rest() calls.n = (calls.n or 0) + 1 return original(self) end
        function M:meet(other)
          known = self
          calls = setmetatable({}, { __index = function() kept = known.other return 0 end })
          return original(self, other)
        end
        function M:same(other) return kept end
        """
      ) {
        let first = Witness("first", log)
        expectEqual(first.rest(), first.rest())
        first.other = Witness("other", log)
        _ = first.meet(first)
        _ = first.rest()
        first.other = nil
        expectEqual(log.all, [])
        expectEqual(first.same(first)?.name, "other")
      }
    }

    @Test func `deinitializers run in the order that they have without the patch`() throws {
      func program() -> [String] {
        let log = LogLines()
        func outer(_ name: String) -> Mayfly? {
          let first = Witness(name + " first", log)
          let second = Witness(name + " second", log)
          _ = first.rest()
          _ = first.meet(Witness(name + " met", log))
          log.add("met")
          first.other = Witness(name + " other", log)
          let same = first.same(second)
          first.other = nil
          log.add("other is gone")
          return same
        }
        for name in ["a", "b"] {
          let result = outer(name)
          log.add("result \(result?.name ?? "none")")
          _ = result?.rest()
        }
        log.add("end")
        return log.all
      }
      let expected = program()
      try under(
        """
        function M:rest() return original(self) end
        function M:meet(other) return original(self, other) end
        function M:same(other) return original(self, other) end
        """
      ) {
        expectEqual(program(), expected)
      }
    }

    @Test func `what another override has kept outlives the call that keeps nothing`() throws {
      let log = LogLines()
      let keeper = Keeper()
      try under(
        """
        local K = class "Bank.Keeper"
        function M:same(other) return original(self, other) end
        function M:rest() kept = self return original(self) end
        function K:ask() return kept.name end
        """
      ) {
        final class Resting: Mayfly {
          override func same(_ other: Mayfly?) -> Mayfly? {
            _ = rest()
            return super.same(other)
          }
        }
        func once() {
          let witness = Witness("kept by another", log)
          _ = witness.rest()
          _ = witness.same(witness)
        }
        once()
        expectEqual(log.all, [])
        expectEqual(keeper.ask(), "kept by another")
      }
      expectEqual(log.all, ["kept by another"])
    }

    @Test func `what a property's Lua code gets from a function that keeps nothing stays`() throws {
      let log = LogLines()
      let keeper = Keeper()
      try under(
        """
        list = {}
        local K = class "Bank.Keeper"
        function K:ask()
          local names = {}
          for i, m in ipairs(list) do names[i] = m.name end
          return table.concat(names, " ")
        end
        M:field("seen", function(m) list[#list + 1] = m return 0 end)
        function M:rest() return self.seen end
        """
      ) {
        for name in ["a", "b", "c"] { _ = Witness(name, log).rest() }
        expectEqual(keeper.ask(), "a b c")
        expectEqual(log.all, [])
      }
      expectEqual(log.all.sorted(), ["a", "b", "c"])
    }

    @Test func `values, arrays, closures and errors that hold objects die with the call`() throws {
      let alive = Census.accounts.alive
      try under(
        """
        local V = class "Bank.Values"
        function V:objects(list) return original(self, list) end
        function V:optionalObject(object) return original(self, object) end
        local K = class "Bank.ClosureKeeper"
        function K:keep(closure) return original(self, closure) end
        """
      ) {
        let values = Values()
        for _ in 0..<20 {
          _ = values.objects([Account(owner: "one"), Account(owner: "two")])
          expectEqual(Census.accounts.alive, alive)
          _ = values.optionalObject(Account(owner: "three"))
          expectEqual(Census.accounts.alive, alive)
          let account = Account(owner: "four")
          let keeper = ClosureKeeper()
          keeper.keep { account.id + $0 }
          _ = keeper.call(1)
        }
        expectEqual(Census.accounts.alive, alive)
      }
    }

    @Test func `objects that several threads share are there for each of them`() throws {
      let log = LogLines()
      try under(
        """
        function M:rest() return original(self) end
        function M:meet(other) seen = other return original(self, other) end
        """
      ) {
        let shared = Witness("shared", log)
        let isolated = Unchecked(shared)
        onThreads(4) { _ in
          for _ in 0..<2000 {
            _ = isolated.value.rest()
            _ = isolated.value.meet(isolated.value)
          }
        }
        expectEqual(log.all, [])
      }
    }

    @Test func `what several threads see at once dies with the last of their calls`() throws {
      let log = LogLines()
      try under("function M:rest() return original(self) end") {
        for number in 0..<200 {
          let shared = Unchecked(Witness("\(number)", log))
          onThreads(4) { _ in
            for _ in 0..<20 { _ = shared.value.rest() }
          }
        }
        #expect(log.all == (0..<200).map(String.init))
      }
    }

    @Test func `what a call that waits and calls inside it see dies with the last of them`()
      async throws
    {
      let log = LogLines()
      let old = WaxwingEngine.policy
      WaxwingEngine.policy.limits.idleMilliseconds = 0
      defer { WaxwingEngine.policy = old }
      let session = try WaxwingEngine.start(
        text: """
          local M = class "Bank.Mayfly"
          function M:rest() return original(self) end
          function M:doze(count) return original(self, count) end
          """, name: "doze")
      for number in 0..<100 {
        let shared = Unchecked(Witness("\(number)", log))
        let asleep = Task { await shared.value.doze(3) }
        _ = await (shared.value.doze(2), asleep.value)
      }
      // A task may hold what it has captured for a moment longer.
      await expectEventually(Set(log.all), Set((0..<100).map(String.init)))
      expectEqual(faults(), [])
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    @Test func `what a call that waits has seen is left to who keeps it`() async throws {
      let log = LogLines()
      let session = try WaxwingEngine.start(
        text: """
          local M = class "Bank.Mayfly"
          local kept
          function M:rest() kept = self return original(self) end
          function M:doze(count) return original(self, count) end
          function M:meet(other) return kept.name end
          """, name: "doze")
      let mayfly = Witness("kept", log)
      await expectEqual(mayfly.doze(3), 3 * mayfly.number)
      expectEqual(mayfly.meet(mayfly), "kept")
      expectEqual(faults(), [])
      #expect(try WaxwingEngine.end(session).isComplete)
    }
  }
}

private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
