// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingLua
package import WaxwingPlans
internal import WaxwingReflection
internal import WaxwingValues

/// The setter of a stored property of an object: it runs the property's observers.
package struct LiveSetter: PropertySetter {
  private let plan: CallPlan
  private let argument: CallPlan.Argument

  /// nil: the function is no setter of a class's property.
  package init?(_ plan: CallPlan) {
    guard plan.objectReceiver != nil, plan.arguments.count == 1 else { return nil }
    self.plan = plan
    argument = plan.arguments[0]
  }

  /// - Parameter memory: The new value, which is taken over; the memory stays.
  func call(_ owner: AnyObject, _ memory: UnsafeMutableRawPointer, _ state: LuaState) {
    withUnsafeTemporaryAllocation(byteCount: plan.stackBytes + 16, alignment: 16) { stack in
      var frame = wax_runtime_frame()
      frame.`self` = UInt64(UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque()))
      frame.stack = stack.baseAddress?.assumingMemoryBound(to: UInt64.self)
      argument.location.scatter(memory, size: argument.codec.size, &frame)
      state.suspended {
        wax_runtime_invoke(
          UnsafeRawPointer(bitPattern: plan.function.address), &frame, plan.stackBytes)
        if !argument.isOwned { argument.codec.destroy(memory) }
      }
    }
  }
}
