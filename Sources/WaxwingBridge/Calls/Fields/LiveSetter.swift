// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The setter of a stored property of an object: it runs the property's observers.
package struct LiveSetter: PropertySetter {
  private let plan: CallPlan
  private let argument: CallPlan.Argument

  /// Creates the setter; nil if the function is no setter of a class's property.
  package init?(_ plan: CallPlan) {
    guard plan.objectReceiver != nil, plan.arguments.count == 1 else { return nil }
    self.plan = plan
    argument = plan.arguments[0]
  }

  /// - Parameter memory: The new value, which is taken over; the memory stays.
  func call(_ owner: AnyObject, _ memory: UnsafeMutableRawPointer, _ state: LuaState) {
    Invocation.withFrame(stackBytes: plan.stackBytes) { frame, _ in
      frame.pointee.selfRegister = UInt64(
        UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque()))
      argument.location.scatter(memory, size: argument.codec.size, frame)
      state.suspended {
        Invocation.call(
          UnsafeRawPointer(bitPattern: plan.function.address), frame, stackBytes: plan.stackBytes)
        if !argument.isOwned { argument.codec.destroy(memory) }
      }
    }
  }
}
