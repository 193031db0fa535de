// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua

/// An override of a parallel patch: the same override in several Lua states, of which each call
/// takes one. The call, its `ORIG` and all values that it leaves belong to that state alone.
/// Unchecked: never changed after `init`.
package final class OverrideReplicas: @unchecked Sendable {
  /// The one that the engine knows.
  /// Unchecked: it keeps this object.
  private unowned(unsafe) let primary: Override
  let others: [Override]
  private let states: UnsafeMutableBufferPointer<OpaquePointer?>

  package init(of primary: Override, _ others: [Override]) {
    self.primary = primary
    self.others = others
    states = .allocate(capacity: others.count + 1)
    _ = states.initialize(from: ([primary] + others).map(\.state.handle))
    for other in others { other.primary = primary }
  }

  deinit {
    states.deinitialize()
    states.deallocate()
  }

  /// The handler of a layer that is not async; its context is an `OverrideReplicas`.
  static let handler: SynchronousHandler = { context, frame in
    guard let context, let frame else { return false }
    return Unmanaged<OverrideReplicas>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.run(frame)
    }
  }

  /// The handler of an async layer; its context is an `OverrideReplicas`. A call stays in the state
  /// in which its first turn ran.
  static let asyncHandler: AsyncHandler = { context, run in
    guard let context, let run else { return nil }
    if let compiled = run.pointee.compiledHandler {
      return wax_call_step_override(UnsafeMutableRawPointer(mutating: compiled), run)
    }
    if let state = run.pointee.handlerState {
      let activity = Unmanaged<OverrideActivity>.fromOpaque(state)
      return activity._withUnsafeGuaranteedRef { $0.invoker }.step(run)
    }
    return Unmanaged<OverrideReplicas>.fromOpaque(context)._withUnsafeGuaranteedRef {
      let chosen = $0.chosen
      return chosen.ownAsyncHandler(chosen.ownContext, run)
    }
  }

  private func run(_ frame: FramePointer) -> Bool {
    let chosen = chosen
    return chosen.ownHandler(chosen.ownContext, frame)
  }

  private var chosen: Override {
    let index = wax_lua_choose(states.baseAddress, states.count)
    return index == 0 ? primary : others[index - 1]
  }
}
