// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Functions that wait, in every way that programs do.
public final class AsyncWaits: Sendable {
  private let record = Mutex<[String]>([])

  public init() {}

  /// What `note` and the cancellation handlers wrote down.
  public var notes: [String] { record.withLock { $0 } }
  public func note(_ text: String) { record.withLock { $0.append(text) } }

  /// Waits so many milliseconds; throws `CancellationError` when cancelled.
  public func rest(_ milliseconds: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return milliseconds
  }

  /// Waits so many milliseconds, cancelled or not.
  public func linger(_ milliseconds: Int) async -> Int {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        continuation.resume(returning: milliseconds)
      }
    }
  }

  /// Gives others a turn so many times.
  public func yields(_ count: Int) async -> Int {
    for _ in 0..<count { await Task.yield() }
    return count
  }

  /// Answers at once: nothing is suspended.
  public func ready(_ number: Int) async -> Int { number + 1 }

  /// Waits for `ready` very often.
  public func manyReady(_ count: Int) async -> Int {
    var sum = 0
    for number in 0..<count { sum += await ready(number) }
    return sum
  }

  /// Waits very often, each time in a way that suspends.
  public func manyWaits(_ count: Int) async -> Int {
    var sum = 0
    for number in 0..<count { sum += await yields(1) + number }
    return sum
  }

  /// Waits for `rest` and says how that ended; notes when it is cancelled.
  public func watched(_ milliseconds: Int) async -> String {
    await withTaskCancellationHandler {
      do { return "rested \(try await rest(milliseconds))" } catch { return "caught \(error)" }
    } onCancel: {
      note("cancelled")
    }
  }

  /// Works until it is cancelled; the answer is how often it looked.
  public func untilCancelled() async -> Int {
    var count = 0
    while !Task.isCancelled {
      count += 1
      await Task.yield()
    }
    return count
  }

  /// Two child tasks at once.
  public func both(_ milliseconds: Int) async throws -> Int {
    async let first = rest(milliseconds)
    async let second = rest(milliseconds)
    return try await first + second
  }

  /// Calls itself, so that tasks' memory is taken and given back many times.
  public func deep(_ depth: Int) async -> Int {
    if depth == 0 {
      await Task.yield()
      return 0
    }
    return await deep(depth - 1) + 1
  }

  /// So many calls of `rest` at once, in child tasks.
  public func crowd(_ count: Int, _ milliseconds: Int) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { try await self.rest(milliseconds) } }
      return try await group.reduce(0, +)
    }
  }

  /// A wait that starts in a task of its own, whose handle is given back.
  public func started(_ milliseconds: Int) -> Task<Int, any Error> {
    Task { try await self.rest(milliseconds) }
  }
}
