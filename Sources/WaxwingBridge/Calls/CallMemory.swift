// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// The memory of one call by Lua code: what its stages fill, use and empty again. It belongs to
/// `Invocation.withFrame`, or to the `WaitMemory` of a call that is waited for.
struct CallMemory {
  /// The registers, and where the stack arguments are.
  let frame: FramePointer
  /// The memory for values that are not in the frame: as many bytes as the plan's `callBytes`.
  let scratch: UnsafeMutableRawPointer

  init(_ frame: FramePointer, _ scratch: UnsafeMutableRawPointer) {
    self.frame = frame
    self.scratch = scratch
  }

  init(_ memory: WaitMemory) {
    self.init(memory.frame, memory.scratch)
  }

  /// Where an argument is, or is to be made.
  @inline(__always)
  func place(of step: CallStep) -> UnsafeMutableRawPointer {
    step.place(UnsafeMutableRawPointer(frame), scratch: scratch)
  }

  /// Copies an argument that was made in the room to where the function expects it.
  func scatter(
    _ step: CallStep, _ plan: CallPlan, _ variables: PassedVariables = PassedVariables()
  ) {
    let argument = plan.arguments[step.index]
    let place = variables[step] ?? place(of: step)
    argument.location.scatter(place, size: argument.codec.size, frame)
  }

  /// Makes the default values of arguments that were left out. The state has been left.
  func makeDefaults(_ omitted: [Int], _ plan: CallPlan) {
    for index in omitted {
      let step = plan.steps[index]
      plan.defaults.value(at: index)?.make(into: place(of: step))
      if step.offset == nil { scatter(step, plan) }
    }
  }

  /// Destroys the first arguments, except those that the function took over.
  func destroyArguments(
    _ count: Int, _ plan: CallPlan, onlyBorrowed: Bool, except absent: [Int]
  ) {
    for step in plan.steps.prefix(count) {
      if let plain = step.plain, plain.isTrivial { continue }
      if onlyBorrowed && step.isOwned { continue }
      if !absent.isEmpty, absent.contains(step.index) { continue }
      step.codec.destroy(place(of: step))
    }
  }
}

// MARK: - What a call may change

extension CallMemory {
  /// Where the `inout` arguments are, in order.
  func inoutPlaces(
    _ plan: CallPlan, _ variables: PassedVariables
  ) -> [UnsafeMutableRawPointer] {
    plan.steps.filter { plan.arguments[$0.index].isInout }.map { variables[$0] ?? place(of: $0) }
  }

  /// The places of the plan's `variables`: the `inout` arguments, and after them the copy that the
  /// function is called on, if Lua gets its new value.
  func variablePlaces(
    _ plan: CallPlan, _ values: FunctionCall.Values
  ) -> [UnsafeMutableRawPointer] {
    let places = inoutPlaces(plan, values.placed.variables)
    if plan.returnedReceiver == nil { return places }
    let held = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.selfRegister))
    return places + [values.copy?.memory ?? held].compactMap(\.self)
  }
}
