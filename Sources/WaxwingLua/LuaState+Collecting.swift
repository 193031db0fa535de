// SPDX-License-Identifier: MIT

internal import CWaxwingLua

extension LuaState {
  /// What came of a slice of a collection.
  package struct Slice: Sendable {
    /// The slice's stay in the state.
    package let turn: UInt64
    /// It was the last of a collection.
    package let isLast: Bool
  }

  /// Goes on with a collection for so long, unless another thread is in the state. What proxies gave up
  /// is released after leaving, on this thread.
  /// - Returns: nil if another thread is in it.
  package func collectSlice(lasting duration: Duration) -> Slice? {
    guard waxwing_try_enter(handle, 0) else { return nil }
    defer { waxwing_leave(handle) }
    let end = ContinuousClock.now.advanced(by: duration)
    repeat {
      if waxwing_collect_step(handle) { return Slice(turn: lastTurn, isLast: true) }
    } while ContinuousClock.now < end
    return Slice(turn: lastTurn, isLast: false)
  }
}
