// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// What scripts must not do that only look on: see `LuaState.refuseEffects()`.
enum RefusedEffect {
  /// Getters, operators and initializers of values are taken to change nothing, though Swift promises nothing of the
  /// kind. Whoever looks on calls no original by its name.
  /// - Returns: What calling a function would do that must not be done; nil: it may be called.
  static func message(ofCalling plan: CallPlan, _ target: CallTarget) -> String? {
    let declaration = plan.function.declaration
    if target.isOriginal || declaration.kind == .getter || declaration.name.fixity != nil {
      return nil
    }
    let owner = declaration.context.memberOf?.kind
    if plan.isInitializer, owner == .struct || owner == .enum { return nil }
    return "it would call \(plan.function.displayedName)"
  }
}
