// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Synchronization
import Testing

/// Threads that repeat something until they are told to stop.
final class Threads: Sendable {
  private let stopping = Atomic(false)
  private let running = DispatchGroup()

  init(_ count: Int, repeating body: @escaping @Sendable () -> Void) {
    for _ in 0..<count {
      running.enter()
      Thread.detachNewThread { [self] in
        while !stopping.load(ordering: .relaxed) { body() }
        running.leave()
      }
    }
  }

  func stop() {
    stopping.store(true, ordering: .relaxed)
    running.waitInTime()
  }
}

/// One thread with one job.
func inThread(_ body: @escaping @Sendable () -> Void) -> DispatchGroup {
  let group = DispatchGroup()
  group.enter()
  Thread.detachNewThread {
    body()
    group.leave()
  }
  return group
}
