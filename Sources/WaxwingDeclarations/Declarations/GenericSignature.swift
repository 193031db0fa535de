// SPDX-License-Identifier: MIT

/// The generic parameters of a declaration and their requirements.
package struct GenericSignature: Hashable, Sendable {
  /// How many parameters the declaration adds at each depth, beginning below its context's.
  package let parameterCounts: [Int]
  /// The requirements in the symbol's order.
  package let requirements: [GenericRequirement]

  /// Whether the parameter is a pack: `each T`.
  func isPack(depth: Int, index: Int) -> Bool {
    requirements.contains(.pack(.genericParameter(depth: depth, index: index)))
  }

  /// The type of the parameter if it is a value: `let N: Int`.
  func valueType(depth: Int, index: Int) -> TypeNode? {
    for case .value(.genericParameter(depth, index), let type) in requirements { return type }
    return nil
  }

  /// The requirements that stand after `where`.
  var conditions: [GenericRequirement] {
    requirements.filter {
      switch $0 {
      case .pack, .value: false
      default: true
      }
    }
  }
}

/// A requirement on generic parameters.
package indirect enum GenericRequirement: Hashable, Sendable {
  /// A conformance, `T: P`.
  case conformance(TypeNode, TypeNode)
  /// A superclass, `T: C`.
  case superclass(TypeNode, TypeNode)
  /// A same type, `T == U`.
  case sameType(TypeNode, TypeNode)
  /// Packs of one length.
  case sameShape(TypeNode, TypeNode)
  /// `T: AnyObject` and its relatives.
  case layout(TypeNode, LayoutConstraint)
  /// `T: ~Copyable`, by the protocol's bit.
  case inverse(TypeNode, bit: Int)
  /// A parameter pack, `each T`.
  case pack(TypeNode)
  /// A value parameter, `let N: Int`.
  case value(TypeNode, TypeNode)
}

/// A constraint on how a type's values are laid out.
package struct LayoutConstraint: Hashable, Sendable {
  /// The letter it is mangled as; `C` is `AnyObject`.
  let code: UInt8
  /// The size in bits, where the constraint has one.
  let size: Int?
  /// The alignment in bits, where the constraint has one.
  let alignment: Int?

  /// The name of the constraint.
  package var name: String {
    switch code {
    case UInt8(ascii: "U"): "_UnknownLayout"
    case UInt8(ascii: "R"): "_RefCountedObject"
    case UInt8(ascii: "N"): "_NativeRefCountedObject"
    case UInt8(ascii: "C"): "AnyObject"
    case UInt8(ascii: "D"): "_NativeClass"
    case UInt8(ascii: "T"), UInt8(ascii: "E"), UInt8(ascii: "e"): "_Trivial"
    case UInt8(ascii: "M"), UInt8(ascii: "m"): "_TrivialAtMost"
    default: ""
    }
  }
}
