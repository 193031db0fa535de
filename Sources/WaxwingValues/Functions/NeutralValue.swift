// SPDX-License-Identifier: MIT

/// Types of which one value means nothing, so that it can stand where a value is missing.
protocol NeutralValue {
  static var neutral: Self { get }
}

extension BinaryInteger where Self: NeutralValue {
  static var neutral: Self { 0 }
}

extension Int: NeutralValue {}
extension Int8: NeutralValue {}
extension Int16: NeutralValue {}
extension Int32: NeutralValue {}
extension Int64: NeutralValue {}
extension UInt: NeutralValue {}
extension UInt8: NeutralValue {}
extension UInt16: NeutralValue {}
extension UInt32: NeutralValue {}
extension UInt64: NeutralValue {}
extension Float: NeutralValue { static var neutral: Float { 0 } }
extension Double: NeutralValue { static var neutral: Double { 0 } }
extension Bool: NeutralValue { static var neutral: Bool { false } }
extension String: NeutralValue { static var neutral: String { "" } }
extension Substring: NeutralValue { static var neutral: Substring { "" } }
extension Optional: NeutralValue { static var neutral: Wrapped? { nil } }
extension Array: NeutralValue { static var neutral: [Element] { [] } }
extension Set: NeutralValue { static var neutral: Set<Element> { [] } }
extension Dictionary: NeutralValue { static var neutral: [Key: Value] { [:] } }

extension AnyHashable: NeutralValue {
  static var neutral: AnyHashable { AnyHashable(Int?.none) }
}

/// Neutral values of types that are known at run time only. Of `Any` it is a nil.
enum NeutralValues {
  static func exists(of type: any Any.Type) -> Bool {
    if type == Any.self { return true }
    if TypeMetadata.kind(of: type) == .tuple {
      return TypeMetadata.elements(of: type).allSatisfy { exists(of: $0.type) }
    }
    return type is any NeutralValue.Type
  }

  static func initialize(_ type: any Any.Type, _ target: UnsafeMutableRawPointer) {
    if type == Any.self {
      target.initializeMemory(as: Any.self, to: Any?.none as Any)
      return
    }
    for element in TypeMetadata.elements(of: type) {
      initialize(element.type, target + element.offset)
    }
    func put<Value: NeutralValue>(_: Value.Type) {
      target.initializeMemory(as: Value.self, to: Value.neutral)
    }
    if let type = type as? any NeutralValue.Type { put(type) }
  }
}
