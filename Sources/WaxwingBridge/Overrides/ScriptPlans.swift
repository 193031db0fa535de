// SPDX-License-Identifier: MIT

import WaxwingLua
package import WaxwingReflection

/// The plans of the functions that one script calls or overrides. Each is made once.
///
/// Used by the thread that has entered the script's state, or while one thread alone knows the script.
package final class ScriptPlans {
  private let program: RunningProgram
  private var plans: [RunningFunction: CallPlan] = [:]
  private var generics: [RunningFunction: GenericFunction] = [:]
  private let signatures = KnownSignatures()

  init(_ program: RunningProgram) {
    self.program = program
  }

  /// The script has been loaded. As a rule few plans are made from here on.
  package func loaded() {
    signatures.close()
  }

  /// The plan for calls.
  func plan(_ function: RunningFunction) throws(PlanError) -> CallPlan {
    if let plan = plans[function] { return plan }
    let plan = try CallPlan(function, bound: nil, in: program, .readForCalls, signatures)
    plans[function] = plan
    return plan
  }

  /// The plan for calls on values of this type.
  package func plan(_ function: RunningFunction, on type: any Any.Type) throws(PlanError)
    -> CallPlan
  {
    if let generic = try generic(function) { return try generic.plan(on: type) }
    return try plan(function)
  }

  /// The plan for calls on the value that the reader stands at.
  func plan(
    _ function: RunningFunction, on receiver: LuaReader
  ) throws(PlanError) -> CallPlan {
    var isByKind = true
    if let generic = try generic(function) {
      return try generic.plan(receiver: receiver, .empty, isByKind: &isByKind)
    }
    return try plan(function)
  }

  /// The plans of a generic function; nil if it is not one.
  func generic(
    _ function: RunningFunction, stated: SelfKind? = nil
  ) throws(PlanError) -> GenericFunction? {
    if let known = generics[function] { return known }
    if plans[function] != nil { return nil }
    let made = try GenericFunction(function, in: program, stated: stated)
    if let made { generics[function] = made }
    return made
  }

  /// How calls of an overridden function are read.
  package func form(
    of point: PointOverrides, stated: SelfKind? = nil
  ) throws(PlanError) -> Override.Form {
    if let form = point.form { return form }
    let form = try Override.Form(
      point.function, stated: stated, in: program, signatures
    ) { () throws(PlanError) in try generic(point.function, stated: stated) }
    point.form = form
    return form
  }
}
