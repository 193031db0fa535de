// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization

/// The activities of one script: which wait, and which are running Lua code. Outlives the Lua state.
/// Unchecked: its contents are under a lock, the list of C's calls is under another.
package final class Activities: @unchecked Sendable {
  private struct Contents: ~Copyable {
    var isEnded = false
    var admitsNew = false  // after the end: those of objects that go on
    var ends = 0  // what began before the last does not wait again
    var made = 0
    var running = 0
    var waiting: [Int: Activity] = [:]
  }

  private let contents = Mutex(Contents())
  /// The calls of overrides that C runs.
  let waitingCalls: UnsafeMutablePointer<wax_call_waiting>

  init() {
    waitingCalls = .allocate(capacity: 1)
    waitingCalls.initialize(to: wax_call_waiting())
  }

  deinit { waitingCalls.deallocate() }

  /// Counts an activity before a turn.
  /// - Returns: False if the script has ended, and Lua must not be entered.
  func resume(_ activity: Activity) -> Bool {
    contents.withLock { contents in
      if activity.isAbandoned { return false }
      if activity.number == 0 {
        if contents.isEnded, !contents.admitsNew { return false }
        contents.made += 1
        (activity.number, activity.ends) = (contents.made, contents.ends)
      }
      contents.waiting[activity.number] = nil
      contents.running += 1
      return true
    }
  }

  /// Counts an activity after a turn.
  func pause(_ activity: Activity, isOver: Bool) {
    let isAbandoned = contents.withLock { contents in
      contents.running -= 1
      if isOver { return false }
      if activity.ends < contents.ends || (contents.isEnded && !contents.admitsNew) {
        activity.isAbandoned = true
      } else {
        contents.waiting[activity.number] = activity
      }
      return activity.isAbandoned
    }
    // The end has not seen what it waits for.
    if isAbandoned { activity.wait?.interrupt() }
  }

  /// Takes up an activity that waits and whose first turn ran without `resume`, as the call was in
  /// its override.
  func adopt(_ activity: Activity) {
    let isAbandoned = contents.withLock { contents in
      contents.made += 1
      (activity.number, activity.ends) = (contents.made, contents.ends)
      if contents.isEnded {
        activity.isAbandoned = true
      } else {
        contents.waiting[activity.number] = activity
      }
      return activity.isAbandoned
    }
    if isAbandoned { activity.wait?.interrupt() }
  }

  /// How many calls of overrides wait. Tasks are none, nor are closures.
  package var waitingOverrides: Int {
    contents.withLock { $0.waiting.values.count { $0 is OverrideActivity } } + callCounts.waiting
  }

  /// - Returns: The invokers of the calls that wait, and how many others are running Lua code in that moment.
  private func visitCalls(abandoning: Bool) -> (invokers: [OverrideInvoker], running: Int) {
    var invokers: [OverrideInvoker] = []
    let running = withUnsafeMutablePointer(to: &invokers) { invokers in
      wax_call_waiting_visit(waitingCalls, abandoning, invokers) { invokers, context in
        guard let invokers, let context else { return }
        let invoker = Unmanaged<OverrideInvoker>.fromOpaque(context).takeUnretainedValue()
        invokers.assumingMemoryBound(to: [OverrideInvoker].self).pointee.append(invoker)
      }
    }
    return (invokers, running)
  }

  private var callCounts: (waiting: Int, running: Int) {
    var running = 0
    let waiting = wax_call_waiting_count(waitingCalls, &running)
    return (waiting, running)
  }

  /// Whether any is running Lua code.
  package var isRunning: Bool { contents.withLock { $0.running > 0 } || callCounts.running > 0 }

  /// Whether none waits or runs.
  package var isIdle: Bool {
    contents.withLock { $0.running == 0 && $0.waiting.isEmpty } && callCounts == (0, 0)
  }

  /// Ends the activities that only let time pass, and would do so for longer than a second: they do
  /// not go on in Lua.
  /// - Parameter isLate: Whether the end began a second ago, so that every sleep has had its
  ///   second.
  /// - Returns: The names of these activities.
  package func abandonSleeping(isLate: Bool) -> [String] {
    let abandoned = contents.withLock { contents -> [(Activity, SleepWait)] in
      var found: [(Activity, SleepWait)] = []
      for (number, activity) in contents.waiting {
        // Tasks have been cancelled.
        guard !(activity is DrivenActivity), let sleep = activity.wait as? SleepWait,
          isLate || sleep.isLong
        else { continue }
        activity.isAbandoned = true
        contents.waiting[number] = nil
        found.append((activity, sleep))
      }
      return found
    }
    for (_, sleep) in abandoned { sleep.interrupt() }
    return abandoned.map(\.0.name)
  }

  /// Whether some wait, all of them for continuations that have not been resumed, and none is running Lua code.
  package var waitForContinuations: Bool {
    contents.withLock { contents in
      contents.running == 0 && !contents.waiting.isEmpty
        && contents.waiting.values.allSatisfy {
          ($0.wait as? LatchWait)?.isForContinuation == true
        }
    } && callCounts == (0, 0)
  }

  /// Admits activities again after the end if objects of the script's classes live on: their
  /// methods may wait again.
  package func resume() {
    contents.withLock { $0.isEnded = false }
    wax_call_waiting_readmit(waitingCalls)
  }

  /// Lets no activity go on in Lua once it waits.
  /// - Parameter admitsNew: Whether other activities may begin and wait, which are those of objects
  ///   that live on.
  /// - Returns: The activities that wait, and whether others are running Lua code in that moment.
  package func abandon(admitsNew: Bool) -> (waiting: [String], areRunning: Bool) {
    let (abandoned, waits, running) = contents.withLock { contents in
      contents.isEnded = true
      contents.admitsNew = admitsNew
      contents.ends += 1
      let abandoned = Array(contents.waiting.values)
      for activity in abandoned { activity.isAbandoned = true }
      contents.waiting = [:]
      // What an activity waits for changes only while it is not among those that wait.
      return (abandoned, abandoned.compactMap(\.wait), contents.running)
    }
    // What the script itself makes them wait for ends now.
    for wait in waits { wait.interrupt() }
    let calls = visitCalls(abandoning: true)
    return (abandoned.map(\.name) + calls.invokers.map(\.name), running + calls.running > 0)
  }
}
