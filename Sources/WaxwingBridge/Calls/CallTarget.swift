// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// The target of a call by Lua code.
package enum CallTarget {
  /// The function as the program would call it, overrides included.
  case current
  /// The original of the script's override at a point that this thread is in: the next older
  /// override, or the program's own code. Outside any override, it is the code below the oldest.
  case original(PointOverrides)

  var isOriginal: Bool {
    if case .original = self { true } else { false }
  }

  /// The call of the override that this is the original of, if this thread is in one.
  var active: UnsafeMutablePointer<ActiveCall>? {
    guard case .original(let point) = self else { return nil }
    return ActiveCall.innermost(at: point)
  }

  /// The call of the override that this is the original of, where the receiver is in the frame: of
  /// an initializer only if it is the one of the object that is initialized.
  func active(
    ofCallOn frame: FramePointer, _ plan: CallPlan
  ) -> UnsafeMutablePointer<ActiveCall>? {
    guard case .uninitialized = plan.receiver, case .original(let point) = self
    else { return active }
    return ActiveCall.innermost(at: point, initializing: frame.pointee.selfRegister)
  }
}
