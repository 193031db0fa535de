// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua
internal import WaxwingValues

/// Lua's operators for SIMD values, lane by lane: the standard library's own functions are inlined at every use, so
/// that a program has none to call. A number stands for a vector that has it in each lane.
///
/// Lanes of integers do not wrap, as Lua's have nothing like `&+`: what overflows is an error.
package struct VectorOperators {
  private let type: any Any.Type
  private let typeName: String

  /// Creates the operators; nil if the type is no SIMD type.
  package init?(_ type: any Any.Type) {
    guard type is any SIMD.Type else { return nil }
    self.type = type
    typeName = TypeName.short(type)
  }

  /// (vector or number, vector or number), or (vector): writes the result.
  /// - Parameter text: The operator, as Swift writes it for numbers.
  package func run(
    _ text: String, isUnary: Bool, _ call: inout LuaCall
  ) throws(LuaRaise) {
    guard let vector = type as? any SIMD.Type else { return }
    try run(vector, text, isUnary, &call)
  }

  private func run<Vector: SIMD>(
    _: Vector.Type, _ text: String, _ isUnary: Bool, _ call: inout LuaCall
  ) throws(LuaRaise) {
    var reader = call.arguments
    let left: Vector = try operand(&reader, text)
    let right: Vector = isUnary ? left : try operand(&reader, text)
    let lanes = try lanes(
      isUnary ? "prefix \(text)" : text, left.lanes, right.lanes, of: Vector.Scalar.self)
    var result = Vector()
    for index in result.indices { result[index] = lanes[index] }
    withUnsafePointer(to: result) { CodecLibrary.known(Vector.self).push($0, call.writer) }
  }

  /// Whether an index is one of a lane; others would end the program.
  package func checkLane(_ index: wax_lua_value) throws(LuaRaise) {
    guard index.tag == WAX_LUA_VALUE_INTEGER.rawValue else { return }
    guard let vector = type as? any SIMD.Type else { return }
    let count = Self.count(vector)
    guard index.integer < 0 || index.integer >= count else { return }
    throw .message("\(typeName) has the lanes 0 to \(count - 1): there is no [\(index.integer)]")
  }

  private static func count<Vector: SIMD>(_: Vector.Type) -> Int { Vector.scalarCount }

  // MARK: Operands

  private func operand<Vector: SIMD>(
    _ reader: inout LuaReader, _ text: String
  ) throws(LuaRaise) -> Vector {
    let isNumber = [WAX_LUA_VALUE_INTEGER, WAX_LUA_VALUE_NUMBER, WAX_LUA_VALUE_BOOLEAN].contains {
      $0.rawValue == reader.peeked.tag
    }
    do throws(ConversionError) {
      if isNumber { return Vector(repeating: try value(&reader)) }
      return try value(&reader)
    } catch {
      throw .message("`\(text)` of \(typeName): \(error)")
    }
  }

  private func value<Value>(_ reader: inout LuaReader) throws(ConversionError) -> Value {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { memory.deallocate() }
    try CodecLibrary.known(Value.self).read(&reader, into: memory)
    return memory.move()
  }

  // MARK: Lanes

  private func lanes<Lane>(
    _ text: String, _ left: [Lane], _ right: [Lane], of type: Lane.Type
  ) throws(LuaRaise) -> [Lane] {
    var lanes: [Lane] = []
    for (index, (left, right)) in zip(left, right).enumerated() {
      let result: Any?
      if let left = left as? any BinaryFloatingPoint {
        result = Self.real(text, left, right)
      } else if let left = left as? any FixedWidthInteger {
        result = Self.integer(text, left, right)
        if result == nil, Self.integerOperators.contains(text) {
          throw .message(
            "`\(text)` of \(typeName): lane \(index) has no result: \(left) and \(right)")
        }
      } else if let left = left as? Bool, let right = right as? Bool {
        result = Self.boolean(text, left, right)
      } else {
        result = nil
      }
      guard let lane = result as? Lane else {
        throw .message(
          "\(typeName) has no operator `\(text)`: compare and combine lanes, such as `v[0]`")
      }
      lanes.append(lane)
    }
    return lanes
  }

  private static func real<Lane: BinaryFloatingPoint>(
    _ text: String, _ left: Lane, _ right: Any
  ) -> Any? {
    guard let right = right as? Lane else { return nil }
    switch text {
    case "+": return left + right
    case "-": return left - right
    case "*": return left * right
    case "/": return left / right
    case "prefix -": return -left
    default: return nil
    }
  }

  private static let integerOperators: Set = ["+", "-", "*", "/", "%", "<<", ">>", "prefix -"]

  /// The result of an operator on integers; nil if it overflows, or there is no such operator.
  private static func integer<Lane: FixedWidthInteger>(
    _ text: String, _ left: Lane, _ right: Any
  ) -> Any? {
    guard let right = right as? Lane else { return nil }
    func exact(_ result: (partialValue: Lane, overflow: Bool)) -> Lane? {
      result.overflow ? nil : result.partialValue
    }
    switch text {
    case "+": return exact(left.addingReportingOverflow(right))
    case "-": return exact(left.subtractingReportingOverflow(right))
    case "*": return exact(left.multipliedReportingOverflow(by: right))
    case "/": return exact(left.dividedReportingOverflow(by: right))
    case "%": return exact(left.remainderReportingOverflow(dividingBy: right))
    case "prefix -": return exact(Lane(0).subtractingReportingOverflow(left))
    case "&": return left & right
    case "|": return left | right
    case "^": return left ^ right
    case "prefix ~": return ~left
    case "<<": return right >= 0 && right < Lane.bitWidth ? left << right : nil
    case ">>": return right >= 0 && right < Lane.bitWidth ? left >> right : nil
    default: return nil
    }
  }

  private static func boolean(_ text: String, _ left: Bool, _ right: Bool) -> Any? {
    switch text {
    case "&": left && right
    case "|": left || right
    case "^": left != right
    case "prefix ~": !left
    default: nil
    }
  }
}

extension SIMD {
  fileprivate var lanes: [Scalar] { indices.map { self[$0] } }
}
