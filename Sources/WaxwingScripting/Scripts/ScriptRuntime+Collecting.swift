// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingLua

extension ScriptRuntime {
  /// Collects what no Lua code reaches any more. It is left out in a state in which a call stays in Lua
  /// code for a second.
  package func collect() {
    for runtime in all where !runtime.isClosed { _ = runtime.state.collect(waitAtMost: 1000) }
  }

  /// The number of proxies that hold objects or values of the program.
  package var liveProxies: Int { all.reduce(0) { $0 + ($1.isClosed ? 0 : $1.state.liveProxies) } }

  /// Whether Swift keeps, or has kept, something of Lua's.
  package var hasEdges: Bool {
    functions.inCollection(\.hasEdges) ?? false
  }

  /// Collects cycles that go through several of the Lua states, as where two patches give closures to
  /// the same object. The thread has entered none of them.
  package static func collectJointCycles(of runtimes: [ScriptRuntime]) {
    collectJointCycles(of: runtimes.filter(\.hasEdges)[...], entered: [])
  }

  /// Collects cycles that go through several states. No state is closed as long as a call is in it.
  private static func collectJointCycles(
    of runtimes: ArraySlice<ScriptRuntime>, entered states: [LuaState]
  ) {
    guard let runtime = runtimes.first else {
      if states.count > 1 { LuaState.collectJointCycles(of: states) }
      return
    }
    let isOpen: Void? = runtime.functions.inCollection { state in
      collectJointCycles(of: runtimes.dropFirst(), entered: states + [state])
    }
    if isOpen == nil { collectJointCycles(of: runtimes.dropFirst(), entered: states) }
  }
}
