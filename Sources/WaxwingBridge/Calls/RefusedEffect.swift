// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Effects that scripts must not have if they only observe: see `LuaState.refuseEffects()`.
enum RefusedEffect {
  /// The effect for which a call of a function is refused; nil if it may be called. Getters,
  /// operators and initializers of values are assumed to have no effects, although Swift does not
  /// promise it. An observing script calls no original by its name.
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
