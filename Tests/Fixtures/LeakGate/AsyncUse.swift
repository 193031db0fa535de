// SPDX-License-Identifier: MIT

import Bank
import Dispatch

/// Calls of async overrides in the leak gate's patch.
enum AsyncUse {
  private static let text = "a text that is long enough"

  /// Calls that end while the patch is on.
  static func run(_ number: Int) throws {
    let answers = wait {
      let values = AsyncValues()
      let gate = AsyncGate()
      gate.open()
      let parcel = await values.parcel(AsyncParcel(number))
      let refused = try? await gate.carry(parcel, "")
      return (parcel.number, await values.string(text), refused == nil)
    }
    guard answers == (number * 2, text + " and more, patched", true) else {
      throw LeakCycle.Failure(description: "async calls: \(answers)")
    }
  }

  /// Calls that wait in their originals while the patch ends.
  final class Left: Sendable {
    private let gate = AsyncGate()
    private let carried: Task<Int, any Error>
    private let stamped: Task<String, Never>
    private let number: Int

    init(_ number: Int) {
      self.number = number
      carried = Task { [gate] in try await gate.carry(AsyncParcel(number), text).number }
      stamped = Task { [gate] in await gate.stamp(text) }
      wait { [gate] in
        while gate.waiting < 2 { await Task.yield() }
      }
    }

    /// Lets them go on without it.
    func finish() throws {
      gate.open()
      let answers = wait { [carried, stamped] in (try? await carried.value, await stamped.value) }
      guard answers == (number + text.count, text + ", stamped") else {
        throw LeakCycle.Failure(description: "async calls that were left: \(answers)")
      }
    }
  }

  /// Runs `body` as a task, and keeps this thread until it has finished.
  private static func wait<Answer: Sendable>(
    for body: @escaping @Sendable () async -> Answer
  ) -> Answer {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var answer: Answer?
    Task {
      answer = await body()
      done.signal()
    }
    done.wait()
    return answer.unsafelyUnwrapped  // the task has set it
  }
}
