// SPDX-License-Identifier: MIT

extension TypeNode {
  /// Whether the type has generic parameters in it, so that it is no type by itself.
  package var isDependent: Bool { deepestParameter >= 0 }

  /// The greatest depth of the generic parameters in the type, -1 if there are none.
  package var deepestParameter: Int {
    switch self {
    case .genericParameter(let depth, _): depth
    case .dynamicSelf(let type), .metatype(let type, _), .existentialMetatype(let type, _),
      .modified(_, let type), .packElement(let type, _), .generic(_, let type),
      .dependentMember(let type, _, _):
      type.deepestParameter
    case .nominal(let type): type.deepestParameter
    case .tuple(let elements): Self.deepest(elements.map(\.type))
    case .function(let type):
      Self.deepest(
        type.parameters.map(\.type) + [type.result] + [type.thrownType].compactMap(\.self))
    case .composition(let parts): parts.superclass?.deepestParameter ?? -1
    case .constrainedExistential(_, let requirements):
      Self.deepest(requirements.map(\.object))
    case .opaque(_, _, let arguments): Self.deepest(arguments.flatMap(\.self))
    case .pack(let types): Self.deepest(types)
    case .packExpansion(let pattern, let count): Self.deepest([pattern, count])
    case .builtin, .integer, .opaqueResult, .constrainedExistentialSelf: -1
    }
  }

  private static func deepest(_ types: [TypeNode]) -> Int {
    types.map(\.deepestParameter).max() ?? -1
  }
}

extension NominalType {
  fileprivate var deepestParameter: Int {
    let outer = context.memberOf?.deepestParameter ?? -1
    return max(outer, arguments.map(\.deepestParameter).max() ?? -1)
  }
}

extension GenericRequirement {
  /// The type that is required, if the requirement is about one.
  fileprivate var object: TypeNode {
    switch self {
    case .conformance(_, let type), .superclass(_, let type), .sameType(_, let type),
      .sameShape(_, let type), .value(_, let type):
      type
    case .layout(let type, _), .inverse(let type, _), .pack(let type): type
    }
  }
}
