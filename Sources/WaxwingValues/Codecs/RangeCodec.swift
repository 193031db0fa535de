// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua

/// The common part of `Range` and `ClosedRange`.
protocol BoundedRange<Bound> {
  associatedtype Bound: Comparable
  var lowerBound: Bound { get }
  var upperBound: Bound { get }
}

extension Range: BoundedRange {}
extension ClosedRange: BoundedRange {}

/// Ranges: a proxy with `lowerBound` and `upperBound`. From Lua also a table of the two, by name or
/// position; the declared type says whether the upper bound is part of it.
/// Unchecked: immutable, like every codec.
final class RangeCodec<Value: BoundedRange>: BoxCodec<Value>, @unchecked Sendable {
  private let bound: ValueCodec
  private let make: (Value.Bound, Value.Bound) -> Value

  init(_ bound: ValueCodec, make: @escaping (Value.Bound, Value.Bound) -> Value) {
    self.bound = bound
    self.make = make
    super.init()
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let head = reader.peeked
    guard head.tag == WAX_LUA_VALUE_ARRAY.rawValue || head.tag == WAX_LUA_VALUE_TABLE.rawValue
    else {
      return try super.read(&reader, into: target)
    }
    _ = reader.read()
    let names = ["lowerBound", "upperBound"]
    let table = try TablePositions(head, &reader, names: names, typeName: typeName)
    var bounds: [Value.Bound] = []
    for (index, name) in names.enumerated() {
      do throws(ConversionError) {
        var value = table.readers[index] ?? .empty
        bounds.append(try bound.value(&value, as: Value.Bound.self))
      } catch {
        throw error.at(.key(name))
      }
    }
    guard bounds[0] <= bounds[1] else {
      throw ConversionError(
        expected: typeName, found: "a lower bound \(bounds[0]) above the upper one, \(bounds[1])")
    }
    target.initializeMemory(as: Value.self, to: make(bounds[0], bounds[1]))
  }
}

extension ValueCodec {
  /// Reads one value of the codec's type, which is `Value`.
  package func value<Value>(
    _ reader: inout LuaReader, as: Value.Type
  ) throws(ConversionError) -> Value {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { memory.deallocate() }
    try read(&reader, into: memory)
    return memory.move()
  }
}
