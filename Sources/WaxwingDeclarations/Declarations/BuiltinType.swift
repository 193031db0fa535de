// SPDX-License-Identifier: MIT

/// A type of the `Builtin` module.
package indirect enum BuiltinType: Hashable, Sendable {
  /// A type by its name after `Builtin.` and the letters it is mangled as.
  case named(String, code: String)
  /// Several values of a builtin type in one register.
  case vector(count: Int, element: BuiltinType)
  /// A fixed-size array.
  case fixedArray(count: TypeNode, element: TypeNode)

  /// The types mangled as one letter after `B`.
  static let singleLetter: [UInt8: String] = [
    UInt8(ascii: "b"): "BridgeObject", UInt8(ascii: "B"): "UnsafeValueBuffer",
    UInt8(ascii: "e"): "Executor", UInt8(ascii: "I"): "IntLiteral",
    UInt8(ascii: "O"): "UnknownObject", UInt8(ascii: "o"): "NativeObject",
    UInt8(ascii: "p"): "RawPointer", UInt8(ascii: "j"): "Job",
    UInt8(ascii: "D"): "DefaultActorStorage",
    UInt8(ascii: "d"): "NonDefaultDistributedActorStorage",
    UInt8(ascii: "c"): "RawUnsafeContinuation", UInt8(ascii: "t"): "SILToken",
    UInt8(ascii: "w"): "Word", UInt8(ascii: "P"): "PackIndex", UInt8(ascii: "T"): "TheTupleType",
    UInt8(ascii: "A"): "ImplicitActor",
  ]

  /// The name after `Builtin.`; for a fixed array only the family's.
  var name: String {
    switch self {
    case .named(let name, _): name
    case .vector(let count, let element): "Vec\(count)x\(element.name)"
    case .fixedArray: "FixedArray"
    }
  }
}
