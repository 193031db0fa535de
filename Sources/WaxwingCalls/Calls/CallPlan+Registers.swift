// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingOverrides
internal import WaxwingPlans
internal import WaxwingReflection

extension CallPlan {
  /// Lets a call that is being made have the registers of the override's call.
  /// - Throws: What is in the way.
  func takeRegisters(
    of activation: UnsafeMutablePointer<ActiveCall>?, _ frame: Frame
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
    let stack = frame.pointee.stack
    frame.pointee = activation.pointee.frame.pointee
    frame.pointee.stack = stack
    frame.pointee.entry_error = 0
    frame.pointee.error = 0
    if let stack, let source = activation.pointee.frame.pointee.stack, stackBytes > 0 {
      UnsafeMutableRawPointer(stack).copyMemory(from: source, byteCount: stackBytes)
    }
  }
}
