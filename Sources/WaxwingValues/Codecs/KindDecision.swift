// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingLua

/// Whether the kind of a Lua value tells alone whether a codec takes it, so that all values of the kind are treated
/// alike. A kind of numbers may be narrowed to the limits within which that is so.
extension wax_call_kind {
  /// Narrows the kind of an integer to those that fit a type as this one does, or do not fit as this one.
  mutating func narrow(_ integer: Int64, to range: ClosedRange<Int64>) {
    if range.contains(integer) {
      low = max(low, range.lowerBound)
      high = min(high, range.upperBound)
    } else if integer < range.lowerBound {
      high = min(high, range.lowerBound - 1)
    } else {
      low = max(low, range.upperBound + 1)
    }
  }

  /// Narrows the kind of a number to those from `-limit` to `limit`.
  /// - Returns: False: the number is none of these.
  mutating func narrow(_ number: Double, within limit: Double) -> Bool {
    guard abs(number) <= limit else { return false }
    (least, most) = (max(least, -limit), min(most, limit))
    return true
  }

  /// Narrows the kind of an integer to those that a float type of so many bits of precision has exactly.
  /// - Returns: False: nothing tells whether it has this one.
  mutating func narrow(_ integer: Int64, precision: Int64) -> Bool {
    let limit: Int64 = 1 << precision
    guard integer >= -limit, integer <= limit else { return false }
    narrow(integer, to: -limit...limit)
    return true
  }

  var isNumber: Bool { tag == WAX_LUA_VALUE_NUMBER.rawValue }
  var isInteger: Bool { tag == WAX_LUA_VALUE_INTEGER.rawValue }
  var isText: Bool { tag == WAX_LUA_VALUE_STRING.rawValue }
  var isFunction: Bool { tag == WAX_LUA_VALUE_FUNCTION.rawValue }
  var isProxy: Bool { tag == WAX_LUA_VALUE_PROXY.rawValue }
  var isMetatype: Bool { tag == WAX_LUA_VALUE_METATYPE.rawValue }

  /// Whether a value in a proxy is one of the engine's own, which stands for what it holds: a live collection, an
  /// opaque value.
  var isStandIn: Bool {
    guard isProxy, let type else { return false }
    return type == TypeMetadata.pointer(to: LiveCollection.self)
      || TypeMetadata.type(at: type) is any StandInValue.Type
  }
}

extension FixedWidthInteger {
  /// The type's values among those of `Int64`.
  fileprivate static var range: ClosedRange<Int64> {
    Int64(clamping: Self.min)...Int64(clamping: Self.max)
  }
}

/// The types whose values Lua's numbers, booleans and strings become, and how their kinds decide.
package enum PlainDecision {
  private typealias Decision = @Sendable (wax_lua_value, inout wax_call_kind) -> Bool

  private static func integers<Value: FixedWidthInteger>(_: Value.Type) -> Decision {
    let range = Value.range
    return { value, kind in
      // A number is taken if it is an integer.
      if kind.isInteger { kind.narrow(value.integer, to: range) }
      return !kind.isNumber
    }
  }

  private static func floats(limit: Double, precision: Int64) -> Decision {
    { value, kind in
      if kind.isInteger { return kind.narrow(value.integer, precision: precision) }
      return kind.isNumber ? kind.narrow(value.number, within: limit) : true
    }
  }

  private static let all: Decision = { _, _ in true }
  private static let wide: Decision = { _, kind in
    !kind.isNumber && !kind.isInteger && !kind.isProxy
  }

  private static let known: [ObjectIdentifier: Decision] = [
    ObjectIdentifier(Int.self): integers(Int.self),
    ObjectIdentifier(UInt.self): integers(UInt.self),
    ObjectIdentifier(Int8.self): integers(Int8.self),
    ObjectIdentifier(UInt8.self): integers(UInt8.self),
    ObjectIdentifier(Int16.self): integers(Int16.self),
    ObjectIdentifier(UInt16.self): integers(UInt16.self),
    ObjectIdentifier(Int32.self): integers(Int32.self),
    ObjectIdentifier(UInt32.self): integers(UInt32.self),
    ObjectIdentifier(Int64.self): integers(Int64.self),
    ObjectIdentifier(UInt64.self): integers(UInt64.self),
    ObjectIdentifier(Double.self): floats(limit: .infinity, precision: 53),
    ObjectIdentifier(Float.self): floats(
      limit: Double(Float.greatestFiniteMagnitude), precision: 24),
    ObjectIdentifier(Float16.self): floats(
      limit: Double(Float16.greatestFiniteMagnitude), precision: 11),
    ObjectIdentifier(Int128.self): wide, ObjectIdentifier(UInt128.self): wide,
    ObjectIdentifier(Bool.self): all, ObjectIdentifier(String.self): all,
    ObjectIdentifier(Substring.self): all, ObjectIdentifier([UInt8].self): all,
    ObjectIdentifier(Character.self): { _, kind in !kind.isText },
  ]

  /// Whether the kind decides for a plain type; nil: it is none.
  static func isDecided(
    _ type: any Any.Type, _ value: wax_lua_value, _ kind: inout wax_call_kind
  ) -> Bool? {
    known[ObjectIdentifier(type)].map { $0(value, &kind) }
  }
}

extension ValueCodec {
  /// Whether the kind alone tells whether the codec takes the value. A true may rest on the limits to which the kind
  /// is narrowed.
  package func isDecided(_ value: wax_lua_value, by kind: inout wax_call_kind) -> Bool {
    if kind.isStandIn { return false }
    // The type itself is a part of these kinds.
    if kind.isMetatype { return true }
    if let decided = PlainDecision.isDecided(type, value, &kind) { return decided }
    switch TypeMetadata.kind(of: type) {
    case .existential, .extendedExistential:
      // By the dynamic type, which Lua's own values have, too. An optional counts as what is in it.
      let isOptional =
        kind.isProxy
        && kind.type.map { TypeMetadata.kind(of: TypeMetadata.type(at: $0)) } == .optional
      return !kind.isFunction && !isOptional && TypeMetadata.existentialForm(of: type) != .error
    case .class: return true
    case .function: return true
    case .metatype, .existentialMetatype: return !kind.isText
    case .struct, .enum:
      if self is any ByteCodec { return true }
      if isBoxing { return !takesLiteral(kind) }
      return self is any TableCodec
    default: return false
    }
  }

  /// Whether a value of the kind may be a case's or a member's name, or a literal of the type: those depend on the
  /// value.
  private func takesLiteral(_ kind: wax_call_kind) -> Bool {
    if kind.isText {
      return TypeMetadata.kind(of: type) == .enum || type is any OptionSet.Type
        || type is any ExpressibleByStringLiteral.Type
    }
    if kind.isInteger { return type is any ExpressibleByIntegerLiteral.Type }
    if kind.isNumber { return type is any ExpressibleByFloatLiteral.Type }
    if kind.tag == WAX_LUA_VALUE_BOOLEAN.rawValue {
      return type is any ExpressibleByBooleanLiteral.Type
    }
    return false
  }
}

/// A codec that takes any string.
protocol ByteCodec: ValueCodec {}
extension ByteCollectionCodec: ByteCodec {}

/// A codec that takes tables, and proxies of its own type.
protocol TableCodec: ValueCodec {}
extension ArrayCodec: TableCodec {}
extension SequenceCodec: TableCodec {}
extension DictionaryCodec: TableCodec {}
extension SetCodec: TableCodec {}
