// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The types that a call names after its arguments: what the generic parameters stand for that the arguments
/// do not tell, as in `loop:makeFailedFuture(error, Int)`.
struct TypeArguments {
  let types: [any Any.Type]
  /// Stands at the first argument, and ends before the types.
  let arguments: LuaReader
  /// How many arguments there are besides the types.
  let count: Int

  /// - Parameters:
  ///   - arguments: Stands at the first argument.
  ///   - functions: Those that the call may mean. None of them takes a type where the call has one.
  /// - Returns: nil: the call names no types.
  init?(_ arguments: LuaReader, _ count: Int, _ functions: [RunningFunction]) {
    guard count > 0, Self.endsWithType(arguments, count) else { return nil }
    let declarations = functions.map(\.declaration)
    guard declarations.contains(where: { $0.genericSignature != nil }),
      !declarations.contains(where: { $0.parameters.contains(where: \.isVariadic) })
    else { return nil }
    var starts: [LuaReader] = []
    var reader = arguments
    for _ in 0..<count {
      starts.append(reader)
      reader.skip()
    }
    var types: [any Any.Type] = []
    for index in starts.indices.reversed() {
      // Nobody passes what is `#line` otherwise.
      let parameters = declarations.compactMap { declaration in
        index < declaration.parameters.count && !declaration.locationParameters.contains(index)
          ? declaration.parameters[index].type : nil
      }
      // A text is a type only where it can be nothing else.
      if starts[index].peeked.isString, !parameters.isEmpty { break }
      guard !parameters.contains(where: { ($0.optionalPayload ?? $0).mayBeType }),
        let type = Metatype.type(of: starts[index])
      else { break }
      types.insert(type, at: 0)
    }
    guard !types.isEmpty else { return nil }
    self.types = types
    self.count = count - types.count
    self.arguments = arguments.ending(at: starts[self.count])
  }

  /// Whether the last argument may be a type.
  private static func endsWithType(_ arguments: LuaReader, _ count: Int) -> Bool {
    var reader = arguments
    for _ in 1..<count { reader.skip() }
    return reader.peeked.isString || Metatype.type(of: reader.peeked) != nil
  }
}

extension TypeNode {
  /// Whether a value of the type may be a type: a metatype, or anything at all.
  package var mayBeType: Bool {
    switch self {
    case .nominal(let nominal): nominal.kind == .protocol || nominal.qualifiedName == "Swift.Array"
    case .tuple, .function, .builtin, .integer, .dynamicSelf: false
    case .modified(_, let node), .generic(_, let node): node.mayBeType
    default: true
    }
  }
}
