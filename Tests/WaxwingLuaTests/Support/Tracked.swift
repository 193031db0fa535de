// SPDX-License-Identifier: MIT

import CWaxwingLua
import Synchronization
import WaxwingLua

/// Counts the instances of one test that are alive.
final class Census: Sendable {
  private let count = Atomic(0)
  private let ends = Atomic(0)
  private let holding = Mutex<[Tracked]>([])

  var alive: Int { count.load(ordering: .relaxed) }
  /// How many deinitializers have run.
  var ended: Int { ends.load(ordering: .relaxed) }

  /// A new instance that is held until `letGo`: what is written is only borrowed.
  func held() -> Tracked {
    let tracked = Tracked(self)
    holding.withLock { $0.append(tracked) }
    return tracked
  }

  func letGo() {
    let held = holding.withLock { holding in
      defer { holding = [] }
      return holding
    }
    withExtendedLifetime(held) {}
  }

  fileprivate func born() { count.add(1, ordering: .relaxed) }
  fileprivate func died() {
    count.subtract(1, ordering: .relaxed)
    ends.add(1, ordering: .relaxed)
  }
}

/// An object whose life is counted.
final class Tracked: Sendable {
  private let census: Census
  private let atEnd: (@Sendable () -> Void)?

  init(_ census: Census, atEnd: (@Sendable () -> Void)? = nil) {
    self.census = census
    self.atEnd = atEnd
    census.born()
  }

  deinit {
    atEnd?()
    census.died()
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// An error whose life is counted.
struct TrackedError: Error {
  let tracked: Tracked
}

extension LuaWriter {
  func object(_ object: Tracked) {
    self.object(object.pointer)
  }

  /// A proxy that owns memory with a reference to the object.
  func box(_ object: Tracked) {
    let box = UnsafeMutablePointer<Tracked>.allocate(capacity: 1)
    box.initialize(to: object)
    proxy(WAX_PROXY_KIND_VALUE, box, type: TestState.boxType)
  }
}

/// Counts across threads.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }

  /// - Returns: The new count.
  @discardableResult
  func add(_ number: Int = 1) -> Int { count.add(number, ordering: .relaxed).newValue }
}
