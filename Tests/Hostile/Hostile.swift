// SPDX-License-Identifier: MIT

import Bank
import Foundation
import HostileRig
import SeededRandom
import Synchronization
import Waxwing

/// Applies each of the hostile scripts, as a patch and as an override, and looks after each whether
/// another patch still answers. For `scripts/leaks`, where a sanitizer looks as well. The argument says of how
/// many scripts one is taken, others in each run.
@main struct Hostile {
  private static let canary = "local C = class 'Bank.Canary'\nfunction C:sing(n) return n + 1 end"
  private let original = Cage().open("a key")
  private var answered = 0
  private var refused = 0
  private var mistakes: [String] = []

  static func main() async throws {
    var hostile = Hostile()
    WaxwingEngine.setLogHandler { _ in }
    // Far less than hosts allow: with a sanitizer all takes several times as long.
    WaxwingEngine.policy.limits.loadInstructions = 500_000
    WaxwingEngine.policy.limits.loadMilliseconds = 50
    try WaxwingEngine.start(text: canary, name: "canary")
    let step = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1
    for script in TestSeed.drawn.sample(of: try HostileScripts.all(), every: step) {
      try hostile.apply(script)
    }
    for name in TestSeed.drawn.sample(of: try HostileScripts.names(in: "Async"), every: step) {
      try await hostile.wait(name, HostileScripts.text("Async/\(name)"))
    }
    try hostile.check(WaxwingEngine.restore().isComplete, "restore", "it is not complete")
    hostile.finish(step)
  }

  private func finish(_ step: Int) {
    for mistake in mistakes { print(mistake) }
    print(
      "hostile scripts: \(answered) calls answered, \(refused) patches refused,",
      "\(mistakes.count) mistakes")
    // Without both the corpus has not been tried.
    exit(mistakes.isEmpty && answered > 400 / step && refused > 20 / step ? 0 : 1)
  }

  private mutating func check(_ condition: Bool, _ name: String, _ mistake: String) {
    if !condition { mistakes.append("\(name): \(mistake)") }
  }

  private mutating func apply(_ script: (name: String, text: String)) throws {
    do {
      try WaxwingEngine.end(WaxwingEngine.start(text: script.text, name: "hostile"))
    } catch let error as WaxwingError {
      refused += 1
      check(!error.message.isEmpty, script.name, "it is refused without a reason")
    }
    // No more stack than a pool's threads may have.
    let outcome = try HostileOutcome.of(script.text, calls: 2, stack: 512 << 10)
    answered += outcome.answers.count
    check(
      outcome.refusal != nil || outcome.answers.contains { $0 != original }
        || !outcome.faults.isEmpty, script.name, "it gave what the original gives")
    try checkRest(script.name)
  }

  /// An override that waits: what waits for ever is ended with its session.
  private mutating func wait(_ name: String, _ body: String) async throws {
    let session = try WaxwingEngine.start(
      text: "local W = class 'Bank.AsyncWaits'\nfunction W:ready(n)\n\(body)\nend", name: "hostile")
    let isDone = Atomic(false)
    async let call: Void = {
      _ = await AsyncWaits().ready(1)
      isDone.store(true, ordering: .releasing)
    }()
    for _ in 0..<50 where !isDone.load(ordering: .acquiring) {
      try await Task.sleep(for: .milliseconds(2))
    }
    let restoration = try await Self.end(session)
    await call
    answered += 1
    check(restoration.isComplete, name, "ending it is not complete")
    try checkRest(name)
  }

  /// On a thread of its own: it waits for calls that may need those of the pool.
  private static func end(_ session: Session) async throws -> Restoration {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        // Longer than hosts wait: a busy machine with a sanitizer is slow. What never wakes takes all of it.
        continuation.resume(
          with: Result { try WaxwingEngine.end(session, waitAtMost: .seconds(60)) })
      }
    }
  }

  private mutating func checkRest(_ name: String) throws {
    check(Canary().sing(41) == 42, name, "another patch does not answer")
    try check(WaxwingEngine.list().map(\.name) == ["canary"], name, "it is still there")
  }
}
