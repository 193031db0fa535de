// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// A generic Swift function as Lua code calls it: what its parameters stand for is told by the
/// arguments of each call. The original of an override that is running runs for the same types as
/// the override, whatever the arguments look like to Lua.
final class GenericCall: LuaCallable {
  private let generic: GenericFunction
  private let target: CallTarget
  private let state: LuaState
  // By plan, which the function keeps. Only by the thread that has entered the state.
  private var calls: [ObjectIdentifier: FunctionCall] = [:]
  private let remembered = RememberedChoices()

  init(_ generic: GenericFunction, _ target: CallTarget, in state: LuaState) {
    self.generic = generic
    self.target = target
    self.state = state
  }

  /// Runs one call from Lua. The state is entered before and after, and left while Swift runs.
  func run(_ call: inout LuaCall) throws(LuaRaise) {
    try chosen(call, skippingName: false).run(&call)
  }

  /// Runs a getter, which Lua calls as (self, name).
  func runOnReceiver(_ call: inout LuaCall) throws(LuaRaise) {
    try chosen(call, skippingName: false).runOnReceiver(&call)
  }

  /// Runs a setter, which Lua calls as (self, name, value).
  func runSkippingName(_ call: inout LuaCall) throws(LuaRaise) {
    try chosen(call, skippingName: true).runSkippingName(&call)
  }

  private func chosen(_ call: LuaCall, skippingName: Bool) throws(LuaRaise) -> FunctionCall {
    let receiver = generic.takesReceiver ? call.arguments : nil
    var arguments = call.arguments
    if generic.takesReceiver { arguments.skip() }
    if skippingName { arguments.skip() }
    if let running = running(receiver) { return self.call(running) }
    if call.hasLent { throw call.repeated() }
    if let known = remembered.function(for: call) { return known }
    var isByKind = true
    let plan: CallPlan
    do throws(PlanError) {
      plan = try generic.plan(receiver: receiver, arguments, isByKind: &isByKind)
    } catch {
      throw .message(error.description)
    }
    let made = self.call(plan)
    if isByKind, let kinds = ArgumentKinds(call) {
      remembered.remember(made, for: kinds, isDirect: false)
    }
    return made
  }

  private func call(_ plan: CallPlan) -> FunctionCall {
    if let known = calls[ObjectIdentifier(plan)] { return known }
    let made = FunctionCall(plan, target, in: state)
    calls[ObjectIdentifier(plan)] = made
    return made
  }

  /// The plan of the override that runs on this thread, if it is for such a receiver.
  private func running(_ receiver: LuaReader?) -> CallPlan? {
    guard case .original(let point) = target,
      let plan = ActiveCall.innermost(at: point)?.pointee.plan
    else { return nil }
    guard let receiver else { return plan }
    let value = receiver.peeked
    let isProxy =
      value.tag == WAX_LUA_VALUE_OBJECT.rawValue || value.tag == WAX_LUA_VALUE_PROXY.rawValue
    if !isProxy || plan.accepts(receiver: value) { return plan }
    // What a value of the type holds, as a collection in an `Any?`, looks like one of another type.
    let isOther = plan.receiverType.map { ArgumentFit.cost(of: receiver, as: $0) == nil }
    return isOther == false ? plan : nil
  }
}
