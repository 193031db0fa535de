// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// Reads a stored property of an actor that the caller is not on.
/// Unchecked: as `Wait`.
final class FieldWait: Wait, @unchecked Sendable {
  private enum Phase { case new, onActor, over }

  private let field: StoredField
  private let name: String
  private let object: UnsafeMutableRawPointer
  private let actor: ExecutorReference
  private let suspension: UnsafeMutablePointer<Suspension>
  private var home = ExecutorReference.generic
  private var phase = Phase.new
  private var value: UnsafeMutableRawPointer?

  static func begin(
    _ field: StoredField, _ name: String, of object: UnsafeMutableRawPointer,
    on actor: ExecutorReference, _ call: inout LuaCall
  ) throws(LuaRaise) {
    guard call.mayWait else {
      throw .message(
        "\(name) belongs to an actor, and code cannot wait here: read it in "
          + "task(function() ... end), or in an override of an async function")
    }
    FieldWait(field, name, object, actor).begin(&call)
  }

  private init(
    _ field: StoredField, _ name: String, _ object: UnsafeMutableRawPointer,
    _ actor: ExecutorReference
  ) {
    self.field = field
    self.name = name
    self.object = object
    self.actor = actor
    suspension = .allocate(capacity: 1)
    ObjectReference.retain(object)
  }

  deinit {
    if let value { field.end(copy: value) }
    suspension.deallocate()
    ObjectReference.release(object)
  }

  override func next() -> UnsafePointer<Suspension>? {
    switch phase {
    case .new:
      phase = .onActor
      home = .current
      suspension.initialize(to: .hop(to: actor))
    case .onActor:
      phase = .over
      value = field.copy(in: object)
      suspension.initialize(to: .hop(to: home))
    case .over: return nil
    }
    return UnsafePointer(suspension)
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    guard let value else {
      throw .message("\(name) is weak or unowned and can only be read on its actor")
    }
    field.push(copy: value, call.writer)
    // Lua alone may hold it from here on.
    wax_lua_push_call_results(call.raw)
  }
}
