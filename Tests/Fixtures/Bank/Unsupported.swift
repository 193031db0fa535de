// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// What Lua has no values for.
public final class Unsupported {
  public init() {}
  public func pack<each T>(_ value: repeat each T) -> Int { 1 }
  public func isolated(_ actor: isolated Host) -> Int { 1 }
  public func unique(_ value: borrowing Unique) -> Int { value.number }
  public func other() -> Int { 5 }
  public var stored = 1
  public func joined<each T>(_ value: repeat each T, by separator: String) -> String { separator }
  public func maybe(_ number: Int) -> Unique? { number > 0 ? Unique() : nil }
  public func kept<T>(_ value: T) -> T { value }
  public var lent: Int {
    _read { yield stored }
    _modify { yield &stored }
  }
  public var read: Int { stored }
  public enum Choice: String { case one }
}

public actor Host {}

public struct Unique: ~Copyable {
  public var number = 1
  public init() {}
}

/// Functions that wait.
public final class Waiting: @unchecked Sendable {
  public let entered = DispatchSemaphore(value: 0)
  public let gate = DispatchSemaphore(value: 0)

  public init() {}

  /// Waits for another thread, which calls `other`.
  public func waitsForOther() -> Int {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Int>(0)
    Thread {
      let value = self.other()
      result.withLock { $0 = value }
      done.signal()
    }.start()
    done.wait()
    return result.withLock { $0 } + 1
  }

  public func other() -> Int { 100 }

  public func blocks() -> Int {
    entered.signal()
    gate.wait()
    return 7
  }
}
