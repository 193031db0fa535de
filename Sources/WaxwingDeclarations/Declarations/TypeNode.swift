// SPDX-License-Identifier: MIT

/// A Swift type as a symbol spells it.
package indirect enum TypeNode: Hashable, Sendable {
  /// A class, struct, enum, protocol or type alias, with its generic arguments if it is bound.
  case nominal(NominalType)
  /// A tuple; no elements is `Void`.
  case tuple([TupleElement])
  /// A function type.
  case function(FunctionType)
  /// `T.Type`, or `P.Protocol` for an existential type.
  case metatype(TypeNode, MetatypeRepresentation?)
  /// `any P.Type`: the metatype of some type that conforms.
  case existentialMetatype(TypeNode, MetatypeRepresentation?)
  /// `any P & Q`; no parts at all is `Any`.
  case composition(ProtocolComposition)
  /// `any P<T>`, as requirements on `Self`.
  case constrainedExistential(TypeNode, [GenericRequirement])
  /// `Self` inside the requirements of a constrained existential.
  case constrainedExistentialSelf
  /// A generic parameter: of the outermost context at depth 0.
  case genericParameter(depth: Int, index: Int)
  /// `T.Element`; the protocol that declares the name, where the symbol tells it.
  case dependentMember(base: TypeNode, name: String, protocol: TypeNode?)
  /// A type with a word before it, such as `inout`.
  case modified(TypeModifier, TypeNode)
  /// `Self` as a class's method returns it; the class.
  case dynamicSelf(TypeNode)
  /// The `some` in the declaration's own signature, counted from 0.
  case opaqueResult(index: Int)
  /// The opaque result of another declaration.
  case opaque(of: DeclarationContext, index: Int, arguments: [[TypeNode]])
  /// A type of the `Builtin` module.
  case builtin(BuiltinType)
  /// The arguments for a parameter pack.
  case pack([TypeNode])
  /// `repeat pattern`.
  case packExpansion(pattern: TypeNode, count: TypeNode)
  /// `each pack`.
  case packElement(TypeNode, level: Int)
  /// A value as a generic argument.
  case integer(Int)
  /// A type with generic parameters of its own: of a generic function or subscript.
  case generic(GenericSignature, TypeNode)
}

extension TypeNode {
  /// The type of functions without a result.
  package static let void = TypeNode.tuple([])
  /// The type `Any`.
  package static let any = TypeNode.composition(
    ProtocolComposition(protocols: [], superclass: nil, isClassBound: false))

  /// The type `any P` of a protocol `P`.
  package static func existential(of protocolType: TypeNode) -> TypeNode {
    .composition(
      ProtocolComposition(protocols: [protocolType], superclass: nil, isClassBound: false))
  }

  static func array(of element: TypeNode) -> TypeNode {
    .nominal(.standard(.struct, "Array", arguments: [element]))
  }

  static func dictionary(from key: TypeNode, to value: TypeNode) -> TypeNode {
    .nominal(.standard(.struct, "Dictionary", arguments: [key, value]))
  }

  static func optional(of payload: TypeNode) -> TypeNode {
    .nominal(.standard(.enum, "Optional", arguments: [payload]))
  }

  /// The type without generic parameters of its own.
  var withoutSignature: TypeNode {
    if case .generic(_, let type) = self { type } else { self }
  }

  /// The nominal type, if it is one.
  package var nominal: NominalType? {
    if case .nominal(let type) = self { type } else { nil }
  }

  /// The function type, if it is one.
  package var function: FunctionType? {
    if case .function(let type) = self { type } else { nil }
  }

  /// Whether the type is a protocol by itself.
  var isProtocol: Bool { nominal?.kind == .protocol }

  /// The type `T` of `T?`; nil for other types.
  package var optionalPayload: TypeNode? { standardArguments(of: "Optional", count: 1)?[0] }

  /// The type `T` of `[T]`; nil for other types.
  var arrayElement: TypeNode? { standardArguments(of: "Array", count: 1)?[0] }

  /// `K` and `V` of `[K: V]`.
  package var dictionaryPair: (key: TypeNode, value: TypeNode)? {
    standardArguments(of: "Dictionary", count: 2).map { ($0[0], $0[1]) }
  }

  private func standardArguments(of name: String, count: Int) -> [TypeNode]? {
    guard let nominal, nominal.arguments.count == count, nominal.name.text == name,
      nominal.name.isPlain, nominal.context == .module("Swift")
    else { return nil }
    return nominal.arguments
  }
}
