// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingPlans
package import WaxwingReflection

/// The overrides of the script, as they come and go. The state is entered.
extension PatchContext {
  /// What the script has at a patch point.
  package func overrides(of function: RunningFunction) -> PointOverrides {
    if let known = points[function] { return known }
    let made = PointOverrides(function)
    points[function] = made
    return made
  }

  /// How calls of the function are read.
  package func form(
    of point: PointOverrides, stated: SelfKind? = nil
  ) throws(PlanError) -> Override.Form {
    if let form = point.form { return form }
    let form = try Override.Form(
      point.function, stated: stated, in: program
    ) { () throws(PlanError) in try generic(point.function, stated: stated) }
    point.form = form
    return form
  }

  /// Takes the override in; after loading, lets it be installed.
  /// - Throws: The reason why it cannot be.
  package func add(_ override: Override, to point: PointOverrides) throws(LuaRaise) {
    if !overriddenPoints.contains(where: { $0 === point }) { overriddenPoints.append(point) }
    let around = override.role == .body ? point.observers : nil
    let place = overrides.firstIndex { $0 === around } ?? overrides.endIndex
    overrides.insert(override, at: place)
    point.add(override)
    if isLoading { return }
    if let reason = state.suspended({ options.host.install(override) }) {
      forget(override)
      throw .message(reason)
    }
  }

  /// Takes an override back that was declared.
  package func withdraw(_ override: Override) {
    if forget(override) { giveUp(override) }
  }

  /// A piece of the override has ended. The override goes with its last one.
  package func settle(_ override: Override) {
    if !override.settle(), forget(override) { giveUp(override) }
  }

  /// - Returns: False: it was forgotten before.
  @discardableResult
  private func forget(_ override: Override) -> Bool {
    guard override.remove() else { return false }
    overrides.removeAll { $0 === override }
    points[override.function]?.remove(override)
    // Calls that have begun have the function on their stack.
    wax_lua_return_reference(state.handle, override.reference)
    return true
  }

  /// Lets a removed override be uninstalled, unless its original is being called: the last of those
  /// calls does it then.
  package func giveUp(_ override: Override) {
    guard !isLoading, override.outsideCalls == 0 else { return }
    state.suspended { options.host.remove(override) }
  }
}
