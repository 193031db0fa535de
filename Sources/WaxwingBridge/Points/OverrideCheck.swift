// SPDX-License-Identifier: MIT

import WaxwingReflection

/// Tells without a script whether a function can be overridden.
enum OverrideCheck {
  /// The outcome of an override when a patch loads.
  enum Verdict: Sendable {
    /// The function cannot be overridden, for this reason.
    case refused(String)
    /// The override is accepted, with the parts that cross as opaque values and the reason, and a
    /// further note, if there are any.
    case accepted(opaque: String?, note: String? = nil)
  }

  /// The outcome of an override of the function.
  ///
  /// Makes what loading an override makes (`ScriptRuntime.form(of:stated:)`), and nothing else:
  /// the program stays as it is.
  static func verdict(
    on function: RunningFunction, in program: RunningProgram
  ) -> Verdict {
    StoredFunctions.look(in: program)
    OverrideLayers.install()
    do throws(PlanError) {
      let form = try Override.Form(function, stated: nil, in: program) { () throws(PlanError) in
        try GenericFunction(function, in: program)
      }
      guard case .plain(let plan) = form else { return .accepted(opaque: nil) }
      return .accepted(opaque: plan.opaqueNote, note: plan.isolationNote)
    } catch {
      return .refused(error.reason)
    }
  }
}
