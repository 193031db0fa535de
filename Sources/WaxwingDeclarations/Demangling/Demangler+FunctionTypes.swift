// SPDX-License-Identifier: MIT

extension Demangler {
  mutating func functionType(
    _ representation: FunctionType.Representation
  ) throws(DemanglingFailure) -> TypeNode {
    var type = FunctionType(representation: representation, parameters: [], result: .void)
    try popModifiers(into: &type)
    let parameters = try popParameters()
    if case .tuple(let elements) = parameters {
      type.parameters = elements
    } else {
      type.parameters = [TupleElement(type: parameters)]
    }
    type.result = try popParameters()
    return .function(type)
  }

  /// Modifiers stand in a fixed order; here in reverse.
  private mutating func popModifiers(into type: inout FunctionType) throws(DemanglingFailure) {
    if case .modifier(.sendingResult)? = top {
      _ = try pop()
      type.hasSendingResult = true
    }
    if case .modifier(.isolation(let isolation))? = top {
      _ = try pop()
      type.isolation = isolation
    }
    if case .modifier(.differentiable(let kind))? = top {
      _ = try pop()
      type.differentiability = kind
    }
    try popThrowing(into: &type)
    if case .modifier(.sendable)? = top {
      _ = try pop()
      type.isSendable = true
    }
    if case .modifier(.isAsync)? = top {
      _ = try pop()
      type.isAsync = true
    }
  }

  private mutating func popThrowing(into type: inout FunctionType) throws(DemanglingFailure) {
    switch top {
    case .modifier(.throwing)?: type.isThrowing = true
    case .modifier(.typedThrowing(let thrown))?:
      type.isThrowing = true
      type.thrownType = thrown
    default: return
    }
    _ = try pop()
  }

  /// Parameters or result: an empty list, or a type, which for several parameters is a tuple.
  private mutating func popParameters() throws(DemanglingFailure) -> TypeNode {
    try popEmptyList() ? .void : try popType()
  }

  /// The labels of a function with the given type, in order; none if it has no labelled parameter.
  mutating func popLabels(for type: TypeNode?) throws(DemanglingFailure) -> [String?] {
    if try popEmptyList() { return [] }
    guard let function = type?.withoutSignature.function else { return [] }
    switch function.representation {
    case .escaping, .nonescaping: break
    default: return []
    }
    var labels: [String?] = []
    for _ in function.parameters {
      if try popFirstElement() {
        labels.append(nil)
      } else {
        labels.append(try popIdentifier())
      }
    }
    return labels.reversed()
  }
}
