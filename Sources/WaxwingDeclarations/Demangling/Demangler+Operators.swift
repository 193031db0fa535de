// SPDX-License-Identifier: MIT

extension Demangler {
  /// Reads one operator with its operands, and returns the item that it leaves on the stack.
  mutating func nextOperator() throws(DemanglingFailure) -> StackItem {
    if let referred = try reference() { return referred }
    return try namedOperator()
  }

  private mutating func namedOperator() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "A": return try multipleSubstitutions()
    case "B": return .type(.builtin(try builtinType()))
    case "C": return try nominal(.class)
    case "E": return .context(try extensionContext())
    case "F": return .declaration(try plainFunction())
    case "G": return try boundGenericType()
    case "H": return try conformance()
    case "I": return .type(try loweredFunction())
    case "K": return .modifier(.throwing)
    case "L": return .name(try localIdentifier())
    case "O": return try nominal(.enum)
    case "P": return try nominal(.protocol)
    case "Q": return try archetype()
    case "R": return .requirement(try requirement())
    case "S": return try standardSubstitution()
    case "T": return try thunk()
    case "V": return try nominal(.struct)
    case "X": return try specialType()
    case "Y": return try typeAnnotation()
    case "Z": return .declaration(try staticDeclaration())
    case "a": return try nominal(.typealias)
    default:
      position -= 1
      return try lowercaseOperator()
    }
  }

  private mutating func lowercaseOperator() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "c": return .type(try functionType(.escaping))
    case "d": return .variadic
    case "f": return .declaration(try functionEntity())
    case "g": return try retroactiveConformance()
    case "h": return try modified(.shared)
    case "i": return .declaration(try subscriptAccessor())
    case "l": return .signature(try genericSignature(hasCounts: false))
    case "m": return .type(.metatype(try popType(), nil))
    case "n": return try modified(.owned)
    case "o": return .name(try operatorIdentifier())
    case "p": return .type(.composition(try protocolComposition()))
    case "q": return .type(try genericParameter())
    case "r": return .signature(try genericSignature(hasCounts: true))
    case "s": return .module("Swift")
    case "t": return .type(.tuple(try tupleElements()))
    case "u": return .type(.generic(try popSignature(), try popType()))
    case "v": return .declaration(try propertyAccessor())
    case "x": return .type(.genericParameter(depth: 0, index: 0))
    case "y": return .emptyList
    case "z": return try modified(.inout)
    case "_": return .firstElement
    case "$": return .type(.integer(try integer()))
    default:
      position -= 1
      return try identifier()
    }
  }

  mutating func modified(_ modifier: TypeModifier) throws(DemanglingFailure) -> StackItem {
    .type(.modified(modifier, try popType()))
  }

  private mutating func typeAnnotation() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "a": .modifier(.isAsync)
    case "A": .modifier(.isolation(.any))
    case "b": .modifier(.sendable)
    case "c": .modifier(.isolation(.globalActor(try popType())))
    case "C": .modifier(.isolation(.caller))
    case "g": try modified(.constant)
    case "i": try modified(.isolated)
    case "j": .modifier(.differentiable(try differentiability()))
    case "k": try modified(.noDerivative)
    case "K": .modifier(.typedThrowing(try popType()))
    case "t": try modified(.compileTimeLiteral)
    case "T": .modifier(.sendingResult)
    case "u": try modified(.sending)
    default: throw DemanglingFailure()
    }
  }

  private mutating func differentiability() throws(DemanglingFailure) -> UInt8 {
    let kind = next()
    guard "frdl".utf8.contains(kind) else { throw DemanglingFailure() }
    return kind
  }

  /// `$` index for a number, `$n` index for a negative one.
  private mutating func integer() throws(DemanglingFailure) -> Int {
    skip("n") ? -(try index()) : try index()
  }
}
