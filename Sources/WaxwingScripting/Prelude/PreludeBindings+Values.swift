// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The functions of the prelude that are about values.
extension PreludeBindings {

  /// Finds a part of an object or a value besides the members of its type: `super`, `case`. Lua
  /// calls this as (value, name).
  func findPart(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    let type: any Any.Type
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      type = ObjectReference.dynamicType(object)
    } else if let held = ValueBox.contents(of: value), LiveCollection.of(value) == nil {
      type = TypeMetadata.type(at: held.type)
    } else {
      throw .message(
        "`patching` takes what `class` or `module` gave, a class's name, an object or a value, got "
          + ValueDescription.of(value, reader))
    }
    let name = reader.displayString(reader.read()) ?? ""
    try runtime.types.members(of: type).getPart(name, &call)
  }

  /// (value): a struct's stored properties, or an enum's payload.
  func parts(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    guard let held = ValueBox.contents(of: value), LiveCollection.of(value) == nil else {
      throw .message(
        "`unpack` takes a table, a struct or an enum, got \(ValueDescription.of(value, reader))")
    }
    let type = TypeMetadata.type(at: held.type)
    try runtime.types.members(of: type).parts(&call)
  }

  /// (value, properties): another value of the same struct, of a table of its stored properties.
  func repack(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    guard let held = ValueBox.contents(of: value), LiveCollection.of(value) == nil else {
      throw .message("`repack` takes a struct, got \(ValueDescription.of(value, reader))")
    }
    let type = TypeMetadata.type(at: held.type)
    guard let codec = try? CodecLibrary.codec(for: type, as: .general) else {
      throw .message("`repack` cannot make a \(TypeName.short(type))")
    }
    do throws(ConversionError) {
      try StoredValue(codec, &reader).push(call.writer)
    } catch {
      throw .message(error.description)
    }
  }

  /// Returns an object with all its properties as text, or a live collection; nil for other values.
  /// Lua calls this as (value).
  func reveal(_ call: inout LuaCall) throws(LuaRaise) {
    if let refusal = FieldVisibility.refusal {
      throw .message("reveal is not allowed here: \(refusal); use `tostring`")
    }
    var reader = call.arguments
    let value = reader.read()
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      call.writer.string(state.suspended { ValueText.object(object, .all) })
    } else if let live = LiveCollection.of(value) {
      call.writer.string("live \(live.title) (\(live.form.count(live.contents)))")
    } else {
      call.writer.nil()
    }
  }

  /// (object, name): the property as a live collection.
  func live(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer else {
      throw .message(
        "`live` takes an object, got \(ValueDescription.of(value, reader)); write "
          + "live(object).property")
    }
    let name = reader.displayString(reader.read()) ?? ""
    let collection = try LiveFinder.collection(name, of: object) { (name) throws(LuaRaise) in
      try runtime.types.setter(name, of: ObjectReference.dynamicType(object))
    }
    LiveCollection.push(collection, call.writer)
  }

  /// Returns a table of the present contents of a live collection, or a copy of a struct or enum.
  /// For other values a lenient copy is nil. Lua calls this as (value, is lenient).
  func copy(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    if let live = LiveCollection.of(value) {
      return live.form.pushTable(live.contents, call.writer)
    }
    let isLenient = reader.read().integer != 0
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue, !ValueBox.isError(value),
      let held = ValueBox.contents(of: value),
      let codec = try? CodecLibrary.codec(for: TypeMetadata.type(at: held.type), as: .general)
    else {
      if isLenient { return }
      throw .message(
        "`copy` takes a live collection, a struct or an enum, got "
          + ValueDescription.of(value, reader))
    }
    codec.push(held.memory, call.writer)
  }

  /// Writes the function that makes a case of an enum, of its payload, if it has one. If it has none the word `case`
  /// follows: Lua has the function called wherever the case is written.
  /// - Returns: Whether the type is an enum with a case of this name.
  func pushCase(
    _ name: String, of type: RunningType, _ call: inout LuaCall
  ) -> Bool {
    guard type.nominal.kind == .enum,
      let enumType = runtime.resolver.program.runtimeType(type.node),
      let enumCase = EnumCase.all(of: enumType).first(where: { $0.name == name })
    else { return false }
    let builder = CaseBuilder(enumCase, of: enumType)
    call.writer.function(
      state.register { (call) throws(LuaRaise) in
        try builder.push(call.arguments, count: call.argumentCount, call.writer)
      })
    if !enumCase.hasPayload { call.writer.string("case") }
    return true
  }
}
