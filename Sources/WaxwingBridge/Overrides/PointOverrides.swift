// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingReflection

/// A script's overrides at one patch point, and the override that contains all `before` and `after`
/// advice. Used by the thread that has entered the script's state.
package final class PointOverrides {
  package let function: RunningFunction
  /// How its calls are read, once the first override is made.
  package var form: Override.Form?
  /// The oldest body; as a rule there is no other.
  private var first: Override?
  private var more: [Override] = []
  package private(set) var observers: Override?
  /// Calls the original, for Lua.
  package var original: UnsafeMutablePointer<wax_lua_callback>?
  /// How the original is called, once `original(…)` has been.
  package var callable: (any LuaCallable)?

  package init(_ function: RunningFunction) {
    self.function = function
  }

  /// The replacements at this point, oldest first.
  package var replacements: [Override] { first.map { [$0] + more } ?? [] }

  package var isEmpty: Bool { first == nil && observers == nil }

  /// Whether the point is overridden only for objects of a class that a patch has made.
  var isOfClass: Bool { oldest?.target != nil }

  /// The lowest override. Below it is the code that the script found at the point.
  var oldest: Override? { first ?? observers }

  /// The override that was assigned.
  package var assigned: Override? {
    replacements.first { $0.pieces.contains { $0.kind == .override } }
  }

  func add(_ override: Override) {
    switch override.role {
    case .replacement where first == nil: first = override
    case .replacement: more.append(override)
    case .observers: observers = override
    }
  }

  func remove(_ override: Override) {
    more.removeAll { $0 === override }
    if first === override { first = more.isEmpty ? nil : more.removeFirst() }
    if observers === override { observers = nil }
  }
}
