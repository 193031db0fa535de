// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import Glibc
internal import WaxwingBridge
internal import WaxwingLua

/// Ends the activities of a script.
extension ScriptRuntime {
  /// The activities that were outstanding when a script ended.
  package struct Outstanding: Sendable {
    /// Tasks, which were cancelled.
    package var tasks = 0
    /// Calls of overrides, and functions of tasks, that waited for too long and do not go on in Lua.
    package var abandoned: [String] = []
    /// Whether some activities were in Lua code, and end where they would wait next.
    package var areEnding = false

    package init() {}
  }

  /// Cancels the script's tasks, and lets waiting activities end for this time. After that none of
  /// them continues in Lua.
  /// - Parameters:
  ///   - objectsGoOn: Whether async methods of objects may be called from then on.
  ///   - areBeginning: Whether calls of overrides are in their first turn, after which they may wait.
  package func endActivities(
    atMost duration: Duration, objectsGoOn: Bool = false, areBeginning: () -> Bool = { false }
  ) -> Outstanding {
    var outstanding = Outstanding()
    for script in all {
      outstanding.tasks += script.tasks.cancelAll()
    }
    let began = ContinuousClock.now
    let deadline = began.advanced(by: duration)
    var sleeping: [String] = []
    // In this order: a call is in the list of those that wait before its turn is over.
    while areBeginning() || all.contains(where: { !$0.activities.isIdle }),
      ContinuousClock.now < deadline
    {
      let isLate = ContinuousClock.now - began > .seconds(1)
      sleeping += all.flatMap { $0.activities.abandonSleeping(isLate: isLate) }
      if isLate, isForgotten { break }
      usleep(500)
    }
    outstanding.abandoned = sleeping
    for script in all {
      let (waiting, areRunning) = script.activities.abandon(admitsNew: objectsGoOn)
      outstanding.abandoned += waiting
      if areRunning { outstanding.areEnding = true }
    }
    outstanding.abandoned.sort()
    for script in all {
      script.tasks.share.end()
      script.callbacks.messages.close("the patch has ended")
    }
    return outstanding
  }

  /// Whether all remaining activities wait for continuations that no code could resume: there is no
  /// task, no function that Swift holds, and no object of the script's classes.
  private var isForgotten: Bool {
    taskCounts.live == 0 && classes.livingObjects.isEmpty
      && all.allSatisfy {
        $0.functions.count == 0 && $0.functions.calls.isEmpty
          && ($0.activities.isIdle || $0.activities.waitForContinuations)
      }
  }

  /// Lets async methods of objects that live on wait again after `endActivities`, until that is
  /// called once more.
  package func letObjectsWait() {
    for script in all { script.activities.resume() }
  }

  /// Lets the functions that Swift holds answer without Lua, and waits for calls that are in them.
  package func endFunctions(atMost duration: Duration) {
    for script in all { script.functions.end() }
    let deadline = ContinuousClock.now.advanced(by: duration)
    let thread = wax_process_current_thread()
    // Calls of this thread cannot return while it waits.
    while !threadsInCalls.allSatisfy({ $0 == thread }), ContinuousClock.now < deadline {
      usleep(200)
    }
  }

  /// The threads that are in functions of the script that Swift holds.
  var threadsInCalls: [UInt64] { all.flatMap(\.functions.threadsInCalls) }

  /// Whether no call is in functions of it that Swift holds, and none in Lua code that may wait.
  package var isUnused: Bool {
    threadsInCalls.isEmpty && !all.contains(where: \.activities.isRunning)
  }

  /// Ends the script's functions, then runs its callbacks for `ended` and closes the Lua state if no
  /// call is in them any more, which this waits for.
  /// - Precondition: No call is in an override of it, and none will be.
  /// - Returns: Whether it is closed. If not, call it again.
  package func close(atMost duration: Duration) -> Bool {
    endFunctions(atMost: duration)
    _ = endActivities(atMost: .zero)
    guard isUnused else { return false }
    for script in all { script.close() }
    return true
  }

  private func close() {
    if isClosed { return }
    callbacks.runEnded()
    isClosed = true
    classes.end()
    wax_call_async_calls_close(state.handle)
    state.close()
    _ = waits.forget()
    continuations.removeAll()
    types.close()
    overrides.close()
    // As there: a point and what calls its original hold each other.
    for point in classes.all.flatMap(\.points.values) { point.callable = nil }
    declarations.numberedPoints = []
  }
}
