// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingValues

/// Reads and writes one stored property of the value in a proxy, for Lua.
package struct FieldAccess {
  private let stored: StoredField
  private let owner: String
  /// Whether the field is a variable of an actor, which may be accessed on the actor only.
  private let belongsToActor: Bool

  /// - Parameter actor: Whether the owner is one.
  /// - Throws: If values of the property's type cannot cross.
  package init(_ field: TypeMetadata.Field, _ owner: String, ofActor actor: Bool = false)
    throws(LuaRaise)
  {
    self.owner = owner
    belongsToActor = actor && field.isVariable
    if TypeMetadata.isThinMetatype(field.type) {
      throw .message("\(owner).\(field.shownName) is always \(TypeName.short(field.type))")
    }
    do throws(UnsupportedType) {
      stored = try StoredField(field)
    } catch {
      throw .message("\(owner).\(field.shownName) cannot cross: \(error)")
    }
  }

  package func checkWritable() throws(LuaRaise) {
    if !stored.field.isVariable { throw .message("\(name) is a `let`: it cannot be set") }
  }

  /// The property in a form that C reads; nil: its values take Swift. The state keeps it.
  func direct(in state: LuaState) -> UnsafeMutableRawPointer? {
    guard stored.field.isStrong, !belongsToActor, let move = stored.codec.move else { return nil }
    return state.keep(
      wax_call_stored(offset: UInt64(stored.field.offset), move: UInt8(move.rawValue)))
  }

  /// Reads the field; Lua calls this as (proxy).
  package func read(_ call: inout LuaCall, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    try read(reader.read(), &call, state)
  }

  private func read(
    _ receiver: wax_lua_value, _ call: inout LuaCall, _ state: LuaState
  ) throws(LuaRaise) {
    let base = try base(receiver, call.arguments)
    if let actor = foreignActor(receiver) {
      return try FieldWait.begin(stored, name, of: base, on: actor, &call)
    }
    var temporaries = Temporaries()
    try push(base, call.writer, &temporaries)
    if stored.field.isStrong { return }
    wax_lua_push_call_results(call.raw)
    temporaries.end(state)
  }

  /// Pushes the property of the value at `base`.
  package func push(
    _ base: UnsafeMutableRawPointer, _ writer: LuaWriter, _ temporaries: inout Temporaries
  ) throws(LuaRaise) {
    try converting { () throws(ConversionError) in
      try stored.push(base, writer, &temporaries)
    }
  }

  /// (proxy, …, value): the old value is released with the state left.
  package func write(_ call: inout LuaCall, valueIndex: Int, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    // A value is a copy of the script's.
    if state.refusesEffects, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue {
      throw .message(state.refusal(of: "it would set \(name)"))
    }
    let target = try base(receiver, reader)
    if foreignActor(receiver) != nil {
      throw .message(
        "\(name) belongs to an actor: set it in an override of one of the actor's methods"
      )
    }
    for _ in 1..<valueIndex { reader.skip() }
    var temporaries = Temporaries()
    try converting { () throws(ConversionError) in
      try stored.write(target, &reader, &temporaries)
    }
    temporaries.end(state)
  }

  /// The actor that it belongs to, if this thread is not on it.
  private func foreignActor(_ receiver: wax_lua_value) -> ExecutorReference? {
    guard belongsToActor, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue,
      let object = receiver.pointer,
      let actor = FunctionIsolation.executor(
        ofActor: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()),
      !actor.isCurrent
    else { return nil }
    return actor
  }

  private var name: String { "\(owner).\(stored.field.shownName)" }

  private func converting(_ body: () throws(ConversionError) -> Void) throws(LuaRaise) {
    do throws(ConversionError) {
      try body()
    } catch {
      throw .message("\(owner): \(error)")
    }
  }

  private func base(
    _ receiver: wax_lua_value, _ reader: LuaReader
  ) throws(LuaRaise) -> UnsafeMutableRawPointer {
    if receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue { return receiver.pointer }
    if let held = ValueBox.contents(of: receiver) { return held.memory }
    throw .message("\(name) is asked of \(ValueDescription.of(receiver, reader))")
  }
}
