// SPDX-License-Identifier: MIT

internal import Synchronization

/// The share of the program's threads that the tasks of one script may take: one task runs Lua code
/// at a time, so that they never hold more than one thread of the pool that Swift's tasks share,
/// and all of them together for a part of each second. Tasks without a turn wait without a thread.
package final class TaskShare: Sendable {
  /// How much they may have.
  package struct Limits: Hashable, Sendable {
    /// The time that the patch's tasks may use in each second of real time; 0 for no limit.
    package var milliseconds: Int
    /// How long a task waits for a turn because others have had the time, before it is cancelled.
    var patience: Duration

    init(milliseconds: Int = 250, patience: Duration = .seconds(5)) {
      self.milliseconds = milliseconds
      self.patience = patience
    }
  }

  enum Admission: Equatable {
    case enters
    /// Another task has the turn.
    case waitsForTurn
    /// The time of this second has been used.
    case waitsUntil(ContinuousClock.Instant)
  }

  private struct Contents {
    var isTaken = false
    var isEnded = false
    var secondBegan = ContinuousClock.now
    var used = Duration.zero
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let limits: Limits
  private let contents = Mutex(Contents())

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Takes the turn if it is free.
  func enter() -> Admission {
    contents.withLock { contents in
      if contents.isEnded { return .enters }
      let now = ContinuousClock.now
      if now - contents.secondBegan >= .seconds(1) {
        contents.secondBegan = now
        contents.used = .zero
      }
      if limits.milliseconds > 0, contents.used >= .milliseconds(limits.milliseconds) {
        return .waitsUntil(contents.secondBegan.advanced(by: .seconds(1)))
      }
      if contents.isTaken { return .waitsForTurn }
      contents.isTaken = true
      return .enters
    }
  }

  /// Gives the turn back.
  func leave(after duration: Duration) {
    let next = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      contents.isTaken = false
      contents.used += duration
      // Once the time is used up, all find that out.
      let isOver = limits.milliseconds > 0 && contents.used >= .milliseconds(limits.milliseconds)
      let count = isOver ? contents.waiting.count : min(1, contents.waiting.count)
      defer { contents.waiting.removeFirst(count) }
      return Array(contents.waiting.prefix(count))
    }
    for continuation in next { continuation.resume() }
  }

  /// The script has ended: whoever waits finds that out.
  package func end() {
    let waiting = contents.withLock { contents in
      contents.isEnded = true
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when it is worth another try.
  func wait(_ admission: Admission) async {
    switch admission {
    case .enters: break
    case .waitsUntil(let instant):
      // A cancelled task waits like the others.
      await Task { try? await Task.sleep(until: instant, clock: .continuous) }.value
    case .waitsForTurn:
      await withCheckedContinuation { continuation in
        let isFree = contents.withLock { contents in
          if contents.isEnded || !contents.isTaken { return true }
          contents.waiting.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
    }
  }
}

/// A wait for a turn.
/// Unchecked: as `Wait`.
final class TurnWait: OperationWait, @unchecked Sendable {
  private let share: TaskShare
  private let admission: TaskShare.Admission

  init(_ share: TaskShare, _ admission: TaskShare.Admission) {
    self.share = share
    self.admission = admission
  }

  override func run() async { await share.wait(admission) }
}

/// The counts of a patch's tasks by outcome.
package struct ScriptTaskCounts: Hashable, Sendable {
  /// Tasks and children that have not ended.
  package var live = 0
  /// The number of tasks that failed.
  package var failed = 0
  /// The number of tasks that were cancelled because the patch's tasks had used up their time.
  package var cancelled = 0

  package init() {}
}
