// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection

/// The third stage of a call by Lua code: it leaves the state, calls the function or the code below
/// the override, and enters the state again.
struct FunctionInvoker {
  let plan: CallPlan
  let target: CallTarget
  let state: LuaState
  /// A class of Lua's that overrides the function does so in its vtable.
  let isOverriddenInVtable: Bool

  init(_ plan: CallPlan, _ target: CallTarget, in state: LuaState) {
    self.plan = plan
    self.target = target
    self.state = state
    let declaration = plan.function.declaration
    isOverriddenInVtable =
      !plan.function.isPatchPoint && declaration.contextType?.nominal?.kind == .class
      && !declaration.isInitializer
  }

  /// - Parameters:
  ///   - omitted: Arguments whose default values are made before the call.
  ///   - active: The call of the override that this is the original of.
  ///   - isVirtual: As in `code`.
  func invoke(
    _ memory: CallMemory, _ omitted: [Int], _ active: UnsafeMutablePointer<ActiveCall>?,
    isVirtual: Bool
  ) {
    memory.frame.allowCancel()
    if active == nil, case .original(let point) = target, let override = point.oldest {
      return invokeOriginal(of: override, memory, omitted)
    }
    let layer = active?.pointee.layer
    let depth = wax_lua_suspend(state.handle)
    if !omitted.isEmpty { memory.makeDefaults(omitted, plan) }
    if let layer {
      layer.callNext(memory.frame)
    } else {
      Invocation.call(
        code(memory.frame, isVirtual: isVirtual), memory.frame, stackBytes: plan.stackBytes)
    }
    wax_lua_resume(state.handle, depth)
  }

  /// A closure of the script asks for an original outside any call of the override, perhaps while
  /// the override is removed or its session ends.
  private func invokeOriginal(
    of override: Override, _ memory: CallMemory, _ omitted: [Int]
  ) {
    override.outsideCalls += 1
    let depth = wax_lua_suspend(state.handle)
    if !omitted.isEmpty { memory.makeDefaults(omitted, plan) }
    let isInstalled = override.layer?.callNextIfInstalled(memory.frame) ?? false
    if !isInstalled { Invocation.call(address, memory.frame, stackBytes: plan.stackBytes) }
    wax_lua_resume(state.handle, depth)
    override.outsideCalls -= 1
    if override.isRemoved { PatchContext.context(of: state)?.overrides.giveUp(override) }
  }

  private var address: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: plan.function.address) }

  /// The address of the code to call: the function, or the code that a class made by a patch has in
  /// the function's place of the vtable. Classes of the program were already told apart by their
  /// names.
  /// - Parameter isVirtual: Whether to look into the vtable, as everywhere but on `super`.
  func code(_ frame: FramePointer, isVirtual: Bool) -> UnsafeRawPointer? {
    guard isOverriddenInVtable, isVirtual, case .current = target else { return address }
    let function = plan.function
    return LuaClass.method(
      function.address, on: frame.pointee.selfRegister, isType: function.declaration.isStatic)
      ?? address
  }
}
