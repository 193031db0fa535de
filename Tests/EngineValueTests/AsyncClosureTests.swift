// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Async closures, both ways.
  @Suite struct AsyncClosureTests {
    private let closures = AsyncClosures()

    @Test func `Lua waits for closures of Swift's`() async throws {
      try await withAsyncPatch(
        """
        local C = class "Bank.AsyncClosures"
        function C:waits(n, body) return body(n) + body(n + 1) end
        function C:tells(n, body)
          local ok, err = pcall(body, n)
          return ok and "got " .. err or "Lua caught " .. err.value.case
        end
        function C:talks(body) return self:ORIGtalks(body) .. self:ORIGtalks(body) end
        function C:calls(n, body) sleep(0.001); return body(n) end
        function C:maps(value, body) return body(value) end
        function C:measures(body) return self:ORIGmeasures(body) + 1 end
        """
      ) {
        let waited = await closures.waits(1) { number in
          await Task.yield()
          return number * 10
        }
        expectEqual(waited, 30)
        let told = await closures.tells(1) { "\($0)" }
        expectEqual(told, "got 1")
        let caught = await closures.tells(-1) { throw BankError.insufficient($0) }
        expectEqual(caught, "Lua caught insufficient")
        let talked = await closures.talks { text, parcel in
          await Task.yield()
          return "\(text)\(parcel.number)"
        }
        expectEqual(talked, "hello7!hello7!")
        await expectEqual(closures.calls(4) { $0 * 2 }, 8)
        await expectEqual(closures.maps("a") { $0 + "b" }, "ab")
        let measured = try await closures.measures { record in
          await Task.yield()
          return WideRecord(record.a * 2)
        }
        expectEqual(measured, 21)
        expectEqual(faults(), [])
      }
    }

    @Test func `Swift waits for functions of Lua's`() async throws {
      let before = AsyncParcel.census.alive
      try await withAsyncPatch(
        """
        local C = class "Bank.AsyncClosures"
        local W = class "Bank.AsyncWaits"
        function C:run(n)
          local waits = W()
          local sum = self:waits(n, function(x) return waits:rest(x) * 10 end)
          sum = sum + self:repeats(3, function(x) sleep(0.001); return x end)
          sum = sum + self:spreads(20, function(x) return waits:yields(x % 3) end)
          assert(self:tells(1, function(x) waits:rest(1); return "text " .. x end) == "text 1")
          assert(self:tells(1, function(x) waits:rest(1); error("no luck") end):find("no luck"))
          assert(self:talks(function(text, parcel)
            return text .. parcel:weighed()
          end) == "hello7!")
          assert(self:measures(function(record) waits:rest(1); return record end) == 10)
          assert(self:adder(5)(2) == 7)
          assert(self:failing()(3) == 3 and not pcall(self:failing(), -3))
          return sum
        end
        """
      ) {
        await expectEqual(closures.run(2), 21 + 3 + 19)
        expectEqual(faults(), [])
      }
      expectEqual(AsyncParcel.census.alive, before)
    }

    @Test func `an async closure cannot be waited for in an override that cannot wait`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:typedAsync(body)
          local ok, err = pcall(body)
          assert(not ok and err:find("async") and err:find("task%(function"), err)
          return self:ORIGtypedAsync(body) + 1
        end
        """
      ) {
        expectEqual(Closures().typedAsync { 7 }, 2)
        expectEqual(faults(), [])
      }
    }

    @Test func `a closure that Swift keeps answers after the patch has ended`() async throws {
      try await withAsyncPatch(
        """
        local C = class "Bank.AsyncClosures"
        function C:calls(n, body)
          self:keep(function(x) sleep(0.001); return x + 100 end)
          return 0
        end
        """
      ) {
        await expectEqual(closures.calls(1) { $0 }, 0)
        await expectEqual(closures.run(1), 101)
      }
      await expectEqual(closures.run(1), 0)
      closures.forget()
    }
  }
}
