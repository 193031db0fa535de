// SPDX-License-Identifier: MIT

public import CWaxwingLua
internal import Glibc

/// Reads the values of a buffer one after the other, a collection as its head and then its parts.
public struct LuaReader {
  private let buffer: UnsafeMutablePointer<waxwing_buffer>
  /// What it reads from.
  package var source: UnsafeMutablePointer<waxwing_buffer> { buffer }
  @usableFromInline package var next: UnsafeMutablePointer<waxwing_value>
  @usableFromInline package var end: UnsafeMutablePointer<waxwing_value>

  package init(_ buffer: UnsafeMutablePointer<waxwing_buffer>) {
    self.buffer = buffer
    next = buffer.pointee.values
    end = next + Int(buffer.pointee.count)
  }

  /// Has no values.
  package static var empty: LuaReader { LuaReader() }

  private init() {
    // Never read: `next` is at `end`.
    buffer = UnsafeMutablePointer(bitPattern: MemoryLayout<waxwing_buffer>.alignment)!
    next = UnsafeMutablePointer(bitPattern: MemoryLayout<waxwing_value>.alignment)!
    end = next
  }

  /// No value is left. Reading on gives nil values, as Lua does for arguments that were left out.
  @inlinable package var isAtEnd: Bool { next >= end }

  /// The value that `read` would give, without moving on.
  @inlinable package var peeked: waxwing_value { isAtEnd ? waxwing_value() : next.pointee }

  /// Moves on by one entry and returns it.
  @inlinable package mutating func read() -> waxwing_value {
    if isAtEnd { return waxwing_value() }
    defer { next += 1 }
    return next.pointee
  }

  /// How many entries there are from here to where another reader of the same buffer is.
  package func distance(to other: LuaReader) -> Int { other.next - next }

  /// A reader for what is before another reader of the same buffer.
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
      if value.tag == WAXWING_ARRAY.rawValue { pending += Int(value.count) }
      if value.tag == WAXWING_TABLE.rawValue { pending += 2 * Int(value.count) }
    }
  }

  /// The bytes of a string value; valid while the value is on Lua's stack and the state entered.
  package func bytes(of value: waxwing_value) -> UnsafeRawBufferPointer {
    var value = value
    return UnsafeRawBufferPointer(
      start: waxwing_value_bytes(buffer, &value), count: Int(value.count))
  }

  /// A string value as a String, or nil if it is another kind of value or not valid UTF-8.
  package func string(_ value: waxwing_value) -> String? {
    guard value.isString else { return nil }
    return Self.string(bytes(of: value))
  }

  /// - Returns: nil if the bytes are not valid UTF-8.
  package static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    let span = bytes.bindMemory(to: UInt8.self).span
    let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    if waxwing_is_ascii(text, bytes.count) {
      return String(copying: UTF8Span(unchecked: span, isKnownASCII: true))
    }
    guard let valid = try? UTF8Span(validating: span) else { return nil }
    return String(copying: valid)
  }

  /// A string for messages: invalid UTF-8 is repaired.
  package func displayString(_ value: waxwing_value) -> String? {
    guard value.isString else { return nil }
    return String(decoding: bytes(of: value), as: UTF8.self)
  }
}

extension waxwing_value {
  package var isString: Bool {
    tag == WAXWING_STRING.rawValue || tag == WAXWING_BYTES.rawValue
  }

  /// Whether it is the boolean `true`.
  package var isTrue: Bool { tag == WAXWING_BOOLEAN.rawValue && integer != 0 }

  package var isNil: Bool { tag == WAXWING_NIL.rawValue }

  /// nil, or the `null` that stands for it in tables.
  package var isNilOrNull: Bool { isNil || tag == WAXWING_NULL.rawValue }

  /// What Lua's `type` says, more exactly where Lua lumps together.
  package var kindName: String {
    switch waxwing_tag(rawValue: tag) {
    case WAXWING_NIL: "nil"
    case WAXWING_BOOLEAN: "boolean"
    case WAXWING_INTEGER: "integer"
    case WAXWING_NUMBER: "float"
    case WAXWING_STRING, WAXWING_BYTES: "string"
    case WAXWING_OBJECT: "object"
    case WAXWING_PROXY: "Swift value"
    case WAXWING_NULL: "null"
    case WAXWING_FUNCTION: "function"
    case WAXWING_METATYPE: "type"
    case WAXWING_ARRAY, WAXWING_TABLE: "table"
    case WAXWING_TOO_DEEP: "table nested too deeply (more than \(WAXWING_MAX_DEPTH) levels)"
    case WAXWING_CYCLE: "table that contains itself"
    case WAXWING_OTHER: String(cString: bytes)
    default: "unknown value"
    }
  }
}
