// SPDX-License-Identifier: MIT

/// The parts of `any P<X>`: the type without its constraints, which types of one shape share, and
/// the types that it is constrained to.
package struct ConstrainedExistential: Sendable {
  /// A place in such a type for which it has a type argument.
  package enum Place: Hashable, Sendable {
    /// A generic argument of the superclass.
    case superclassArgument(Int)
    /// An associated type of `Self`.
    case member(String)
  }

  /// A type that such a type is constrained to.
  package struct Argument: Sendable {
    package let place: Place
    /// The protocol that declares the associated type; nil: the symbol does not tell, as in generic functions.
    package let owner: TypeNode?
    package let type: TypeNode
  }

  /// `any P` of the type, with an unbound superclass and without protocols for the compiler only.
  package let base: ProtocolComposition
  /// The arguments in the order in which the type was spelled, the superclass's first.
  package let arguments: [Argument]

  /// Takes a type apart; nil if it is no such type, or requires anything besides associated types.
  package init?(_ node: TypeNode) {
    guard case .constrainedExistential(let base, let requirements) = node, !requirements.isEmpty
    else { return nil }
    var arguments: [Argument] = []
    var parts: ProtocolComposition
    if case .composition(let composition) = base {
      parts = composition
    } else {
      parts = ProtocolComposition(protocols: [base], superclass: nil, isClassBound: false)
    }
    if let superclass = parts.superclass?.nominal {
      guard superclass.context == superclass.unbound.context else { return nil }
      for (index, argument) in superclass.arguments.enumerated() {
        arguments.append(Argument(place: .superclassArgument(index), owner: nil, type: argument))
      }
    }
    for requirement in requirements {
      guard
        case .sameType(
          .dependentMember(.constrainedExistentialSelf, let name, let owner), let type) =
          requirement
      else { return nil }
      arguments.append(Argument(place: .member(name), owner: owner, type: type))
    }
    self.base = ProtocolComposition(
      protocols: parts.protocols.filter { !TypeMangler.markers.contains($0) },
      superclass: parts.superclass?.nominal.map { .nominal($0.unbound) },
      isClassBound: parts.isClassBound)
    self.arguments = arguments
  }

  /// The type as its shape spells it, with a generic parameter for each argument.
  /// - Parameter indices: The parameters of the arguments, in the arguments' order.
  package func generalized(_ indices: [Int]) -> TypeNode {
    var superclassArguments: [TypeNode] = []
    var requirements: [GenericRequirement] = []
    for (argument, index) in zip(arguments, indices) {
      let parameter = TypeNode.genericParameter(depth: 0, index: index)
      switch argument.place {
      case .superclassArgument: superclassArguments.append(parameter)
      case .member(let name):
        let member = TypeNode.dependentMember(
          base: .constrainedExistentialSelf, name: name,
          protocol: argument.owner ?? base.protocols.first)
        requirements.append(.sameType(member, parameter))
      }
    }
    let superclass = base.superclass?.nominal.map { type in
      TypeNode.nominal(
        NominalType(
          kind: type.kind, name: type.name, context: type.context, arguments: superclassArguments))
    }
    return .constrainedExistential(
      .composition(
        ProtocolComposition(
          protocols: base.protocols, superclass: superclass, isClassBound: base.isClassBound)),
      requirements)
  }
}
