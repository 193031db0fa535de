// SPDX-License-Identifier: MIT

package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// Makes ranges: `Range(1, 5)` and `ClosedRange(1, 5)` are the `..<` and `...` of Swift, for which
/// Lua has no operators. The bounds have the type of the arguments.
package enum RangeBuilder {
  /// A function that makes ranges of a type; nil if the type is no range.
  package static func function(
    for type: RunningType
  ) -> ((inout LuaCall) throws(LuaRaise) -> Void)? {
    guard type.name == "Swift.Range" || type.name == "Swift.ClosedRange" else { return nil }
    let isClosed = type.name == "Swift.ClosedRange"
    return { (call) throws(LuaRaise) in try push(isClosed, call.arguments, call) }
  }

  private static func push(
    _ isClosed: Bool, _ arguments: LuaReader, _ call: LuaCall
  ) throws(LuaRaise) {
    let name = isClosed ? "ClosedRange" : "Range"
    guard call.argumentCount == 2 else {
      throw .message(
        "\(name) takes its lower and its upper bound, got \(call.argumentCount) values")
    }
    var second = arguments
    second.skip()
    let known = [arguments, second].compactMap { LuaTypes.type(of: $0) }
    guard
      let type = (known.first(where: \.isCertain) ?? known.max { rank($0.type) < rank($1.type) })?
        .type as? any Comparable.Type
    else {
      let text = ValueDescription.of(arguments.peeked, arguments)
      throw .message("\(name) takes two values that can be compared, got \(text)")
    }
    do throws(ConversionError) {
      try push(type, isClosed, arguments, second, call.writer)
    } catch {
      throw .message("\(name): \(error)")
    }
  }

  /// The rank of a bound's type: of an integer and a float, both become floats.
  private static func rank(_ type: any Any.Type) -> Int { type == Double.self ? 1 : 0 }

  private static func push<Bound: Comparable>(
    _: Bound.Type, _ isClosed: Bool, _ first: LuaReader, _ second: LuaReader, _ writer: LuaWriter
  ) throws(ConversionError) {
    let lower = try bound(first, Bound.self)
    let upper = try bound(second, Bound.self)
    guard lower <= upper else {
      throw ConversionError(
        expected: TypeName.short(Range<Bound>.self),
        found: "a lower bound \(lower) above the upper one, \(upper)")
    }
    if isClosed { try push(lower...upper, writer) } else { try push(lower..<upper, writer) }
  }

  private static func bound<Bound>(
    _ reader: LuaReader, _: Bound.Type
  ) throws(ConversionError) -> Bound {
    var reader = reader
    return try codec(Bound.self).value(&reader, as: Bound.self)
  }

  private static func push<Value>(_ value: Value, _ writer: LuaWriter) throws(ConversionError) {
    let codec = try codec(Value.self)
    withUnsafePointer(to: value) { codec.push($0, writer) }
  }

  private static func codec<Value>(_ type: Value.Type) throws(ConversionError) -> ValueCodec {
    do throws(UnsupportedType) {
      return try CodecLibrary.codec(for: type)
    } catch {
      throw ConversionError(expected: TypeName.short(type), found: "\(error)")
    }
  }
}
