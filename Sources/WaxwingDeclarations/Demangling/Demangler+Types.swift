// SPDX-License-Identifier: MIT

extension Demangler {
  private static let largestBuiltin = 4096

  mutating func nominal(_ kind: NominalType.Kind) throws(DemanglingFailure) -> StackItem {
    let name = try popName()
    let context = try popContext()
    let item = StackItem.type(
      .nominal(NominalType(kind: kind, name: name, context: context, arguments: [])))
    try remember(item)
    return item
  }

  mutating func builtinType() throws(DemanglingFailure) -> BuiltinType {
    let letter = next()
    if let name = BuiltinType.singleLetter[letter] {
      return .named(name, code: String(Character(Unicode.Scalar(letter))))
    }
    switch Unicode.Scalar(letter) {
    case "f": return try sizedBuiltin("FPIEEE", code: "f")
    case "i": return try sizedBuiltin("Int", code: "i")
    case "v":
      let count = try builtinSize()
      guard case .builtin(let element) = try popType() else { throw DemanglingFailure() }
      return .vector(count: count, element: element)
    case "V":
      let element = try popType()
      return .fixedArray(count: try popType(), element: element)
    default: throw DemanglingFailure()
    }
  }

  private mutating func builtinSize() throws(DemanglingFailure) -> Int {
    let size = try index() - 1
    guard (1...Self.largestBuiltin).contains(size) else { throw DemanglingFailure() }
    return size
  }

  private mutating func sizedBuiltin(
    _ name: String, code: String
  ) throws(DemanglingFailure) -> BuiltinType {
    let size = try builtinSize()
    return .named("\(name)\(size)", code: "\(code)\(size)_")
  }

  mutating func tupleElements() throws(DemanglingFailure) -> [TupleElement] {
    try popList { demangler throws(DemanglingFailure) in
      let isVariadic = try demangler.popVariadic()
      let label = try demangler.popIdentifierIfPresent()
      return TupleElement(label: label, type: try demangler.popType(), isVariadic: isVariadic)
    }
  }

  mutating func protocolComposition(
    superclass: TypeNode? = nil, isClassBound: Bool = false
  ) throws(DemanglingFailure) -> ProtocolComposition {
    let protocols = try popList { demangler throws(DemanglingFailure) in
      try demangler.popProtocol()
    }
    return ProtocolComposition(
      protocols: protocols, superclass: superclass, isClassBound: isClassBound)
  }

  mutating func specialType() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "E": return .type(try functionType(.nonescaping))
    case "A": return .type(try functionType(.escapingAutoclosure))
    case "f": return .type(try functionType(.thin))
    case "K": return .type(try functionType(.autoclosure))
    case "U": return .type(try functionType(.uncurried))
    case "L": return .type(try functionType(.escapingBlock))
    case "B": return .type(try functionType(.block))
    case "C": return .type(try functionType(.cFunction))
    case "o": return try modified(.unowned)
    case "u": return try modified(.unmanaged)
    case "w": return try modified(.weak)
    case "D": return .type(.dynamicSelf(try popType()))
    case "M":
      let representation = try metatypeRepresentation()
      return .type(.metatype(try popType(), representation))
    case "m":
      let representation = try metatypeRepresentation()
      return .type(.existentialMetatype(try popType(), representation))
    case "p": return .type(.existentialMetatype(try popType(), nil))
    case "P": return .type(try constrainedExistential())
    case "c":
      let superclass = try popType()
      return .type(.composition(try protocolComposition(superclass: superclass)))
    case "l": return .type(.composition(try protocolComposition(isClassBound: true)))
    case "Y": return try nominal(.other)
    case "j": return .type(try referredExistential())
    case "S": return .type(try sugaredType())
    default: throw DemanglingFailure()
    }
  }

  /// `T?`, `[T]`, `[K: V]` or `(T)` as debugging information spells them.
  private mutating func sugaredType() throws(DemanglingFailure) -> TypeNode {
    switch nextCharacter() {
    case "q": return .optional(of: try popType())
    case "a": return .array(of: try popType())
    case "D":
      let value = try popType()
      return .dictionary(from: try popType(), to: value)
    case "p": return try popType()
    default: throw DemanglingFailure()
    }
  }

  /// A reference to a constrained existential type, its arguments, and how they conform.
  private mutating func referredExistential() throws(DemanglingFailure) -> TypeNode {
    while case .retroactiveConformance? = top { _ = try pop() }
    var arguments: [TypeNode] = []
    while case .type? = top { arguments.append(try popType()) }
    guard case .existentialShape(let shape) = try pop() else { throw DemanglingFailure() }
    arguments.reverse()
    return shape.replacingParameters { index in
      arguments.indices.contains(index) ? arguments[index] : nil
    }
  }

  private mutating func metatypeRepresentation() throws(DemanglingFailure)
    -> MetatypeRepresentation
  {
    switch nextCharacter() {
    case "t": .thin
    case "T": .thick
    case "o": .objc
    default: throw DemanglingFailure()
    }
  }

  private mutating func constrainedExistential() throws(DemanglingFailure) -> TypeNode {
    let requirements = try popList { demangler throws(DemanglingFailure) in
      guard let requirement = try demangler.popRequirementIfPresent() else {
        throw DemanglingFailure()
      }
      return requirement
    }
    return .constrainedExistential(try popType(), requirements)
  }
}
