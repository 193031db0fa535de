// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingReflection

/// The overrides of one script, as they come and go.
///
/// Used by the thread that has entered the script's state, or while one thread alone knows the script.
package final class ScriptOverrides {
  /// The context of the overrides. Unchecked: the context owns this object, and sets itself before
  /// any other code has it.
  unowned(unsafe) var context: PatchContext!
  /// The script's overrides in the order of declaration, without removed ones. The advice around a
  /// point comes after the override that it surrounds.
  package private(set) var all: [Override] = []
  private var points: [RunningFunction: PointOverrides] = [:]
  /// The points that have, or had, an override, in order.
  /// Unchecked: used by the thread that has entered the state.
  @exclusivity(unchecked) package private(set) var overriddenPoints: [PointOverrides] = [] {
    didSet { overriddenCount.value = Int64(overriddenPoints.count) }
  }
  /// How many there are, for C.
  let overriddenCount = OwnedCount()
  /// Finds the overrides of a method in a class that the script has made, for a class between that
  /// class and a superclass as which an object is seen. The script sets it.
  package var classPoint:
    (_ of: RunningFunction, _ below: any Any.Type, _ from: any Any.Type)
      -> PointOverrides? = { _, _, _ in nil }

  /// The script's overrides at a patch point.
  package func at(_ function: RunningFunction) -> PointOverrides {
    if let known = points[function] { return known }
    let made = PointOverrides(function)
    points[function] = made
    return made
  }

  /// Takes the override in; after loading, lets it be installed.
  /// - Throws: The reason why it cannot be.
  package func add(_ override: Override, to point: PointOverrides) throws(LuaRaise) {
    if !overriddenPoints.contains(where: { $0 === point }) { overriddenPoints.append(point) }
    let around = override.role == .replacement ? point.observers : nil
    let place = all.firstIndex { $0 === around } ?? all.endIndex
    all.insert(override, at: place)
    point.add(override)
    if context.isLoading { return }
    if let reason = context.state.suspended({ context.options.host.install(override) }) {
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
    all.removeAll { $0 === override }
    points[override.function]?.remove(override)
    // Calls that have begun have the function on their stack.
    wax_lua_return_reference(context.state.handle, override.reference)
    return true
  }

  /// Lets a removed override be uninstalled, unless its original is being called: the last of those
  /// calls does it then.
  func giveUp(_ override: Override) {
    guard !context.isLoading, override.outsideCalls == 0 else { return }
    context.state.suspended { context.options.host.remove(override) }
  }

  /// Forgets all: the script's state has been closed.
  package func close() {
    all = []
    // A point and what calls its original hold each other.
    for point in Array(points.values) + overriddenPoints { point.callable = nil }
    points = [:]
    overriddenPoints = []
  }
}
