// SPDX-License-Identifier: MIT

internal import WaxwingReflection

extension Override.Form {
  /// - Parameters:
  ///   - generic: The function's plans, if it is generic.
  ///   - isMutating: What the script says of it, if it says anything.
  /// - Throws: `PlanError` if the function cannot be overridden.
  init(
    _ function: RunningFunction, _ generic: GenericFunction?, isMutating: Bool?,
    in program: RunningProgram
  ) throws(PlanError) {
    if let generic {
      self = .generic(generic, try GenericEntry(generic, isMutating: isMutating))
    } else {
      self = .plain(
        try CallPlan(function, bound: nil, in: program, Mutation(isMutating)))
    }
  }
}
