// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The last stage of a call by Lua code: it gives Lua the result or error and the changed values,
/// and destroys the values that were made for the call.
struct CallCompletion {
  let plan: CallPlan
  let state: LuaState
  /// The call is of the function itself, and not of an original.
  let isCurrent: Bool
  /// Whether the instance that the function initializes, if it does, came as the receiver.
  let takesReceiver: Bool

  /// The state is entered.
  /// - Parameter active: The call of the override that this is the original of, if the original
  ///   was called on the same object.
  func complete(
    _ call: LuaCall, _ form: FunctionCall.Form, _ values: FunctionCall.Values,
    _ memory: CallMemory, _ active: UnsafeMutablePointer<ActiveCall>?
  ) throws(LuaRaise) {
    values.lender?.pointee.lendsVariables = false
    let copy = values.copy
    defer { copy?.end(wasPassed: true) }
    call.raw.pointee.changed_receiver = values.watch?.end(state) ?? false
    defer {
      memory.destroyArguments(
        plan.steps.count, plan, onlyBorrowed: true, except: values.placed.variables.indices)
    }
    if let active, !plan.variables.isEmpty {
      active.pointee.saveInouts(memory.variablePlaces(plan, values), plan.variables)
    }
    if memory.frame.pointee.thrownError != 0 {
      copy?.updateOrigin()
      if plan.isInitializer, takesReceiver { Instance.consumed(call.arguments.peeked) }
      throw .error(takeError(memory, active))
    }
    let result = pushResult(call, form, memory, active)
    if !plan.inouts.isEmpty { pushInouts(call, values, memory, active) }
    let returnsReceiver = active != nil && plan.returnedReceiver != nil
    let isChanged = copy?.pushChange(call.writer, always: returnsReceiver) ?? false
    end(call, result, active, hasMore: isChanged || !plan.inouts.isEmpty)
  }

  /// Ends a call in place of `complete` if the function has left nothing behind.
  /// - Returns: The error that ends the Lua code, which has been stopped.
  func cancel(
    _ call: LuaCall, _ values: FunctionCall.Values, _ memory: CallMemory
  ) -> LuaRaise {
    values.lender?.pointee.lendsVariables = false
    call.raw.pointee.changed_receiver = values.watch?.end(state) ?? false
    memory.destroyArguments(
      plan.steps.count, plan, onlyBorrowed: true, except: values.placed.variables.indices)
    values.copy?.end(wasPassed: true)
    return .message("the call has been stopped")
  }

  func takeError(
    _ memory: CallMemory, _ active: UnsafeMutablePointer<ActiveCall>?
  ) -> any Error {
    let error = plan.outcome.takeError(memory.frame, scratch: memory.scratch, plan)
    active?.pointee.originalThrew(error)
    return error
  }

  /// Writes the result for Lua, and says where it is; nil: there is none.
  private func pushResult(
    _ call: LuaCall, _ form: FunctionCall.Form, _ memory: CallMemory,
    _ active: UnsafeMutablePointer<ActiveCall>?
  ) -> UnsafeMutableRawPointer? {
    guard let codec = plan.result else { return nil }
    let result = plan.outcome.collect(codec, memory.frame, scratch: memory.scratch)
    if plan.isInitializer, takesReceiver { Instance.fulfil(with: result, codec, call) }
    if let plain = codec.plain {
      plain.push(result, call.writer.buffer)
    } else if active?.lend(result, codec, to: call) == true {
      return result
    } else if form == .getting || isGetter {
      codec.push(result, call.writer)
    } else {
      codec.pushResult(result, call.writer)
    }
    return result
  }

  /// Whether the function is a getter. The value of a property or subscript is one value in Lua,
  /// even if it is a tuple.
  private var isGetter: Bool {
    guard isCurrent else { return false }
    switch plan.function.declaration.kind {
    case .getter, .subscriptGetter: return true
    default: return false
    }
  }

  /// Writes what the function made of its `inout` arguments: further results.
  private func pushInouts(
    _ call: LuaCall, _ values: FunctionCall.Values, _ memory: CallMemory,
    _ active: UnsafeMutablePointer<ActiveCall>?
  ) {
    let places = memory.inoutPlaces(plan, values.placed.variables)
    for (place, argument) in zip(places, plan.inouts) {
      if active?.lend(place, argument.codec, to: call) != true {
        argument.codec.push(place, call.writer)
      }
    }
  }

  /// The active call takes the result over. Without one, Lua may be the only one to hold it and the
  /// `inout` values, and does not before they are pushed.
  private func end(
    _ call: LuaCall, _ result: UnsafeMutableRawPointer?,
    _ active: UnsafeMutablePointer<ActiveCall>?, hasMore: Bool
  ) {
    let resultIsTrivial = plan.result.map { $0.plain?.isTrivial == true } ?? true
    if hasMore || active == nil && !resultIsTrivial { wax_lua_push_call_results(call.raw) }
    if let active { return active.pointee.originalReturned(result, plan.result) }
    if !resultIsTrivial, let result { plan.result?.destroy(result) }
  }
}
