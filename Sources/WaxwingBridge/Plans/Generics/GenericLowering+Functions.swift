// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingValues

// How function values are called whose types have generic parameters in them: as the source writes
// the type, before anything stands for the parameters.
extension GenericLowering {
  /// How function values in a value of a type are called.
  /// - Parameters:
  ///   - node: The type as the source writes it.
  ///   - type: The type itself.
  func abstraction(
    _ node: TypeNode, _ type: any Any.Type
  ) throws(UnsupportedType) -> Abstraction {
    guard node.isDependent || node.hasOpaqueResult, Abstraction.matters(to: type) else {
      return .natural
    }
    switch node {
    case .genericParameter, .dependentMember, .opaqueResult:
      return try fixed(node).map { (same) throws(UnsupportedType) in
        try abstraction(same, type)
      } ?? .general
    case .modified(_, let inner): return try abstraction(inner, type)
    case .function(let function): return try .calling(pattern(function, type))
    case .tuple(let elements):
      var parts: [Abstraction] = []
      for (element, known) in zip(elements, TypeMetadata.elements(of: type)) {
        parts.append(try abstraction(element.type, known.type))
      }
      return .of(parts)
    default:
      guard let payload = node.optionalPayload, let optional = type as? any OptionalType.Type
      else { return .natural }
      return try .of([abstraction(payload, optional.wrappedType)])
    }
  }

  private func pattern(
    _ function: FunctionType, _ type: any Any.Type
  ) throws(UnsupportedType) -> CallPattern {
    guard let metadata = FunctionMetadata(type),
      metadata.parameters.count == function.parameters.count
    else { throw UnsupportedType(type, because: "the runtime does not tell its parameters") }
    var parameters: [Passing] = []
    for (element, parameter) in zip(function.parameters, metadata.parameters) {
      parameters.append(try passing(element, parameter))
    }
    let thrown = FunctionShape.thrownNode(function.thrownType)
    return CallPattern(
      parameters, try passing(function.result, metadata.result),
      thrown: try thrown.map { (node) throws(UnsupportedType) in
        try passing(node, metadata.thrown ?? (any Error).self)
      })
  }

  private func passing(
    _ element: TupleElement, _ parameter: FunctionMetadata.Parameter
  ) throws(UnsupportedType) -> Passing {
    if element.isVariadic { return .byType(.natural) }  // an array
    var node = element.type
    while case .modified(_, let inner) = node { node = inner }
    if parameter.ownership == .inout { return try .address(abstraction(node, parameter.type)) }
    return try passing(node, parameter.type)
  }

  private func passing(
    _ node: TypeNode, _ type: any Any.Type
  ) throws(UnsupportedType) -> Passing {
    guard node.isDependent else { return .byType(.natural) }
    if case .tuple(let elements) = node {
      var parts: [Passing] = []
      for (element, known) in zip(elements, TypeMetadata.elements(of: type)) {
        parts.append(try passing(element.type, known.type))
      }
      return .elements(parts)
    }
    guard let value = try value(node, { type }) else {
      throw UnsupportedType(
        type, because: "how it is passed to closures of generic types cannot be told")
    }
    if case .metatype = node { return value == .direct(.pointer) ? .word : .byType(.natural) }
    let inner = try abstraction(node, type)
    return value == .indirect ? .address(inner) : .byType(inner)
  }
}
