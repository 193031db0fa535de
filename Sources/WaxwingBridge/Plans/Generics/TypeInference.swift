// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Tells from the arguments of a call from Lua what a function's generic parameters stand for.
///
/// Swift values have their dynamic types. An integer of Lua's is an `Int`, but becomes whatever
/// another argument tells; so do Lua's other values.
struct TypeInference {
  private struct Guess {
    let type: any Any.Type
    /// A Swift value has the type; it is not just what a Lua value is by itself.
    let isCertain: Bool
  }

  private let generics: FunctionGenerics
  private let program: RunningProgram
  private var guesses: [TypeNode: Guess] = [:]
  /// The parameters that the receiver determines: arguments are converted to the types of these.
  private var settled: Set<TypeNode> = []
  /// Whether what it has learned follows from the kinds of the values alone: see `RememberedChoices`.
  private(set) var isByKind = true
  /// A type that is written and that there is not.
  private var unknown: String?
  private var conflict: (parameter: TypeNode, first: any Any.Type, second: any Any.Type)?

  init(_ generics: FunctionGenerics, in program: RunningProgram) {
    self.generics = generics
    self.program = program
  }

  /// Keeps the types that Swift values have told so far, whatever is learned later.
  mutating func settle() {
    settled.formUnion(guesses.filter(\.value.isCertain).keys)
  }

  /// Takes what one value, which the reader is moved past, tells of a parameter's type.
  mutating func learn(_ node: TypeNode, _ reader: inout LuaReader) {
    let value = reader.peeked
    if let payload = node.optionalPayload {
      if value.isNilOrNull { return reader.skip() }
      return learn(payload, &reader)
    }
    switch node {
    case .genericParameter: learnParameter(node, &reader)
    case .modified(_, let type): learn(type, &reader)
    case .metatype(let instance, _):
      if value.isString { isByKind = false }
      if let type = Metatype.type(of: reader) {
        learn(instance, type)
      } else {
        unknown = unknown ?? reader.string(value)
      }
      reader.skip()
    case .tuple(let elements) where value.tag == WAX_LUA_VALUE_ARRAY.rawValue:
      _ = reader.read()
      for index in 0..<Int(value.count) {
        if elements.indices.contains(index) {
          learn(elements[index].type, &reader)
        } else {
          reader.skip()
        }
      }
    case .function(let function)
    where function.isAutoclosure && value.tag != WAX_LUA_VALUE_FUNCTION.rawValue:
      learn(function.result, &reader)
    case .function(let function):
      if value.tag == WAX_LUA_VALUE_FUNCTION.rawValue { isByKind = false }
      if let (type, _) = LuaTypes.type(of: reader) {
        learn(node, type)
      } else {
        learnFallback(function.result, reader)
      }
      reader.skip()
    default: learnParts(node, value, &reader)
    }
  }

  /// Learns the result type of a Lua function from the value that it returns if it fails.
  private mutating func learnFallback(_ result: TypeNode, _ reader: LuaReader) {
    guard reader.peeked.tag == WAX_LUA_VALUE_FUNCTION.rawValue,
      let state = InstalledLayers.current.state(of: reader.source),
      let reference = reader.reference(to: reader.peeked)
    else { return }
    state.withFallback(of: reference) { learn(result, &$0) }
    wax_lua_unreference(state.handle, reference)
  }

  private mutating func learnParameter(_ node: TypeNode, _ reader: inout LuaReader) {
    let start = reader
    reader.skip()
    if start.peeked.tag == WAX_LUA_VALUE_FUNCTION.rawValue { isByKind = false }
    guard let (type, isCertain) = LuaTypes.type(of: start) else { return }
    bind(node, Guess(type: type, isCertain: isCertain))
  }

  /// Learns from the elements of a collection. If a parameter stands for the elements, the type
  /// that all of them have in common counts, otherwise the first element.
  private mutating func learnParts(
    _ node: TypeNode, _ value: wax_lua_value, _ reader: inout LuaReader
  ) {
    let start = reader
    defer {
      reader = start
      reader.skip()
    }
    if value.tag == WAX_LUA_VALUE_ARRAY.rawValue {
      guard let arguments = node.nominal?.arguments, arguments.count == 1 else { return }
      if case .genericParameter = arguments[0], let element = LuaTypes.element(of: reader) {
        return bind(arguments[0], Guess(type: element.type, isCertain: element.isCertain))
      }
      if value.count == 0 { return }
      _ = reader.read()
      return learn(arguments[0], &reader)
    }
    if value.tag == WAX_LUA_VALUE_TABLE.rawValue, value.count > 0, let pair = node.dictionaryPair {
      _ = reader.read()
      learn(pair.key, &reader)
      return learn(pair.value, &reader)
    }
    if let (type, isCertain) = LuaTypes.type(of: reader), isCertain { learn(node, type) }
  }

  // MARK: Types

  /// Takes what a Swift type tells of a parameter's type.
  mutating func learn(_ node: TypeNode, _ type: any Any.Type) {
    switch node {
    case .genericParameter: bind(node, Guess(type: type, isCertain: true))
    case .modified(_, let inner): learn(inner, type)
    case .metatype(let instance, _): learn(instance, type)
    case .tuple(let elements):
      for (element, known) in zip(elements, TypeMetadata.elements(of: type)) {
        learn(element.type, known.type)
      }
    case .nominal(let nominal): learn(nominal, type)
    case .function(let function):
      guard let metadata = FunctionMetadata(type) else { return }
      for (element, parameter) in zip(function.parameters, metadata.parameters) {
        learn(element.type, parameter.type)
      }
      learn(function.result, metadata.result)
      if let thrown = function.thrownType {
        learn(thrown, metadata.thrown ?? (metadata.isThrowing ? (any Error).self : Never.self))
      }
    case .constrainedExistential: learnMembers(node, type)
    default: break
    }
  }

  /// Learns from a value that is passed as `any P<T>`: the associated types of its type tell `T`.
  private mutating func learnMembers(_ node: TypeNode, _ type: any Any.Type) {
    guard let existential = ConstrainedExistential(node) else { return }
    for argument in existential.arguments where argument.type.isDependent {
      guard case .member(let name) = argument.place else { continue }
      let protocols = existential.base.protocols.compactMap {
        ProtocolDescriptor.find($0, in: program)
      }
      let declaring = protocols.lazy.compactMap { $0.declaring(associatedType: name) }.first
      guard let declaring else { continue }
      let member = TypeNode.dependentMember(
        base: .genericParameter(depth: 0, index: 0), name: name,
        protocol: .nominal(declaring.context.nominal))
      if let known = GenericBinding(types: [[type]]).resolve(member, in: program) {
        learn(argument.type, known)
      }
    }
  }

  /// Learns from a class, whose superclasses may be the generic part.
  private mutating func learn(_ nominal: NominalType, _ type: any Any.Type) {
    guard TypeNode.nominal(nominal).isDependent,
      let descriptor = TypeDescriptors.descriptor(of: nominal.unbound, in: program),
      let context = GenericContext(descriptor),
      let metadata = TypeMetadata.ancestor(of: type, with: descriptor)
    else { return }
    let arguments = context.arguments(in: metadata)
    for (depth, level) in nominal.argumentLevels.enumerated() {
      for (index, node) in level.enumerated() {
        guard let slot = context.argumentIndex(depth: depth, index: index) else { continue }
        learn(node, TypeMetadata.type(at: arguments[slot]))
      }
    }
  }

  // MARK: Guesses

  private mutating func bind(_ parameter: TypeNode, _ guess: Guess) {
    if generics.fixed[parameter] != nil || settled.contains(parameter) { return }
    guard let known = guesses[parameter] else {
      guesses[parameter] = guess
      return
    }
    if known.type == guess.type {
      if guess.isCertain { guesses[parameter] = guess }
    } else if known.isCertain != guess.isCertain {
      if guess.isCertain { guesses[parameter] = guess }
    } else if let common = Self.common(known.type, guess.type) {
      guesses[parameter] = Guess(type: common, isCertain: known.isCertain)
    } else {
      conflict = conflict ?? (parameter, known.type, guess.type)
    }
  }

  /// The one of two classes that the other inherits from; of an integer and a float the float.
  fileprivate static func common(
    _ left: any Any.Type, _ right: any Any.Type
  ) -> (any Any.Type)? {
    if TypeMetadata.isClass(left, orInheritsFrom: right) { return right }
    if TypeMetadata.isClass(right, orInheritsFrom: left) { return left }
    let numbers = [ObjectIdentifier(Int.self), ObjectIdentifier(Double.self)]
    let areNumbers = [left, right].allSatisfy { numbers.contains(ObjectIdentifier($0)) }
    return areNumbers ? Double.self : nil
  }

  /// Takes types that a call names, for the parameters that are not known so far, in their order.
  /// - Returns: Whether there is a parameter for each.
  mutating func name(_ types: [any Any.Type]) -> Bool {
    let open = generics.parameters.filter { guesses[$0] == nil && generics.fixed[$0] == nil }
    guard types.count <= open.count else { return false }
    for (parameter, type) in zip(open, types) {
      guesses[parameter] = Guess(type: type, isCertain: true)
    }
    return true
  }

  /// Assumes types for parameters that only closures would tell: the arguments and results of Lua
  /// functions have no type, so any type that fulfils the requirements will do.
  mutating func assume(_ function: RunningFunction) {
    let closures = function.declaration.parameters.map(\.type).filter {
      ($0.optionalPayload ?? $0).function != nil
    }
    for parameter in generics.parameters
    where guesses[parameter] == nil && generics.fixed[parameter] == nil
      && closures.contains(where: { $0.mentions(parameter) })
    {
      guesses[parameter] = loosest(parameter).map { Guess(type: $0, isCertain: false) }
    }
  }

  /// Takes types for parameters that nothing has told from what the running override returns, where the
  /// function returns the same generic type: an `EventLoopFuture<T>` is made to be returned. A value that goes
  /// elsewhere does not fit there, which is an error.
  mutating func assumeResult(_ function: RunningFunction) {
    let declared = function.declaration.result
    guard case .nominal = declared,
      generics.parameters.contains(where: {
        guesses[$0] == nil && generics.fixed[$0] == nil && declared.mentions($0)
      })
    else { return }
    isByKind = false
    guard let result = ActiveCall.innermost?.pointee.plan.result?.type else { return }
    var learned = self
    learned.learn(function.declaration.result, result)
    for (parameter, guess) in learned.guesses where guesses[parameter] == nil {
      guesses[parameter] = Guess(type: guess.type, isCertain: false)
    }
  }

  private func loosest(_ parameter: TypeNode) -> (any Any.Type)? {
    if generics.isReference(parameter) { return nil }
    let required = generics.protocols(of: parameter)
    let loose: [any Any.Type] = [Any.self, AnyHashable.self, (any Error).self]
    return loose.first { type in
      required.allSatisfy { $0.conformance(of: type) != nil }
    }
  }

  /// The types that the parameters stand for, as far as the arguments tell.
  /// - Throws: `PlanError` if they contradict one another.
  func types(_ function: RunningFunction) throws(PlanError) -> [TypeNode: any Any.Type] {
    if let conflict {
      throw PlanError(
        function,
        "\(conflict.parameter.shortDescription()) would stand for both "
          + "\(TypeName.short(conflict.first)) and \(TypeName.short(conflict.second))")
    }
    if let unknown {
      throw PlanError(function, "`\(unknown)` is not a type in this process")
    }
    var types = guesses.mapValues(\.type)
    // `S.Element == T` tells T from S, with more certainty than a value of Lua's.
    for (member, parameter) in generics.fixed {
      guard case .dependentMember = member, case .genericParameter = parameter,
        guesses[parameter]?.isCertain != true
      else { continue }
      let binding = GenericBinding(types, generics.counts)
      if let type = binding.resolve(member, in: program) { types[parameter] = type }
    }
    return types
  }
}

/// The Swift types of Lua's values if nothing says what they should be.
enum LuaTypes {
  /// The type of the value that the reader stands at; nil: it tells none. The flag: a Swift value
  /// has the type.
  static func type(of reader: LuaReader) -> (type: any Any.Type, isCertain: Bool)? {
    let value = reader.peeked
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_BOOLEAN: return (Bool.self, false)
    case WAX_LUA_VALUE_INTEGER: return (Int.self, false)
    case WAX_LUA_VALUE_NUMBER: return (Double.self, false)
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES: return (String.self, false)
    case WAX_LUA_VALUE_OBJECT: return (ObjectReference.dynamicType(value.pointer), true)
    case WAX_LUA_VALUE_PROXY: return held(value).map { ($0, true) }
    case WAX_LUA_VALUE_FUNCTION: return closure(reader).map { ($0, true) }
    case WAX_LUA_VALUE_ARRAY: return array(reader)
    case WAX_LUA_VALUE_TABLE: return dictionary(reader)
    default: return nil
    }
  }

  /// The type of a Swift closure; nil for a Lua function, which has none.
  private static func closure(_ reader: LuaReader) -> (any Any.Type)? {
    guard let proxy = reader.closure(reader.peeked)?.pointee, wax_proxy_is_closure(proxy.kind),
      let pointer = proxy.pointer
    else { return nil }
    return InstalledLayers.current.closureType(pointer).type
  }

  private static func held(_ value: wax_lua_value) -> (any Any.Type)? {
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_UINT64: return UInt64.self
    case WAX_PROXY_KIND_VALUE, WAX_PROXY_KIND_PENDING:
      return proxy.type.map { TypeMetadata.type(at: $0) }
    case WAX_PROXY_KIND_ERROR: return DynamicValue.error(value).map { Swift.type(of: $0) }
    default: return nil
    }
  }

  /// The type of the elements in the sequence at which the reader stands.
  static func element(of start: LuaReader) -> (type: any Any.Type, isCertain: Bool)? {
    var reader = start
    let count = Int(reader.read().count)
    return common(count, &reader) { _ in true }
  }

  private static func array(_ reader: LuaReader) -> (type: any Any.Type, isCertain: Bool)? {
    guard let element = element(of: reader) else { return nil }
    func make<Element>(_: Element.Type) -> any Any.Type { [Element].self }
    return (_openExistential(element.type, do: make), element.isCertain)
  }

  private static func dictionary(_ start: LuaReader) -> (type: any Any.Type, isCertain: Bool)? {
    var reader = start
    let count = Int(reader.read().count)
    let value = common(count, &reader) { reader in reader.read().isString }
    guard let value else { return nil }
    func make<Value>(_: Value.Type) -> any Any.Type { [String: Value].self }
    return (_openExistential(value.type, do: make), value.isCertain)
  }

  /// The type of all of some values; `Any` if they have none in common, or there are none.
  /// - Parameter isEntry: Reads what stands before each value; false: it is not what is expected.
  private static func common(
    _ count: Int, _ reader: inout LuaReader, _ isEntry: (inout LuaReader) -> Bool
  ) -> (type: any Any.Type, isCertain: Bool)? {
    var found: (type: any Any.Type, isCertain: Bool)?
    for _ in 0..<count {
      guard isEntry(&reader) else { return nil }
      guard let next = type(of: reader) else { return (Any.self, false) }
      reader.skip()
      guard let known = found else {
        found = next
        continue
      }
      if known.type == next.type { continue }
      guard let type = TypeInference.common(known.type, next.type) else { return (Any.self, false) }
      found = (type, known.isCertain && next.isCertain)
    }
    return found ?? (Any.self, false)
  }
}

extension TypeMetadata {
  /// The metadata of a type, or of a class that it inherits from, with this descriptor.
  static func ancestor(
    of type: any Any.Type, with descriptor: ContextDescriptor
  ) -> UnsafeRawPointer? {
    var current: (any Any.Type)? = type
    while let type = current {
      if Self.descriptor(of: type) == UInt(bitPattern: descriptor.address) {
        return pointer(to: type)
      }
      current = superclass(of: type)
    }
    return nil
  }
}
