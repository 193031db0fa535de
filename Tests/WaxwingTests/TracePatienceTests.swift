// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Glibc
import Testing
import WaxwingControl
import WaxwingCore
import WaxwingOperations

@testable import Waxwing

extension EngineSuite {
  /// Traces, from inside of the program.
  @Suite struct TracePatienceTests {
    private var traces: Traces { Operations.shared.traces }

    private func begin(_ pattern: String, patience: Double = 60) throws -> TraceReport {
      var request = TraceRequest(pattern: pattern)
      request.patience = patience
      return try traces.begin(request, by: .program)
    }

    @Test func `a trace that nobody asks for its calls ends by itself`() throws {
      let report = try begin("Bank.Account.deposit", patience: 0.2)
      expectEqual(patches().map(\.name), [report.name])
      expectEventually(patches().map(\.name), [])
      #expect(throws: WaxwingError.self) { try traces.batch(of: report.name) }
      let account = Account(owner: "Ada")
      expectEqual(account.deposit(5, memo: ""), 5)
    }

    @Test func `a trace lives as long as somebody asks, and for its patience after that`() throws {
      let report = try begin("Bank.Account.deposit", patience: 1)
      for _ in 0..<75 {
        letOthersRun(for: .milliseconds(20))
        _ = try traces.batch(of: report.name)
      }
      let asked = ContinuousClock.now
      expectEventually(patches().map(\.name), [])
      #expect(ContinuousClock.now - asked > .milliseconds(900))
    }

    @Test func `what a killed command watched ends within the 15 seconds that are promised`() {
      // Ending waits for nobody but calls that are in Lua code, and they go on without the patch.
      let patience = [
        TraceRequest(pattern: "").patience, ShadowRequest(patch: .init(files: [])).patience,
      ]
      #expect(patience.allSatisfy { $0 <= 13 })
    }

    @Test func `what is traced stays what it is, whatever its arguments and errors are`() throws {
      let report = try begin("Bank.Account.")
      defer { _ = try? WaxwingEngine.restore() }
      let account = Account(owner: "Ada")
      expectEqual(account.deposit(5, memo: ""), 5)
      #expect(throws: (any Error).self) { try Account(throwing: -1) }
      let calls = try traces.batch(of: report.name).calls
      func names(_ calls: [TracedCall]) -> [String] { calls.map { report.points[$0.point - 1] } }
      let deposit = try #require(
        calls.first { report.points[$0.point - 1] == "Bank.Account.deposit(_:memo:)" })
      #expect(deposit.arguments == #"5, """# && deposit.outcome == "5" && deposit.succeeded)
      #expect(names(calls.filter { !$0.succeeded }).contains("Bank.Account.init(throwing:)"))
      #expect(try traces.batch(of: report.name).calls.isEmpty)
    }
  }
}
