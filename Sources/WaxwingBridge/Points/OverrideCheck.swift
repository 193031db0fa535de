// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// Tells without a script whether a function can be overridden.
package enum OverrideCheck {
  /// Why an override of the function would be refused when a patch loads; nil: it would not be.
  ///
  /// Makes what loading an override makes (`ScriptRuntime.form(of:stated:)`), and nothing else:
  /// the program stays as it is.
  package static func refusal(
    of function: RunningFunction, in program: RunningProgram
  ) -> String? {
    StoredFunctions.look(in: program)
    do throws(PlanError) {
      _ = try Override.Form(function, stated: nil, in: program) { () throws(PlanError) in
        try GenericFunction(function, in: program)
      }
      return nil
    } catch {
      return error.reason
    }
  }
}
