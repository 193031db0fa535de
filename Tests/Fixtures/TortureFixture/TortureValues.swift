// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// An object whose life is counted. One thread has it at a time.
public final class TortureToken: @unchecked Sendable {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .relaxed) }

  public var trace = 0
  public let previous: TortureToken?
  /// Patches put functions here that hold the token.
  public var echo: (() -> Int)?

  public init(_ previous: TortureToken?) {
    self.previous = previous
    Self.count.add(1, ordering: .relaxed)
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }
}

/// What `risky` throws.
public struct TortureFault: Error {
  public let trace: Int

  public init(_ trace: Int) { self.trace = trace }
}

/// Collects the results of calls within a call. One thread has it at a time.
public final class TortureSink: @unchecked Sendable {
  public private(set) var traces: [Int] = []

  public init() {}

  public func add(_ trace: Int) { traces.append(trace) }
}

/// Where a call stays until it is let go.
public final class TortureGate: Sendable {
  private let entered = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  public init() {}

  public func pass() {
    entered.signal()
    opened.wait()
  }

  /// Waits until a call has come; false: none has within this time.
  public func waitForCall(seconds: Int) -> Bool {
    entered.wait(timeout: .now() + .seconds(seconds)) == .success
  }

  /// Lets one call go.
  public func open() { opened.signal() }
}
