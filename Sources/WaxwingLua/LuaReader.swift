// SPDX-License-Identifier: MIT

public import CWaxwingLua
internal import Glibc

/// Reads the values of a buffer one after the other, a collection as its head and then its parts.
public struct LuaReader {
  private let buffer: UnsafeMutablePointer<wax_lua_buffer>
  /// The buffer that the reader reads from.
  package var source: UnsafeMutablePointer<wax_lua_buffer> { buffer }
  @usableFromInline package var next: UnsafeMutablePointer<wax_lua_value>
  @usableFromInline package var end: UnsafeMutablePointer<wax_lua_value>

  package init(_ buffer: UnsafeMutablePointer<wax_lua_buffer>) {
    self.buffer = buffer
    next = buffer.pointee.values
    end = next + Int(buffer.pointee.count)
  }

  /// A reader without values.
  package static var empty: LuaReader { LuaReader() }

  private init() {
    // Never read: `next` is at `end`.
    buffer = UnsafeMutablePointer(bitPattern: MemoryLayout<wax_lua_buffer>.alignment)!
    next = UnsafeMutablePointer(bitPattern: MemoryLayout<wax_lua_value>.alignment)!
    end = next
  }

  /// Whether no value is left. Reading on gives nil values, as Lua does for arguments that were
  /// left out.
  @inlinable package var isAtEnd: Bool { next >= end }

  /// The value that `read` would give, without moving on.
  @inlinable package var peeked: wax_lua_value { isAtEnd ? wax_lua_value() : next.pointee }

  /// Moves on by one entry and returns it.
  @inlinable package mutating func read() -> wax_lua_value {
    if isAtEnd { return wax_lua_value() }
    defer { next += 1 }
    return next.pointee
  }

  /// Whether values are read only to try them, so that no code of the program may run for them.
  /// Holds for all readers of the buffer.
  package var isTrial: Bool {
    get { !isAtEnd && buffer.pointee.is_trial }
    nonmutating set { if !isAtEnd { buffer.pointee.is_trial = newValue } }
  }

  /// How many entries there are from here to where another reader of the same buffer is.
  package func distance(to other: LuaReader) -> Int { other.next - next }

  /// A reader of the values before another reader of the same buffer.
  package func ending(at other: LuaReader) -> LuaReader {
    var reader = self
    reader.end = other.next
    return reader
  }

  /// Moves past one value, parts included.
  package mutating func skip() {
    var pending = 1
    while pending > 0, !isAtEnd {
      let value = read()
      pending -= 1
      if value.tag == WAX_LUA_VALUE_ARRAY.rawValue { pending += Int(value.count) }
      if value.tag == WAX_LUA_VALUE_TABLE.rawValue { pending += 2 * Int(value.count) }
    }
  }

  /// The bytes of a string value; valid while the value is on Lua's stack and the state entered.
  package func bytes(of value: wax_lua_value) -> UnsafeRawBufferPointer {
    var value = value
    return UnsafeRawBufferPointer(
      start: wax_lua_value_bytes(buffer, &value), count: Int(value.count))
  }

  /// A string value as a String, or nil if it is another kind of value or not valid UTF-8.
  package func string(_ value: wax_lua_value) -> String? {
    guard value.isString else { return nil }
    return Self.string(bytes(of: value))
  }

  /// - Returns: nil if the bytes are not valid UTF-8.
  package static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    let span = bytes.bindMemory(to: UInt8.self).span
    let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    if wax_lua_is_ascii(text, bytes.count) {
      return String(copying: UTF8Span(unchecked: span, isKnownASCII: true))
    }
    guard let valid = try? UTF8Span(validating: span) else { return nil }
    return String(copying: valid)
  }

  /// A string for messages: invalid UTF-8 is repaired.
  package func displayString(_ value: wax_lua_value) -> String? {
    guard value.isString else { return nil }
    return String(decoding: bytes(of: value), as: UTF8.self)
  }
}

extension wax_lua_value {
  package var isString: Bool {
    tag == WAX_LUA_VALUE_STRING.rawValue || tag == WAX_LUA_VALUE_BYTES.rawValue
  }

  /// Whether the value is the boolean `true`.
  package var isTrue: Bool { tag == WAX_LUA_VALUE_BOOLEAN.rawValue && integer != 0 }

  package var isNil: Bool { tag == WAX_LUA_VALUE_NIL.rawValue }

  /// nil, or the `null` that stands for it in tables.
  package var isNilOrNull: Bool { isNil || tag == WAX_LUA_VALUE_NULL.rawValue }

  /// The name of the value's kind as Lua's `type` returns it, but more exact.
  package var kindName: String {
    switch wax_lua_tag(rawValue: tag) {
    case WAX_LUA_VALUE_NIL: "nil"
    case WAX_LUA_VALUE_BOOLEAN: "boolean"
    case WAX_LUA_VALUE_INTEGER: "integer"
    case WAX_LUA_VALUE_NUMBER: "float"
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES: "string"
    case WAX_LUA_VALUE_OBJECT: "object"
    case WAX_LUA_VALUE_PROXY: "Swift value"
    case WAX_LUA_VALUE_NULL: "null"
    case WAX_LUA_VALUE_FUNCTION: "function"
    case WAX_LUA_VALUE_METATYPE: "type"
    case WAX_LUA_VALUE_ARRAY, WAX_LUA_VALUE_TABLE: "table"
    case WAX_LUA_VALUE_TOO_DEEP: "table nested too deeply (more than \(WAX_LUA_MAX_DEPTH) levels)"
    case WAX_LUA_VALUE_CYCLE: "table that contains itself"
    case WAX_LUA_VALUE_OTHER: String(cString: bytes)
    default: "unknown value"
    }
  }
}
