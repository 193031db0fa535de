// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection

extension CallPlan {
  /// Gives the registers of the override's call to a call that is being made.
  /// - Throws: The obstacle.
  func takeRegisters(
    of active: UnsafeMutablePointer<ActiveCall>?, _ frame: FramePointer
  ) throws(LuaRaise) {
    guard let opaque else { return }
    guard let active, active.pointee.plan === self else {
      throw .message(
        "\(function.declaration.qualifiedName) can be called as the original of its override only: "
          + opaque.reason.reason)
    }
    if active.pointee.originalRan, let onceReason {
      throw .message(
        "the original of \(function.declaration.qualifiedName) can be called once: \(onceReason)")
    }
    frame.takeRegisters(of: active.pointee.frame, stackBytes: stackBytes)
  }
}
