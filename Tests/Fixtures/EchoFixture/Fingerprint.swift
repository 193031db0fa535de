// SPDX-License-Identifier: MIT

/// What a value is, as text: its type, every bit of its numbers, every byte of its strings, which
/// objects it refers to.
enum Fingerprint {
  static func of<Value>(_ value: Value) -> String {
    // At run time, as the compiler would put an existential itself into the `Any`.
    let value = opened(value, as: Any.self)
    let type = type(of: value)
    if let exact = value as? any Exact { return exact.fingerprint }
    if type is AnyObject.Type { return object(value, type) }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map { "\($0.label ?? ""):\(of($0.value))" }
    if mirror.displayStyle == .enum, children.isEmpty { return "\(type).\(value)" }
    return "\(type)(" + children.joined(separator: ", ") + ")"
  }

  private static func opened<Value, Target>(_ value: Value, as: Target.Type) -> Target {
    value as! Target
  }

  /// By its address; `as AnyObject` would put an error into a box of its own.
  private static func object(_ value: Any, _ type: any Any.Type) -> String {
    func identity<Object>(_ object: Object) -> String {
      "\(type)@" + String(withUnsafeBytes(of: object) { $0.load(as: UInt.self) }, radix: 16)
    }
    guard let error = value as? any Error else { return _openExistential(value, do: identity) }
    return identity(error)
  }
}

/// A type whose values a mirror does not show, or not exactly.
protocol Exact {
  var fingerprint: String { get }
}

extension Exact where Self: FixedWidthInteger {
  var fingerprint: String { "\(Self.self) \(self)" }
}

extension Int: Exact {}
extension Int8: Exact {}
extension Int16: Exact {}
extension Int32: Exact {}
extension Int64: Exact {}
extension UInt: Exact {}
extension UInt8: Exact {}
extension UInt16: Exact {}
extension UInt32: Exact {}
extension UInt64: Exact {}
extension Int128: Exact {}
extension UInt128: Exact {}

extension UnsafeRawPointer: Exact { var fingerprint: String { "\(self)" } }
extension Bool: Exact { var fingerprint: String { "\(self)" } }

extension Double: Exact {
  var fingerprint: String { "Double \(self) 0x" + String(bitPattern, radix: 16) }
}

extension Float: Exact {
  var fingerprint: String { "Float \(self) 0x" + String(bitPattern, radix: 16) }
}

extension Exact where Self: StringProtocol {
  var fingerprint: String { "\(Self.self) \(Array(utf8).count) \(String(self).debugDescription)" }
}

extension String: Exact {}
extension Substring: Exact {}
extension Character: Exact { var fingerprint: String { "Character " + String(self).fingerprint } }

extension Optional: Exact {
  var fingerprint: String {
    guard let self else { return "\(Self.self) nil" }
    return "Optional(" + Fingerprint.of(self) + ")"
  }
}

extension Array: Exact {
  var fingerprint: String {
    "\(Self.self)[" + map { Fingerprint.of($0) }.joined(separator: ", ") + "]"
  }
}

extension Set: Exact {
  var fingerprint: String {
    "\(Self.self)[" + map { Fingerprint.of($0) }.sorted().joined(separator: ", ") + "]"
  }
}

extension Dictionary: Exact {
  var fingerprint: String {
    let entries = map { Fingerprint.of($0.key) + " = " + Fingerprint.of($0.value) }
    return "\(Self.self)[" + entries.sorted().joined(separator: ", ") + "]"
  }
}
