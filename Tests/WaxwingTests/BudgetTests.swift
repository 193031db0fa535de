// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `limits.instructions`: what one call may run.
  @Suite struct BudgetTests {
    private let head = "patch { name = 'test', limits = { instructions = 100000 } }\n"

    @Test(arguments: [
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      "coroutine.wrap(function() while true do end end)()",
      "local function f() return f() end f()",
    ])
    func `an endless override is ended, and the original answers`(body: String)
      throws
    {
      let account = Account(id: 1, owner: "Ada")
      let original = account.describe()
      try withPatch(
        head + "local A = class 'Bank.Account'\nfunction A:describe() \(body) return 'x' end"
      ) {
        expectEqual(account.describe(), original)
        expectEqual(account.describe(), original)
        let messages = faults()
        #expect(messages.count == 1 && messages[0].contains("more than 100000 instructions"))
      }
    }

    @Test func `each call has its own budget`() throws {
      let account = Account(id: 1, owner: "Ada")
      try withPatch(
        head
          + """
          local A = class "Bank.Account"
          function A:describe() for i = 1, 30000 do end return "done" end
          """
      ) {
        for _ in 0..<10 { expectEqual(account.describe(), "done") }
        expectEqual(faults(), [])
      }
    }

    @Test func `all turns of a call that waits count, and waiting does not`() async throws {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        head
          + """
          local W = class "Bank.AsyncWaits"
          function W:ready(n)
            for i = 1, 40 do
              for j = 1, n do end
              sleep(0.001)
            end
            return -1
          end
          """
      ) {
        await expectEqual(waits.ready(10), -1)
        expectEqual(faults(), [])
        await expectEqual(waits.ready(5000), 5001)
        let messages = faults()
        #expect(messages.count == 1 && messages[0].contains("more than 100000 instructions"))
      }
    }
  }
}
