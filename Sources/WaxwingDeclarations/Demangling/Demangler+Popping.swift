// SPDX-License-Identifier: MIT

extension Demangler {
  mutating func popType() throws(DemanglingFailure) -> TypeNode {
    guard let type = try popTypeIfPresent() else { throw DemanglingFailure() }
    return type
  }

  mutating func popTypeIfPresent() throws(DemanglingFailure) -> TypeNode? {
    guard case .type(let type)? = top else { return nil }
    _ = try pop()
    return type
  }

  mutating func popEmptyList() throws(DemanglingFailure) -> Bool {
    guard case .emptyList? = top else { return false }
    _ = try pop()
    return true
  }

  mutating func popFirstElement() throws(DemanglingFailure) -> Bool {
    guard case .firstElement? = top else { return false }
    _ = try pop()
    return true
  }

  mutating func popVariadic() throws(DemanglingFailure) -> Bool {
    guard case .variadic? = top else { return false }
    _ = try pop()
    return true
  }

  mutating func popIdentifierIfPresent() throws(DemanglingFailure) -> String? {
    guard case .identifier(let name)? = top else { return nil }
    _ = try pop()
    return name
  }

  mutating func popIdentifier() throws(DemanglingFailure) -> String {
    guard let name = try popIdentifierIfPresent() else { throw DemanglingFailure() }
    return name
  }

  /// A name of a declaration: an identifier or more.
  mutating func popName() throws(DemanglingFailure) -> DeclarationName {
    switch try pop() {
    case .identifier(let text): return DeclarationName(text)
    case .name(let name): return name
    default: throw DemanglingFailure()
    }
  }

  /// The discriminator of a private initializer or subscript, which has no name of its own.
  mutating func popPrivateName() throws(DemanglingFailure) -> DeclarationName {
    guard case .name(let name)? = top, name.text.isEmpty else { return DeclarationName("") }
    _ = try pop()
    return name
  }

  mutating func popModule() throws(DemanglingFailure) -> String {
    switch try pop() {
    case .identifier(let name), .module(let name): return name
    default: throw DemanglingFailure()
    }
  }

  mutating func popNominal() throws(DemanglingFailure) -> NominalType {
    guard let nominal = try popType().nominal else { throw DemanglingFailure() }
    return nominal
  }

  mutating func popContext() throws(DemanglingFailure) -> DeclarationContext {
    switch try pop() {
    case .identifier(let name), .module(let name): return .module(name)
    case .type(.nominal(let type)): return .type(type)
    case .context(let context): return context
    case .declaration(let declaration): return .declaration(declaration, arguments: [])
    default: throw DemanglingFailure()
    }
  }

  mutating func popSignatureIfPresent() throws(DemanglingFailure) -> GenericSignature? {
    guard case .signature(let signature)? = top else { return nil }
    _ = try pop()
    return signature
  }

  mutating func popSignature() throws(DemanglingFailure) -> GenericSignature {
    guard let signature = try popSignatureIfPresent() else { throw DemanglingFailure() }
    return signature
  }

  mutating func popRequirementIfPresent() throws(DemanglingFailure) -> GenericRequirement? {
    guard case .requirement(let requirement)? = top else { return nil }
    _ = try pop()
    return requirement
  }

  /// A protocol, spelled as a type or only as a name in a context.
  mutating func popProtocol() throws(DemanglingFailure) -> TypeNode {
    if let type = try popTypeIfPresent() {
      guard type.isProtocol else { throw DemanglingFailure() }
      return type
    }
    let name = try popName()
    return .nominal(
      NominalType(kind: .protocol, name: name, context: try popContext(), arguments: []))
  }

  /// Elements up to the one that is marked as first, in their order in the name.
  mutating func popList<Element>(
    _ element: (inout Demangler) throws(DemanglingFailure) -> Element
  ) throws(DemanglingFailure) -> [Element] {
    guard try !popEmptyList() else { return [] }
    var elements: [Element] = []
    var isFirst = false
    while !isFirst {
      isFirst = try popFirstElement()
      elements.append(try element(&self))
    }
    return elements.reversed()
  }
}
