// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TortureFixture

/// The threads and tasks that call. They can be made to pause, for what can only be counted then.
final class Crowd: @unchecked Sendable {
  private enum Phase: Int, AtomicRepresentable { case calling, pausing, leaving }

  let participants: [Participant]
  private let phase = Atomic<Phase>(.pausing)
  private let paused = Atomic<Int>(0)
  private let group = DispatchGroup()
  private let firstViolation = Mutex<String?>(nil)
  private let total = Atomic<Int>(0)
  // Each by its thread or task; by others while it pauses.
  private let callers: UnsafeMutableBufferPointer<Caller>

  init(threads: Int, tasks: Int, _ targets: Targets, _ chronicle: Chronicle, seed: UInt64) {
    participants = (0..<threads + tasks).map {
      Participant($0 < threads ? "thread \($0 + 1)" : "task \($0 - threads + 1)")
    }
    callers = .allocate(capacity: threads + tasks)
    for index in participants.indices {
      callers.initializeElement(
        at: index,
        to: Caller(
          targets, chronicle, isTask: index >= threads, seed: seed &+ UInt64(index) &+ 1))
    }
    for (index, participant) in participants.prefix(threads).enumerated() {
      participant.run(in: group) { [self] in work(index) }
    }
    for index in threads..<threads + tasks {
      group.enter()
      Task.detached { [self] in
        await workInTask(index)
        group.leave()
      }
    }
  }

  deinit {
    callers.deinitialize()
    callers.deallocate()
  }

  var violation: String? { firstViolation.withLock { $0 } }

  /// All calls that were made.
  var calls: Int { total.load(ordering: .relaxed) }

  func resume() {
    phase.store(.calling, ordering: .releasing)
    while paused.load(ordering: .acquiring) > 0 { usleep(100) }
  }

  /// Returns when no call is in flight.
  func pause() {
    phase.store(.pausing, ordering: .releasing)
    while paused.load(ordering: .acquiring) < participants.count { usleep(100) }
  }

  /// Ends the threads and tasks.
  func leave() {
    phase.store(.leaving, ordering: .releasing)
    group.wait()
  }

  /// What the callers have seen. While they pause.
  var witnesses: [Witness] { callers.map(\.witness) }
  var descents: Int { callers.reduce(0) { $0 + $1.descents } }

  /// While they pause.
  func forget() {
    for index in callers.indices { callers[index].forget() }
  }

  func report(_ violation: String) {
    firstViolation.withLock { if $0 == nil { $0 = violation } }
  }
}

extension Crowd {
  private func work(_ index: Int) {
    let participant = participants[index]
    while phase.load(ordering: .acquiring) != .leaving {
      if phase.load(ordering: .acquiring) == .pausing {
        wait(participant, &callers[index])
      } else {
        work(participant, &callers[index])
      }
    }
  }

  /// A few calls between two looks at what is asked for.
  private func work(_ participant: Participant, _ caller: inout Caller) {
    for _ in 0..<16 {
      let kind = caller.chooseKind()
      participant.calls(kind)
      do {
        try caller.call(kind)
      } catch {
        report("\(participant.name): \(error)")
      }
    }
    total.add(16, ordering: .relaxed)
  }

  private func wait(_ participant: Participant, _ caller: inout Caller) {
    beginPause(participant, &caller)
    while phase.load(ordering: .acquiring) == .pausing { usleep(100) }
    endPause(participant)
  }

  private func beginPause(_ participant: Participant, _ caller: inout Caller) {
    caller.dropLamps()
    participant.isWaiting = true
    paused.add(1, ordering: .releasing)
  }

  private func endPause(_ participant: Participant) {
    participant.isWaiting = false
    paused.subtract(1, ordering: .releasing)
  }
}

// MARK: - In tasks

extension Crowd {
  private func workInTask(_ index: Int) async {
    let participant = participants[index]
    while phase.load(ordering: .acquiring) != .leaving {
      if phase.load(ordering: .acquiring) == .pausing {
        beginPause(participant, &callers[index])
        while phase.load(ordering: .acquiring) == .pausing {
          try? await Task.sleep(for: .microseconds(100))
        }
        endPause(participant)
      } else {
        await workInTask(participant, &callers[index])
        // Overrides that do not call their originals never wait: there may be one thread for all tasks, and a patch that
        // ends waits for the call of another one.
        await Task.yield()
      }
    }
  }

  private func workInTask(_ participant: Participant, _ caller: inout Caller) async {
    for _ in 0..<16 {
      let kind = caller.chooseKind()
      participant.calls(kind)
      do {
        try await caller.callInTask(kind)
      } catch {
        report("\(participant.name): \(error)")
      }
    }
    total.add(16, ordering: .relaxed)
  }
}
