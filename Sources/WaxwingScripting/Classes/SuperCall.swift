// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingReflection

/// A function as the superclass `viewed` has it: called on an object of a class that a patch has
/// made below it, the call continues after that class's override.
final class SuperCall: LuaCallable {
  private let function: RunningFunction
  private let viewed: any Any.Type
  private unowned let runtime: ScriptRuntime
  private let current: any LuaCallable
  private var known: [ObjectIdentifier: any LuaCallable] = [:]

  init(
    _ function: RunningFunction, _ viewed: any Any.Type, _ runtime: ScriptRuntime
  ) throws(PlanError) {
    self.function = function
    self.viewed = viewed
    self.runtime = runtime
    current = try runtime.call(function, .current)
    (current as? FunctionCall)?.isVirtual = false
  }

  func run(_ call: inout LuaCall) throws(LuaRaise) { try target(call).run(&call) }
  func runOnReceiver(_ call: inout LuaCall) throws(LuaRaise) {
    try target(call).runOnReceiver(&call)
  }
  func runSkippingName(_ call: inout LuaCall) throws(LuaRaise) {
    try target(call).runSkippingName(&call)
  }

  private func target(_ call: LuaCall) throws(LuaRaise) -> any LuaCallable {
    guard let type = ReceiverType.of(call.arguments.peeked),
      let point = runtime.overrides.classPoint(function, viewed, type)
    else { return current }
    if let known = known[ObjectIdentifier(point)] { return known }
    do throws(PlanError) {
      let made = try runtime.call(function, .original(point))
      known[ObjectIdentifier(point)] = made
      return made
    } catch {
      throw .message(error.description)
    }
  }
}
