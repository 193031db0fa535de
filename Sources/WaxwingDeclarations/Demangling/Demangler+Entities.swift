// SPDX-License-Identifier: MIT

extension Demangler {
  mutating func extensionContext() throws(DemanglingFailure) -> DeclarationContext {
    let conditions = try popSignatureIfPresent()
    let module = try popModule()
    return .extension(of: try popNominal(), module: module, conditions: conditions)
  }

  mutating func plainFunction() throws(DemanglingFailure) -> FunctionDeclaration {
    let signature = try popSignatureIfPresent()
    let type = try functionType(.escaping)
    let labels = try popLabels(for: type)
    let name = try popName()
    return FunctionDeclaration(
      kind: name.fixity == nil ? .function : .operatorFunction, context: try popContext(),
      name: name, labels: labels, interfaceType: type, genericSignature: signature)
  }

  mutating func staticDeclaration() throws(DemanglingFailure) -> FunctionDeclaration {
    guard case .declaration(var declaration) = try pop() else { throw DemanglingFailure() }
    declaration.isStatic = true
    return declaration
  }

  /// Reads functions without a name of their own, after `f`.
  mutating func functionEntity() throws(DemanglingFailure) -> FunctionDeclaration {
    switch nextCharacter() {
    case "C": try initializer(.allocatingInitializer)
    case "c": try initializer(.initializer)
    case "D": try unnamed(.deallocatingDeinitializer)
    case "d": try unnamed(.deinitializer)
    case "Z": try unnamed(.isolatedDeinitializer)
    case "E": try unnamed(.fieldDestroyer)
    case "e": try unnamed(.fieldInitializer)
    case "i": try unnamed(.propertyInitializer)
    case "P": try unnamed(.wrapperInitializer)
    case "W": try unnamed(.projectionInitializer)
    case "F": try unnamed(.wrapperFieldInitializer)
    case "A": try unnamed(.defaultArgument(try index()))
    case "U": try closure(.closure(try index()))
    case "u": try closure(.implicitClosure(try index()))
    default: throw DemanglingFailure()
    }
  }

  private mutating func unnamed(
    _ kind: DeclarationKind
  ) throws(DemanglingFailure) -> FunctionDeclaration {
    FunctionDeclaration(
      kind: kind, context: try popContext(), name: DeclarationName(""), labels: [])
  }

  private mutating func initializer(
    _ kind: DeclarationKind
  ) throws(DemanglingFailure) -> FunctionDeclaration {
    let name = try popPrivateName()
    return try typed(kind, name: name)
  }

  private mutating func closure(
    _ kind: DeclarationKind
  ) throws(DemanglingFailure) -> FunctionDeclaration {
    let type = try popType()
    return Self.declaration(
      kind, context: try popContext(), name: DeclarationName(""), labels: [], type: type)
  }

  private mutating func typed(
    _ kind: DeclarationKind, name: DeclarationName
  ) throws(DemanglingFailure) -> FunctionDeclaration {
    let type = try popType()
    let labels = try popLabels(for: type)
    return Self.declaration(
      kind, context: try popContext(), name: name, labels: labels, type: type)
  }

  /// A type with generic parameters of its own is a signature and a type to us.
  private static func declaration(
    _ kind: DeclarationKind, context: DeclarationContext, name: DeclarationName,
    labels: [String?], type: TypeNode
  ) -> FunctionDeclaration {
    var signature: GenericSignature?
    if case .generic(let own, _) = type { signature = own }
    return FunctionDeclaration(
      kind: kind, context: context, name: name, labels: labels,
      interfaceType: type.withoutSignature, genericSignature: signature)
  }

  mutating func propertyAccessor() throws(DemanglingFailure) -> FunctionDeclaration {
    let type = try popType()
    // A property of a function type has an empty list where a function has labels.
    let labels = try popLabels(for: type)
    let name = try popName()
    let property = Self.declaration(
      .property, context: try popContext(), name: name, labels: labels, type: type)
    return try accessor(of: property)
  }

  mutating func subscriptAccessor() throws(DemanglingFailure) -> FunctionDeclaration {
    let name = try popPrivateName()
    return try accessor(of: try typed(.subscript, name: name))
  }

  private mutating func accessor(
    of storage: FunctionDeclaration
  ) throws(DemanglingFailure) -> FunctionDeclaration {
    var declaration = storage
    let isSubscript = storage.kind == .subscript
    switch nextCharacter() {
    case "g": declaration.kind = isSubscript ? .subscriptGetter : .getter
    case "s": declaration.kind = isSubscript ? .subscriptSetter : .setter
    case "p": break
    default:
      position -= 1
      let accessor = try otherAccessor()
      declaration.kind = isSubscript ? .subscriptAccessor(accessor) : .accessor(accessor)
    }
    return declaration
  }

  private mutating func otherAccessor() throws(DemanglingFailure) -> Accessor {
    switch nextCharacter() {
    case "r": return .read
    case "y": return .read2
    case "M": return .modify
    case "x": return .modify2
    case "i": return .initialize
    case "w": return .willSet
    case "W": return .didSet
    case "G": return .globalGetter
    case "m": return .materializeForSet
    case "a": return try addressor(Self.mutableAddressors)
    case "l": return try addressor(Self.addressors)
    default: throw DemanglingFailure()
    }
  }

  private static let addressors: [UInt8: Accessor] = [
    UInt8(ascii: "O"): .owningAddressor, UInt8(ascii: "o"): .nativeOwningAddressor,
    UInt8(ascii: "p"): .nativePinningAddressor, UInt8(ascii: "u"): .unsafeAddressor,
  ]

  private static let mutableAddressors: [UInt8: Accessor] = [
    UInt8(ascii: "O"): .owningMutableAddressor,
    UInt8(ascii: "o"): .nativeOwningMutableAddressor,
    UInt8(ascii: "P"): .nativePinningMutableAddressor,
    UInt8(ascii: "u"): .unsafeMutableAddressor,
  ]

  private mutating func addressor(
    _ table: [UInt8: Accessor]
  ) throws(DemanglingFailure) -> Accessor {
    guard let accessor = table[next()] else { throw DemanglingFailure() }
    return accessor
  }
}
