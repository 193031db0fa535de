// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingScripting

@testable import Waxwing

extension EngineSuite {
  /// What the engine's own scripts say of calls, and how it is read.
  @Suite struct ScriptAnswerTests {
    private var operations: Operations { Operations.shared }

    /// What once ended the parts of a call, and what ends a string of C's.
    private static let text = "a\u{1e}b\u{1f}c\0d\n"
    /// On one line.
    private static let shown = "5, \"a b c d \""

    private func begin() throws -> TraceReport {
      try operations.traces.begin(TraceRequest(pattern: "Bank.Account.deposit"), by: .program)
    }

    @Test func `a trace shows calls whatever characters their arguments have`() throws {
      let report = try begin()
      defer { _ = try? WaxwingEngine.restore() }
      for _ in 0..<3 { expectEqual(Account(owner: "A\u{1f}").deposit(5, memo: Self.text), 5) }
      let calls = try operations.traces.batch(of: report.name).calls
      expectEqual(calls.map(\.arguments), Array(repeating: Self.shown, count: 3))
      expectEqual(calls.map(\.outcome), ["5", "5", "5"])
      #expect(calls.allSatisfy { $0.succeeded && $0.level == 1 && $0.point == 1 })
      #expect(calls.allSatisfy { $0.cost > 0 && $0.began > 1.7e9 && $0.callers == nil })
      try expectLoudProblems(report)
    }

    /// An answer that cannot be read is an error in the log.
    private func expectLoudProblems(_ report: TraceReport) throws {
      func problem(
        _ read: @escaping @Sendable (ScriptTable) throws -> Void
      ) throws -> String {
        _ = Account(owner: "Ada").deposit(5, memo: "m")
        let error = try #require(throws: WaxwingError.self) {
          try operations.watches.ask(report.name, .calls, [], read)
        }
        expectEqual(error.code, WaxwingError.Code.unavailable)
        let last = operations.engine.log.recent.events(after: nil, most: 1).events.last?.event
        expectEqual(last?.event, "answer.malformed")
        expectEqual(last?.message, error.message)
        let start = "\(report.name) answers `calls` with what cannot be read: "
        #expect(error.message.hasPrefix(start))
        return String(error.message.dropFirst(start.count))
      }
      let missing = try problem { _ = try $0.integer("lost") }
      expectEqual(missing, "`lost` is missing, which is an integer")
      let text = try problem { _ = try $0.text("dropped") }
      expectEqual(text, "`dropped` is an integer, not a string")
      let inside = try problem {
        _ = try $0.tables("calls") { try $0.boolean("arguments") }
      }
      expectEqual(inside, "`calls[1].arguments` is a string, not true or false")
      let sequence = try problem { _ = try $0.integers("calls") }
      expectEqual(sequence, "`calls[1]` is a table, not an integer")
      let refused = try #require(throws: WaxwingError.self) {
        try operations.watches.ask(report.name, .objects) { _ in }
      }
      expectEqual(refused.message, "it answers no `objects`")
    }

    @Test func `a record keeps calls whatever characters their arguments have`() throws {
      _ = try operations.records.begin(
        RecordRequest(pattern: "Bank.Account.deposit"), by: .program)
      defer { _ = try? WaxwingEngine.restore() }
      let account = Account(owner: "Ada")
      expectEqual(account.deposit(5, memo: Self.text), 5)
      let kept = try operations.records.answer(.calls(after: 0))
      expectEqual(kept.calls.map(\.arguments), [Self.shown])
      expectEqual(kept.calls.map(\.number), [1])
      let again = try operations.records.replay(1, nil, by: .program)
      expectEqual(again.outcome.text, "10")
      expectEqual(again.call.outcome.text, "5")
    }
  }
}
