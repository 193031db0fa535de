// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What Lua waits for in an override of an async function.
  @Suite struct WaitingTests {
    private let waits = AsyncWaits()

    /// The answer of `AsyncWaits.ready(n)` with this as the body of its override.
    private func answer(_ body: String, _ number: Int = 3) async throws -> Int {
      var result = 0
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        function W:ready(n)
        \(body)
        end
        """
      ) {
        result = await waits.ready(number)
        expectEqual(faults(), [])
      }
      return result
    }

    @Test func `an async function is called, a sync one too, and the thread is left meanwhile`()
      async throws
    {
      try await expectEqual(
        answer("local a = self:rest(5); self:note('x'); return a + self:yields(2)"), 7)
      expectEqual(waits.notes, ["x"])
    }

    @Test func `sleep waits`() async throws {
      try await expectEqual(answer("sleep(0.01); return self:ORIGready(n)"), 4)
    }

    @Test func `all runs functions at once and gives their results in order`() async throws {
      try await expectEqual(
        answer(
          """
          local a, b, c = all{
            function() return self:rest(20) end,
            function() sleep(0.001); return 1 end,
            function() return self:ORIGready(n) end }
          return a * 100 + b * 10 + c
          """), 2014)
    }

    @Test func `the first of a race wins, and the others are cancelled`() async throws {
      try await expectEqual(
        answer(
          """
          return race{
            function() self:rest(60000); return 1 end,
            function() sleep(0.005); return 2 end }
          """), 2)
    }

    @Test func `a timeout ends what takes too long`() async throws {
      try await expectEqual(
        answer(
          """
          local ok, err = pcall(timeout, 0.01, function() return self:rest(60000) end)
          assert(not ok and tostring(err):find("timed out after 0.01 s"), err)
          return timeout(60, function() return self:rest(3) end)
          """), 3)
    }

    @Test func `a task runs beside its caller and can be waited for and cancelled`() async throws {
      try await expectEqual(
        answer(
          """
          local t = task(function(a, b) sleep(0.001); return a, b end, 4, 5)
          local u = task(function() sleep(60) end)
          assert(u:cancel())
          local ok, err = pcall(u.wait, u)
          assert(not ok and tostring(err):find("CancellationError"), err)
          local a, b = t:wait()
          assert(t.finished and u.cancelled)
          return a * 10 + b
          """), 45)
    }

    @Test func `after, main and global begin tasks`() async throws {
      try await expectEqual(
        answer(
          """
          local x = 0
          local t = after(0.002, function() x = x + 1 end)
          local g = global(function() x = x + 10 end)
          t:wait() g:wait()
          return x
          """), 11)
    }

    @Test func `an asynchronous sequence is read with each`() async throws {
      try await expectEqual(
        answer(
          """
          local sum = 0
          for x in each(class("Bank.AsyncCountdown")(n)) do sum = sum + x end
          for r in each(class("Bank.AsyncRecords")(2)) do sum = sum + 100 * r.a end
          local ok, err = pcall(function()
            for line in each(class("Bank.AsyncFlaky")(3)) do sum = sum + 1000 end
          end)
          assert(not ok and err.value.case == "insufficient", tostring(err))
          return sum
          """), 2306)
    }

    @Test func `an element that is nil does not end the loop`() async throws {
      let body = """
        local text = ""
        for x in each(class("Bank.AsyncSource").gaps(5)) do
          text = text .. (x == null and "-" or x)
        end
        return text == "0-2-4" and 1 or error(text)
        """
      try await expectEqual(answer(body), 1)
    }

    @Test func `a callback of Swift's is waited for`() async throws {
      try await expectEqual(
        answer(
          """
          local C = class("Bank.AsyncCallbacks")()
          local now = continuation(function(resume) C:fetch(function(x) resume(x) end) end)
          local later = continuation(function(resume)
            C:fetchLater(3, function(x) resume(x) end)
          end)
          return now * 10 + later
          """), 73)
    }

    @Test func `a coroutine of the script's own can wait`() async throws {
      try await expectEqual(
        answer(
          """
          local next = coroutine.wrap(function(a)
            local b = self:rest(1)
            local c = coroutine.yield(a + b)
            return self:rest(c)
          end)
          return next(10) * 10 + next(4)
          """), 114)
    }

    @Test func `where nothing can wait, that is an error that says so`() async throws {
      try await withAsyncPatch(
        """
        local V = class "Bank.AsyncCallbacks"
        function V:never(f)
          local ok, err = pcall(function() return class("Bank.AsyncWaits")():ready(1) end)
          assert(not ok and err:find("async") and err:find("task%(function"), err)
          ok, err = pcall(sleep, 1)
          assert(not ok and err:find("task%(function"), err)
        end
        local W = class "Bank.AsyncWaits"
        function W:ready(n)
          local ok, err = pcall(function()
            table.sort({3, 1, 2}, function(a, b) self:rest(1); return a < b end)
          end)
          assert(not ok and err:find("task%(function"), err)
          return n
        end
        """
      ) {
        AsyncCallbacks().never { _ in }
        await expectEqual(waits.ready(7), 7)
        expectEqual(faults(), [])
      }
    }
  }
}
