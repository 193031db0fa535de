// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection

extension CallPlan {
  /// Lets a call that is being made have the registers of the override's call.
  /// - Throws: What is in the way.
  func takeRegisters(
    of activation: UnsafeMutablePointer<ActiveCall>?, _ frame: FramePointer
  ) throws(LuaRaise) {
    guard let opaque else { return }
    guard let activation, activation.pointee.plan === self else {
      throw .message(
        "\(function.declaration.qualifiedName) can be called as the original of its override only: "
          + opaque.reason.reason)
    }
    if activation.pointee.originalRan, let onceReason {
      throw .message(
        "the original of \(function.declaration.qualifiedName) can be called once: \(onceReason)")
    }
    frame.takeRegisters(of: activation.pointee.frame, stackBytes: stackBytes)
  }
}
