// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingLua

/// `task(f)`: a Lua function that runs as a Swift task of its own.
/// Unchecked: as `Activity`.
package final class ScriptTask: DrivenActivity, @unchecked Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isCancelled = Atomic<Bool>(false)
  /// Opens at its end.
  package let end = Latch()

  /// Begins it, at once or later.
  func start(after seconds: Double, _ ended: @escaping @Sendable () -> Void) {
    let started = Task { [self] in
      if seconds > 0 { try? await Task.sleep(for: .seconds(seconds)) }
      await run()
      end.open()
      ended()
    }
    task.withLock { $0 = started }
    if isCancelled.load(ordering: .acquiring) { started.cancel() }
  }

  package func cancel() {
    isCancelled.store(true, ordering: .releasing)
    task.withLock { $0 }?.cancel()
  }
}

/// The tasks of one script: those that have not ended, their limits, and the counts of the others.
/// Outlives the Lua state.
package final class ScriptTasks: Sendable {
  private struct Contents {
    var made = 0
    var tasks: [Int: ScriptTask] = [:]
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  /// How many there may be. Children of calls count too.
  package let quota: TaskQuota
  /// The share of the program's threads that the tasks may take.
  package let share: TaskShare
  private let contents = Mutex(Contents())
  private let failed = Atomic(0)
  private let cancelled = Atomic(0)

  init(_ options: ScriptOptions) {
    quota = TaskQuota(options.tasks)
    share = TaskShare(options.taskShare)
  }

  /// Begins a task for which the quota has room; that is given back at its end.
  /// - Returns: Its number.
  package func start(_ task: ScriptTask, after seconds: Double) -> Int {
    let number = contents.withLock { contents in
      contents.made += 1
      contents.tasks[contents.made] = task
      return contents.made
    }
    task.start(after: seconds) { [self] in
      quota.remove(1)
      let waiting = contents.withLock { contents in
        contents.tasks[number] = nil
        defer { if contents.tasks.isEmpty { contents.idle = [] } }
        return contents.tasks.isEmpty ? contents.idle : []
      }
      for continuation in waiting { continuation.resume() }
    }
    return number
  }

  /// The task with a number; nil if it has ended.
  package subscript(number: Int) -> ScriptTask? { contents.withLock { $0.tasks[number] } }

  package var count: Int { contents.withLock { $0.tasks.count } }

  /// The counts of tasks and children so far.
  package var counts: ScriptTaskCounts {
    var counts = ScriptTaskCounts()
    counts.live = quota.live
    counts.failed = failed.load(ordering: .relaxed)
    counts.cancelled = cancelled.load(ordering: .relaxed)
    return counts
  }

  func countFailed() { failed.wrappingAdd(1, ordering: .relaxed) }

  /// Counts one that was cancelled since the tasks had used up their time.
  func countCancelled() { cancelled.wrappingAdd(1, ordering: .relaxed) }

  /// - Returns: How many there were.
  @discardableResult
  package func cancelAll() -> Int {
    let tasks = contents.withLock { Array($0.tasks.values) }
    for task in tasks { task.cancel() }
    return tasks.count
  }

  /// Waits until there is none.
  package func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      let isIdle = contents.withLock { contents in
        if !contents.tasks.isEmpty { contents.idle.append(continuation) }
        return contents.tasks.isEmpty
      }
      if isIdle { continuation.resume() }
    }
  }
}
