// SPDX-License-Identifier: MIT

internal import WaxwingInterception
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
      if let code = function.enteredCode { try checkBeginning(of: function, code) }
      guard case .plain(let plan) = form else { return .accepted(opaque: nil) }
      return .accepted(opaque: plan.opaqueNote, note: plan.isolationNote)
    } catch {
      return .refused(error.reason)
    }
  }

  /// Refuses code that a jump has no place in. Whether something else has changed it is found when the patch loads.
  private static func checkBeginning(
    of function: RunningFunction, _ code: EnteredCode
  ) throws(PlanError) {
    guard let address = UnsafeRawPointer(bitPattern: code.address) else { return }
    let point = InterceptionPoint(
      code: address, size: Int(code.size), asyncPointer: nil, stackBytes: 0)
    do throws(InterceptionError) { try point.check() } catch {
      if error.code == .unsuitedCode { throw PlanError(function, error.message) }
    }
  }
}
