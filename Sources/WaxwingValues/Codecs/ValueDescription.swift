// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

/// Describes a Lua value for messages: its kind, and the value itself if that is short.
package enum ValueDescription {
  package static func of(_ value: wax_lua_value, _ reader: LuaReader) -> String {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_BOOLEAN: "boolean \(value.integer != 0)"
    case WAX_LUA_VALUE_INTEGER: "integer \(value.integer)"
    case WAX_LUA_VALUE_NUMBER: "float \(value.number)"
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES: string(value, reader)
    case WAX_LUA_VALUE_OBJECT: object(value.pointer)
    case WAX_LUA_VALUE_PROXY: proxy(value)
    case WAX_LUA_VALUE_METATYPE: "the type " + (Metatype.type(of: value).map(TypeName.short) ?? "?")
    default: value.kindName
    }
  }

  /// The value alone, without its kind if that is plain.
  package static func brief(_ value: wax_lua_value, _ reader: LuaReader) -> String {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES: of(value, reader)
    default: logged(value, reader).description
    }
  }

  /// The value as a log line has it.
  package static func logged(
    _ value: wax_lua_value, _ reader: LuaReader
  ) -> LogLine.Value {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_BOOLEAN: .boolean(value.integer != 0)
    case WAX_LUA_VALUE_INTEGER: .integer(Int(value.integer))
    case WAX_LUA_VALUE_NUMBER: .number(value.number)
    default: .text(reader.displayString(value) ?? of(value, reader))
    }
  }

  private static func string(_ value: wax_lua_value, _ reader: LuaReader) -> String {
    guard let text = reader.string(value) else { return "string of \(value.count) bytes" }
    return text.count <= 40 ? "string \"\(text)\"" : "string of \(value.count) bytes"
  }

  private static func object(_ pointer: UnsafeMutableRawPointer) -> String {
    "an object of class " + TypeName.short(ObjectReference.dynamicType(pointer))
  }

  private static func held(_ type: any Any.Type) -> String {
    let codec = try? CodecLibrary.codec(for: type)
    let hint = codec.map { $0.isBoxing } ?? true ? "" : ", whose Lua form is its `value`"
    return "a value of type " + TypeName.short(type) + hint
  }

  /// The text for a Lua value that stands for another one; nil if the value is one of the
  /// program's.
  private static func standIn(_ value: wax_lua_value) -> String? {
    guard let box = ValueBox.contents(of: value),
      let type = TypeMetadata.type(at: box.type) as? any StandInValue.Type
    else { return nil }
    func shown<Value: StandInValue>(_ type: Value.Type) -> String {
      box.memory.assumingMemoryBound(to: type).pointee.shownValue
    }
    return shown(type)
  }

  private static func proxy(_ value: wax_lua_value) -> String {
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_UINT64: return "integer \(UInt(bitPattern: proxy.pointer))"
    case WAX_PROXY_KIND_ERROR: return "a Swift error"
    case WAX_PROXY_KIND_POINTER: return "a raw pointer"
    case WAX_PROXY_KIND_PENDING: return "an instance that is not initialized yet"
    case WAX_PROXY_KIND_WEAK: return "a weak reference (its object is `.object`)"
    case WAX_PROXY_KIND_VALUE:
      if let live = LiveCollection.of(value) { return "a live collection, \(live.title)" }
      guard let type = proxy.type else { return "a Swift value" }
      return standIn(value) ?? held(TypeMetadata.type(at: type))
    default: return "an instance that does not exist any more"
    }
  }
}
