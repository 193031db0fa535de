// SPDX-License-Identifier: MIT

extension TypeNode {
  /// Whether the declaration's own `some P` is in the type.
  package var hasOpaqueResult: Bool {
    var isFound = false
    _ = replacing { node in
      if case .opaqueResult = node { isFound = true }
      return nil
    }
    return isFound
  }

  /// Whether the type is that of a `@convention(block)` function, or contains one. Without
  /// Objective-C the runtime makes metadata without value witnesses for it, so code must not
  /// inspect such a type.
  package var hasBlock: Bool {
    var isFound = false
    _ = replacing { node in
      if case .function(let function) = node,
        function.representation == .block || function.representation == .escapingBlock
      {
        isFound = true
      }
      return nil
    }
    return isFound
  }

  /// Whether the type has a parameter pack in it (`repeat each T`). The runtime ends the process if it is asked for
  /// such a type in a context whose parameters are no packs.
  package var hasPackExpansion: Bool {
    var isFound = false
    _ = replacing { node in
      switch node {
      case .packExpansion, .packElement: isFound = true
      default: break
      }
      return nil
    }
    return isFound
  }

  /// The type with a generic parameter in place of each constrained existential (`any P<X>`), and those types. The
  /// runtime finds none of them by name, but what is made of them.
  /// - Parameter depth: Of the parameters, which are numbered from 0.
  /// - Returns: nil if there is none.
  package func liftingConstrainedExistentials(depth: Int) -> (type: TypeNode, lifted: [TypeNode])? {
    var lifted: [TypeNode] = []
    let type = replacing { node in
      switch node {
      // It is more than the type and a word: nothing makes it of the type.
      case .existentialMetatype(.constrainedExistential, _): return node
      case .constrainedExistential:
        let index = lifted.firstIndex(of: node) ?? lifted.count
        if index == lifted.count { lifted.append(node) }
        return .genericParameter(depth: depth, index: index)
      default: return nil
      }
    }
    return lifted.isEmpty ? nil : (type, lifted)
  }

  /// Whether another type is in the type, or is it.
  package func mentions(_ other: TypeNode) -> Bool {
    var isFound = false
    _ = replacing { node in
      if node == other { isFound = true }
      return nil
    }
    return isFound
  }

  /// The type with something in place of each `some P` of the declaration's own.
  package func replacingOpaqueResults(_ replacement: (Int) -> TypeNode) -> TypeNode {
    replacing { node in
      if case .opaqueResult(let index) = node { replacement(index) } else { nil }
    }
  }

  /// The type with something in place of each associated type of a generic parameter.
  package func replacingMembers(_ replacement: (TypeNode) -> TypeNode) -> TypeNode {
    replacing { node in
      if case .dependentMember = node { replacement(node) } else { nil }
    }
  }

  /// A type with other types in place of the parameters of the outermost level.
  func replacingParameters(_ replacement: (Int) -> TypeNode?) -> TypeNode {
    replacing { node in
      if case .genericParameter(depth: 0, let index) = node { replacement(index) } else { nil }
    }
  }

  /// The type with other types in place of some of the classes, structs and enums in it.
  package func replacingNominals(_ replacement: (NominalType) -> TypeNode?) -> TypeNode {
    replacing { node in node.nominal.flatMap(replacement) }
  }

  /// The type with other types in it where `replacement` has one.
  fileprivate func replacing(_ replacement: (TypeNode) -> TypeNode?) -> TypeNode {
    if let other = replacement(self) { return other }
    switch self {
    case .tuple(let elements): return .tuple(elements.map { $0.replacing(replacement) })
    case .nominal(let nominal): return .nominal(nominal.replacing(replacement))
    case .metatype(let type, let representation):
      return .metatype(type.replacing(replacement), representation)
    case .modified(let modifier, let type):
      return .modified(modifier, type.replacing(replacement))
    case .existentialMetatype(let type, let representation):
      return .existentialMetatype(type.replacing(replacement), representation)
    case .constrainedExistential(let base, let requirements):
      return .constrainedExistential(
        base,
        requirements.map { requirement in
          guard case .sameType(let subject, let type) = requirement else { return requirement }
          return .sameType(subject, type.replacing(replacement))
        })
    case .function(var function):
      function.parameters = function.parameters.map { $0.replacing(replacement) }
      function.result = function.result.replacing(replacement)
      function.thrownType = function.thrownType?.replacing(replacement)
      return .function(function)
    case .pack(let types): return .pack(types.map { $0.replacing(replacement) })
    case .packExpansion(let pattern, let count):
      return .packExpansion(
        pattern: pattern.replacing(replacement), count: count.replacing(replacement))
    case .packElement(let pack, let level):
      return .packElement(pack.replacing(replacement), level: level)
    default: return self
    }
  }
}

extension TupleElement {
  fileprivate func replacing(_ replacement: (TypeNode) -> TypeNode?) -> TupleElement {
    var element = self
    element.type = type.replacing(replacement)
    return element
  }
}

extension NominalType {
  fileprivate func replacing(_ replacement: (TypeNode) -> TypeNode?) -> NominalType {
    let context: DeclarationContext =
      switch context {
      case .type(let outer): .type(outer.replacing(replacement))
      case .extension(let outer, let module, let conditions):
        .extension(of: outer.replacing(replacement), module: module, conditions: conditions)
      case .module, .declaration: context
      }
    return NominalType(
      kind: kind, name: name, context: context,
      arguments: arguments.map { $0.replacing(replacement) })
  }
}
