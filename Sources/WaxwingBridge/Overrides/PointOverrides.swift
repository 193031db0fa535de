// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingReflection

/// What a script has at one patch point: the overrides, and the one that all `before` and `after`
/// advice is in. Used by the thread that has entered the script's state.
final class PointOverrides {
  let function: RunningFunction
  /// How its calls are read, once the first override is made.
  var form: Override.Form?
  /// The oldest body; as a rule there is no other.
  private var first: Override?
  private var more: [Override] = []
  private(set) var observers: Override?
  /// Calls the original, for Lua.
  var original: UnsafeMutablePointer<waxwing_callback>?
  /// How the original is called, once `original(…)` has been.
  var callable: (any LuaCallable)?

  init(_ function: RunningFunction) {
    self.function = function
  }

  /// Oldest first.
  var bodies: [Override] { first.map { [$0] + more } ?? [] }

  var isEmpty: Bool { first == nil && observers == nil }

  /// It is overridden for objects of a class of Lua's alone.
  var isOfClass: Bool { oldest?.target != nil }

  /// The lowest: what is below it is what the script found there.
  var oldest: Override? { first ?? observers }

  /// The override that was assigned.
  var assigned: Override? {
    bodies.first { $0.pieces.contains { $0.kind == .override } }
  }

  func add(_ override: Override) {
    switch override.role {
    case .body where first == nil: first = override
    case .body: more.append(override)
    case .observers: observers = override
    }
  }

  func remove(_ override: Override) {
    more.removeAll { $0 === override }
    if first === override { first = more.isEmpty ? nil : more.removeFirst() }
    if observers === override { observers = nil }
  }
}
