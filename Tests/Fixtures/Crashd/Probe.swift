// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// What the tests' patches override.
class Probe {
  /// A negative number ends the program.
  func value(_ number: Int) -> Int {
    precondition(number >= 0, "a negative number")
    return number
  }

  /// The same, on whatever thread it runs.
  func asyncValue(_ number: Int) async -> Int {
    await Task.yield()
    return value(number)
  }

  func name() -> String { "plain" }

  /// What the program does next: 1 aborts, 2 aborts after a while, 3 exits with 1.
  func fate() -> Int { 0 }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}

/// Calls the async function from a thread that is in none.
final class AsyncStep {
  func run(_ probe: Probe) {
    nonisolated(unsafe) let probe = probe
    let isDone = Flag()
    Task.detached {
      _ = await probe.asyncValue(1)
      isDone.value.store(true, ordering: .releasing)
    }
    for _ in 0..<100 where !isDone.value.load(ordering: .acquiring) { usleep(100) }
  }
}
