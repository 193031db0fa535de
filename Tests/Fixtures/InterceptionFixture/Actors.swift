// SPDX-License-Identifier: MIT

// Actors whose functions are of every isolation. Some have a body that makes no use of it: the
// optimiser leaves the switch out there.

import Synchronization

/// What bodies touch, so that the optimiser cannot think them away.
public final class Trail: Sendable {
  private let steps = Mutex(0)

  public init() {}

  @discardableResult public func step(_ length: Int) -> Int {
    steps.withLock { steps in
      steps &+= length
      return steps
    }
  }
}

public let trail = Trail()

/// Runs jobs on the thread that brings them.
public final class InlineExecutor: SerialExecutor {
  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}

@globalActor public actor Archive {
  public static let shared = Archive()
}

@globalActor public enum Harbour {
  public actor Master {}
  public static var shared: Master { master }
}
private let master = Harbour.Master()

@globalActor public actor Quay {
  public static let shared = Quay()
  private let executor = InlineExecutor()
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
}

public actor Till {
  public private(set) var total = 0

  public init() {}

  public init(total: Int) async { self.total = total }

  public func none() async -> Int { trail.step(total) }
  public func add(_ a: Int) async -> Int {
    total &+= a
    return total
  }
  public func ignoring(_ a: Int) async {}
  public func check(_ a: Int, _ name: String) async throws -> Int {
    if a < 0 { throw IsolationRefusal() }
    total &+= a
    return total
  }
  public func same<T: Sendable>(_ value: T) async -> T {
    total &+= 1
    return value
  }
  public func large(_ a: Int) async -> (Int, Int, Int, Int, Int) {
    total &+= a
    return (a, a, a, a, total)
  }
  public func nine(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
  ) async -> Int {
    total &+= a &+ i
    return total
  }
  public var later: Int { get async { total &+ 1 } }
  public func now(_ a: Int) -> Int {
    total &+= a
    return total
  }
  public nonisolated func apart(_ a: Int) async -> Int { trail.step(a) }
  public nonisolated(nonsending) func beside(_ a: Int) async -> Int { trail.step(a) }
  public static func make(_ a: Int) async -> Int { trail.step(a) }
  @MainActor public func shown(_ a: Int) async -> Int { trail.step(a) }
  public func waiting(_ a: Int) async -> Int {
    await Task.yield()
    total &+= a
    return total
  }
}

public actor Desk {
  private let executor = InlineExecutor()
  public private(set) var total = 0

  public init() {}

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  public func add(_ a: Int) async -> Int {
    total &+= a
    return total
  }
  public func check(_ a: Int) async throws -> Int {
    if a < 0 { throw IsolationRefusal() }
    total &+= a
    return total
  }
  public func now(_ a: Int) -> Int {
    total &+= a
    return total
  }
  public nonisolated func apart(_ a: Int) async -> Int { trail.step(a) }
}

public struct IsolationRefusal: Error {
  public init() {}
}
