// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TortureFixture
import TorturePlain

/// A thread that makes calls which stay in the original until they are let go.
final class Laggard: Sendable {
  let participant = Participant("laggard")
  private let gate = TortureGate()
  private let orders = DispatchSemaphore(value: 0)
  private let answers = DispatchSemaphore(value: 0)
  private let isLeaving = Atomic<Bool>(false)
  private let ordered = Atomic<Int>(TortureKind.blocks.rawValue)
  private let result = Atomic<Int>(0)
  private let group = DispatchGroup()

  init(_ targets: Targets) {
    participant.isWaiting = true
    participant.run(in: group) { [self] in
      while true {
        orders.wait()
        if isLeaving.load(ordering: .acquiring) { return }
        let isHeld = ordered.load(ordering: .acquiring) == TortureKind.holds.rawValue
        result.store(
          isHeld ? targets.shop.holds(gate) : targets.subject.blocks(gate), ordering: .releasing)
        answers.signal()
      }
    }
  }

  /// Returns when the call is in the original of this function.
  func enter(_ kind: TortureKind) throws {
    ordered.store(kind.rawValue, ordering: .releasing)
    orders.signal()
    try require(gate.waitForCall(seconds: 60), "a call did not reach its original in 60 seconds")
  }

  /// Lets the call go and returns its result.
  func letGo() throws -> Trace {
    gate.open()
    try require(
      answers.wait(timeout: .now() + .seconds(60)) == .success,
      "a call did not return from its original in 60 seconds")
    return Trace(result.load(ordering: .acquiring))
  }

  /// Ends the thread. No call must be in the original.
  func leave() {
    isLeaving.store(true, ordering: .releasing)
    orders.signal()
    group.wait()
  }
}
