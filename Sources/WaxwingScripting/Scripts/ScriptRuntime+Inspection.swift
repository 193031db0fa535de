// SPDX-License-Identifier: MIT

package import WaxwingBridge
package import WaxwingLua

/// Describes a script and its replicas while they run.
extension ScriptRuntime {
  /// Bytes that the Lua state holds.
  package var memory: Int {
    replicas.reduce(isClosed ? 0 : state.memory) { $0 + $1.memory }
  }

  /// The most bytes that its Lua states ever held.
  package var mostMemory: Int {
    replicas.reduce(isClosed ? 0 : state.mostMemory) { $0 + $1.mostMemory }
  }

  /// The Lua functions that a thread's calls are in, innermost first; nil if Lua code was running for
  /// longer than that.
  package func traceback(ofThread thread: UInt64, waitAtMost milliseconds: UInt32) -> [LuaFrame]? {
    if isClosed { return [] }
    guard let frames = state.traceback(ofThread: thread, waitAtMost: milliseconds) else {
      return nil
    }
    if !frames.isEmpty { return frames }
    for replica in replicas {
      let frames = replica.traceback(ofThread: thread, waitAtMost: milliseconds)
      if frames?.isEmpty != true { return frames }
    }
    return []
  }

  /// The objects and values of the program that Lua holds.
  package func heldValues() -> HeldValues {
    if isClosed { return HeldValues() }
    return replicas.reduce(HeldValues(state)) { $0.adding($1.heldValues()) }
  }

  /// How many calls of its overrides wait.
  package var waitingOverrides: Int { all.reduce(0) { $0 + $1.activities.waitingOverrides } }

  /// The counts of the script's tasks so far.
  package var taskCounts: ScriptTaskCounts {
    all.map(\.tasks.counts).reduce(into: ScriptTaskCounts()) { sum, counts in
      sum.live += counts.live
      sum.failed += counts.failed
      sum.cancelled += counts.cancelled
    }
  }
}
