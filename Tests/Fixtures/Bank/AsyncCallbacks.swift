// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// An API of the time before async: answers by calling back.
public final class AsyncCallbacks: Sendable {
  private let pending = Mutex<[@Sendable (Int) -> Void]>([])

  public init() {}

  /// Calls back before it returns.
  public func fetch(_ completion: @escaping (Int) -> Void) { completion(7) }

  /// Calls back on another thread, after so many milliseconds.
  public func fetchLater(
    _ milliseconds: Int, _ completion: @escaping @Sendable (Int) -> Void
  ) {
    Thread.detachNewThread {
      usleep(UInt32(milliseconds) * 1000)
      completion(milliseconds)
    }
  }

  /// Calls back with a text and an error, one of which is nil.
  public func load(
    _ number: Int, completion: @escaping @Sendable (String?, (any Error)?) -> Void
  ) {
    Thread.detachNewThread {
      if number < 0 {
        completion(nil, BankError.insufficient(number))
      } else {
        completion("loaded \(number)", nil)
      }
    }
  }

  /// Calls back with a result.
  public func result(
    _ number: Int, completion: @escaping @Sendable (Result<Int, BankError>) -> Void
  ) {
    completion(number < 0 ? .failure(.closed) : .success(number))
  }

  /// Calls back twice: the second call has to do no harm.
  public func twice(_ completion: @escaping @Sendable (Int) -> Void) {
    completion(1)
    Thread.detachNewThread { completion(2) }
  }

  /// Forgets to call back.
  public func never(_ completion: @escaping @Sendable (Int) -> Void) {}

  /// Calls back when `flush` is called.
  public func enqueue(_ completion: @escaping @Sendable (Int) -> Void) {
    pending.withLock { $0.append(completion) }
  }

  /// How many completions are kept.
  public var enqueued: Int { pending.withLock { $0.count } }

  /// Calls back all that wait, in order.
  public func flush(_ value: Int) {
    let all = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    for completion in all { completion(value) }
  }
}
