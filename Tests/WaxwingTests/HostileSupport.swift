// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

/// A patch that is called a thousand times a second on a thread of its own.
final class CanaryWatch: Sendable {
  private struct Record {
    var calls = 0
    var wrong = 0
    var isOver = false
  }

  private let record = Mutex(Record())

  /// Runs `body` meanwhile, and expects every call to have been answered by the patch.
  static func during(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws {
    WaxwingEngine.setLogHandler { _ in }
    let session = try WaxwingEngine.start(
      text: "local C = class 'Bank.Canary'\nfunction C:sing(n) return n + 1 end", name: "canary")
    let watch = CanaryWatch()
    let thread = StartedThread { watch.run() }
    defer {
      watch.record.withLock { $0.isOver = true }
      #expect(thread.join(), sourceLocation: sourceLocation)
      let seen = watch.record.withLock { $0 }
      #expect(seen.calls > 0 && seen.wrong == 0, sourceLocation: sourceLocation)
      _ = try? WaxwingEngine.end(session)
    }
    waitUntil("a call of the canary", seen: 0) { watch.record.withLock { $0.calls } > 0 }
    try body()
  }

  private func run() {
    let canary = Canary()
    while !record.withLock({ $0.isOver }) {
      let answer = canary.sing(41)
      record.withLock {
        $0.calls += 1
        if answer != 42 { $0.wrong += 1 }
      }
      letOthersRun()
    }
  }
}
