// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import TortureFixture
import Waxwing
import WaxwingCore

extension EngineSuite {
  /// How long calls of overrides take. What the clock says is never compared with a number: that an original
  /// takes no longer than the override that calls it holds on any machine.
  @Suite struct TimesTests {
    private let account = Account(id: 1, owner: "Ada")

    /// Ends all measuring afterwards.
    private func measuring(_ patches: [String] = [], _ body: () throws -> Void) throws {
      try WaxwingEngine.measureTimes(of: patches)
      defer { _ = try? WaxwingEngine.measureTimes(false) }
      try body()
    }

    private func override(_ index: Int = 0) throws -> OverrideInfo {
      try #require(try WaxwingEngine.list().last).overrides[index]
    }

    private func expect(
      calls: Int, originals: Int, at location: SourceLocation = #_sourceLocation
    ) throws {
      let info = try override()
      let (times, inside) = (try #require(info.times), try #require(info.originalTimes))
      #expect(times.calls == calls && inside.calls == originals, sourceLocation: location)
      #expect(inside.total <= times.total, sourceLocation: location)
      for each in [times, inside] {
        #expect(each.p50 <= each.p99 && each.p99 <= each.longest, sourceLocation: location)
        #expect(each.longest <= each.total, sourceLocation: location)
        #expect((each.calls == 0) == (each.total == .zero), sourceLocation: location)
      }
    }

    private static let describing = """
      local A = class "Bank.Account"
      function A:describe() return "<" .. self:ORIGdescribe() .. self:ORIGdescribe() end
      """

    @Test func `nothing is measured unless it is asked for`() throws {
      try withPatch(Self.describing) {
        _ = account.describe()
        let info = try override()
        #expect(info.times == nil && info.originalTimes == nil)
        try expectEqual(WaxwingEngine.list().map(\.isMeasured), [false])
      }
    }

    @Test func `overrides and their originals are counted while it is on`() throws {
      try withPatch(Self.describing) {
        _ = account.describe()
        try measuring {
          for _ in 0..<3 { _ = account.describe() }
          try expect(calls: 3, originals: 6)
          try expectEqual(WaxwingEngine.list().map(\.isMeasured), [true])
        }
        _ = account.describe()
        try expect(calls: 3, originals: 6)
        try expectEqual(override().calls, 5)
        try measuring { _ = account.describe() }
        try expect(calls: 4, originals: 8)
        let step = try #require(try WaxwingEngine.explain("Bank.Account.describe").steps.first)
        #expect(step.times?.calls == 4 && step.originalTimes?.calls == 8)
      }
    }

    @Test func `patches that are applied later are measured, all or those of a name`() throws {
      try measuring {
        try withPatch(Self.describing, name: "later") {
          _ = account.describe()
          try expect(calls: 1, originals: 2)
        }
      }
      try WaxwingEngine.start(text: Self.describing, name: "named")
      try measuring(["named"]) {
        try WaxwingEngine.apply(
          texts: [(Self.describing + " -- another", "named"), (Self.describing, "other")])
        _ = account.describe()
        let infos = try WaxwingEngine.list().filter { $0.state == .active }
        expectEqual(infos.map(\.name), ["named", "other"])
        expectEqual(infos.map { $0.overrides[0].times?.calls }, [2, nil])
      }
      #expect(try WaxwingEngine.restore().isComplete)
    }

    @Test func `a patch that is not loaded cannot be measured`() {
      let error = #expect(throws: WaxwingError.self) {
        try WaxwingEngine.measureTimes(of: ["nobody"])
      }
      #expect(error?.code == .notFound && error?.message == "no patch named `nobody` is loaded")
    }

    @Test func `a call that fails counts, and one that is not the override's does not`() throws {
      try measuring {
        try withPatch(
          """
          local A = class "Bank.Account"
          function A:describe() error("no") end
          """
        ) {
          expectEqual(account.describe(), "account")
          try expect(calls: 1, originals: 0)
        }
        try withPatch(
          """
          local A = class "Bank.Account"
          A:instead("describe", function() return "mine" end, { thread = thread() })
          """
        ) {
          nonisolated(unsafe) let others = account
          onThreads(3) { _ in _ = others.describe() }
          expectEqual(account.describe(), "mine")
          try expect(calls: 1, originals: 0)
        }
      }
    }

    @Test func `stacked patches have times of their own`() throws {
      try measuring {
        try WaxwingEngine.start(text: Self.describing, name: "below")
        try WaxwingEngine.start(text: Self.describing, name: "above")
        _ = account.describe()
        let calls = try WaxwingEngine.list().map { $0.overrides[0].times?.calls }
        let originals = try WaxwingEngine.list().map { $0.overrides[0].originalTimes?.calls }
        #expect(calls == [2, 1] && originals == [4, 2])
        #expect(try WaxwingEngine.restore().isComplete)
      }
    }

    @Test func `async calls are measured with their waits, and so are their originals`()
      async throws
    {
      try await withAsyncPatch(
        """
        local Bank = module "Bank"
        function Bank.asyncFee(n)
          if n < 0 then error("no") end
          sleep(0.001)
          return Bank.ORIGasyncFee(n) + Bank.ORIGasyncFee(n * 2)
        end
        """
      ) {
        try WaxwingEngine.measureTimes()
        await expectEqual(asyncFee(500), 15)
        try expect(calls: 1, originals: 2)
        _ = await asyncFee(-1)
        try expect(calls: 2, originals: 2)
        try WaxwingEngine.measureTimes(false)
        await expectEqual(asyncFee(500), 15)
        try expect(calls: 2, originals: 2)
      }
    }

    @Test func `many threads count in a parallel patch, and none is lost`() throws {
      let subject = TortureSubject()
      try measuring {
        try withPatch(
          """
          patch { name = "wide", parallel = true }
          local S = class "TortureFixture.TortureSubject"
          function S:number(n) return self:ORIGnumber(n) end
          """
        ) {
          onThreads(8) { _ in for n in 0..<500 { _ = subject.number(n) } }
          try expect(calls: 4000, originals: 4000)
        }
      }
    }

    @Test func `metrics have what was measured as histograms`() throws {
      try measuring {
        try withPatch(Self.describing, name: "say") {
          for _ in 0..<5 { _ = account.describe() }
          let labels = ["patch": "say", "method": "Bank.Account.describe()"]
          for isOpen in [false, true] {
            let text = try PrometheusText(
              try WaxwingEngine.metrics(openMetrics: isOpen), openMetrics: isOpen)
            expectEqual(text.types["waxwing_override_seconds"], "histogram")
            expectEqual(text.value("waxwing_override_seconds_count", labels), 5)
            expectEqual(text.value("waxwing_original_seconds_count", labels), 10)
            let sum = try #require(text.value("waxwing_override_seconds_sum", labels))
            let inside = try #require(text.value("waxwing_original_seconds_sum", labels))
            #expect(0 < inside && inside <= sum)
            expectEqual(text.value("waxwing_measured", ["patch": "say"]), 1)
          }
        }
      }
    }
  }
}
