// SPDX-License-Identifier: MIT

package import Testing
import Waxwing

/// Tests that patch the process in which they run go one after the other, those of other targets too: a process has
/// one engine, and `restore` is about all of its patches.
///
/// Their calls of patches may take longer than the 20 ms that they have by default: the machine that runs the tests
/// may be busy. What a test's policy or a manifest says holds.
package struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.take()
    let policy = WaxwingEngine.policy
    WaxwingEngine.policy.limits.milliseconds = policy.limits.mostMilliseconds
    let result: Result<Void, any Error>
    do {
      try await body()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    WaxwingEngine.policy = policy
    await Turn.shared.pass()
    try result.get()
  }
}

extension Trait where Self == EngineTrait {
  /// Of each suite of tests that patch their own process.
  package static var engine: Self { EngineTrait() }
}

/// Whose turn it is to use the engine.
private actor Turn {
  static let shared = Turn()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Hands it to who has waited longest.
  func pass() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
