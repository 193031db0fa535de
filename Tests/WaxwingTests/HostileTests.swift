// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import HostileRig
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// The corpus, of which debug builds run a sample: every script ends, every call is answered, and so are others' calls.
  @Suite struct HostileTests {
    private let original = Cage().open("a key")

    /// With five times the time that calls have by default: enough to come to a limit of memory, too.
    private func call(_ name: String, _ body: String, stack: Int = 1 << 20) throws {
      WaxwingEngine.policy.limits.milliseconds = 100
      try CanaryWatch.during {
        let outcome = try HostileOutcome.of(body, calls: 3, stack: stack)
        if outcome.refusal != nil { return }
        #expect(outcome.answers.count == 3, "\(name)")
        if outcome.answers.contains(where: { $0 != original }) { return }
        #expect(!outcome.faults.isEmpty, "\(name) gave what the original gives")
      }
    }

    /// With a fifth of the limits that a host gives by itself: there are many scripts.
    private func load(_ name: String, _ text: String) throws {
      WaxwingEngine.policy.limits.loadInstructions = 2_000_000
      WaxwingEngine.policy.limits.loadMilliseconds = 100
      defer { WaxwingEngine.policy = Policy() }
      try CanaryWatch.during {
        do {
          try WaxwingEngine.end(WaxwingEngine.start(text: text, name: "hostile"))
        } catch let error as WaxwingError {
          #expect(!error.message.isEmpty, "\(name)")
        }
        #expect(patches().map(\.name) == ["canary"], "\(name)")
      }
    }

    @Test(arguments: try HostileScripts.sample())
    func `a hostile script as a patch ends, applied or refused`(name: String) throws {
      try load(name, HostileScripts.text(name))
    }

    @Test(arguments: try HostileScripts.sample())
    func `a hostile override answers, or the original does`(name: String) throws {
      try call(name, HostileScripts.text(name))
    }

    /// As threads of a pool may have it.
    @Test(
      arguments: try HostileScripts.sample().filter { $0.contains("stack") || $0.contains("co_") })
    func `a hostile override on a small stack answers, too`(name: String) throws {
      try call(name, HostileScripts.text(name), stack: 256 << 10)
    }

    @Test(arguments: HostileScripts.bombs.map(\.name))
    func `source that is hard to compile is refused or runs`(name: String) throws {
      let text = try #require(HostileScripts.bombs.first { $0.name == name }).text
      try load(name, text)
      try call(name, text)
    }
  }

  /// The same for overrides that wait, and tasks.
  @Suite struct HostileWaitingTests {
    /// Calls the override in a task, for a third of a second; what waits for ever is ended with the
    /// session.
    @Test(arguments: try HostileScripts.sample(in: "Async"))
    func `a hostile override that waits answers, or ends with its session`(
      name: String
    ) async throws {
      WaxwingEngine.setLogHandler { _ in }
      let body = try HostileScripts.text("Async/\(name)")
      let canary = try WaxwingEngine.start(
        text: "local C = class 'Bank.Canary'\nfunction C:sing(n) return n + 1 end", name: "canary")
      let session = try WaxwingEngine.start(
        text: "local W = class 'Bank.AsyncWaits'\nfunction W:ready(n)\n\(body)\nend",
        name: "hostile")
      let answer = Mutex<Int?>(nil)
      let call = Task {
        let number = await AsyncWaits().ready(1)
        answer.withLock { $0 = number }
      }
      for _ in 0..<60 where answer.withLock({ $0 }) == nil {
        await letOthersRun(for: .milliseconds(5))
        expectEqual(Canary().sing(41), 42)
      }
      let restoration = try await offPool { try WaxwingEngine.end(session) }
      await call.value
      #expect(restoration.isComplete)
      #expect(answer.withLock { $0 } != nil)
      expectEqual(Canary().sing(41), 42)
      _ = try await offPool { try WaxwingEngine.end(canary) }
    }
  }
}
