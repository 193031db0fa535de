// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Patches that do too much of what is allowed.
  @Suite struct FloodTests {
    /// How many lines a patch may log while the body runs: at first those of two seconds, then those of
    /// the time that the body takes. One more, whose share was there before.
    private static func linesPassed(perSecond: Int, while body: () -> Void) -> ClosedRange<Int> {
      let time = ContinuousClock().measure(body)
      return 2 * perSecond...2 * perSecond + Int(time / .seconds(1) * Double(perSecond)) + 1
    }

    @Test func `log lines beyond the rate are dropped and counted`() throws {
      let account = Account(id: 1, owner: "Ada")
      let lines = LogLines()
      WaxwingEngine.policy.limits.logLines = 10
      defer { WaxwingEngine.policy = Policy() }
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe() for i = 1, 1000 do log.info("line " .. i) end return "done" end
        function A.get:title() print("\\27[31m" .. ("x"):rep(100000)) return "title" end
        """
      ) {
        WaxwingEngine.setLogHandler { lines.add($0.line) }
        let passed = Self.linesPassed(perSecond: 10) { expectEqual(account.describe(), "done") }
        #expect(passed.contains(lines.all.count))
        letOthersRun(for: .milliseconds(250))
        expectEqual(account.title, "title")
        let last = Array(lines.all.suffix(2))
        #expect(last[0].contains("log.dropped") && last[0].contains("lines of the patch"))
        #expect(last[1].utf8.count < 4500 && !last[1].contains("\u{1b}"))
        #expect(last[1].contains("\\u{1b}[31m"))
      }
    }

    @Test func `so are errors of closures that nobody can catch`() throws {
      let gate = ClosureKeeper()
      let lines = LogLines()
      try withPatch(
        """
        local K = class "Bank.ClosureKeeper"
        function K:prepare() self:keep(function(n) return nil + n end) return 1 end
        """
      ) {
        expectEqual(gate.prepare(), 1)
        WaxwingEngine.setLogHandler { lines.add($0.event) }
        let passed = Self.linesPassed(perSecond: WaxwingEngine.policy.limits.logLines) {
          for n in 0..<1000 { _ = gate.call(n) }
        }
        WaxwingEngine.setLogHandler { _ in }
        #expect(passed.contains(lines.all.count { $0 == "closure.failed" }))
      }
    }

    @Test func `a patch with more overrides than the host allows is refused`() {
      WaxwingEngine.policy.limits.overrides = 2
      defer { WaxwingEngine.policy = Policy() }
      let message = refusal(
        """
        local A = class "Bank.Account"
        function A:describe() return "" end
        function A.get:title() return "" end
        local T = class "Bank.Thrower"
        function T:shrink(n) return n end
        """)
      expectEqual(message, "refused: the patch has 3 overrides; the host allows 2")
    }
  }
}
