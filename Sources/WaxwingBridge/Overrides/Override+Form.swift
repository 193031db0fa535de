// SPDX-License-Identifier: MIT

internal import WaxwingReflection

extension Override.Form {
  /// - Parameters:
  ///   - generic: Gives the function's plans, if it is generic.
  ///   - isMutating: What the script says of it, if it says anything.
  /// - Throws: `PlanError` if the function cannot be overridden.
  init(
    _ function: RunningFunction, isMutating: Bool?, in program: RunningProgram,
    _ generic: () throws(PlanError) -> GenericFunction?
  ) throws(PlanError) {
    do throws(PlanError) {
      if let generic = try generic() {
        self = .generic(generic, try GenericEntry(generic, isMutating: isMutating))
      } else {
        self = .plain(
          try CallPlan(function, bound: nil, in: program, Mutation(isMutating)))
      }
    } catch {
      self = .plain(try CallPlan(opaque: function, error, in: program))
    }
  }
}
