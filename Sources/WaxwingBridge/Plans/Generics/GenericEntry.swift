// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// Reads from the registers of a call of a generic function which types its parameters stand for.
package struct GenericEntry {
  private struct Parameter {
    let node: TypeNode
    let word: ValueLocation
    /// The word is a reference to an object, whose first word is its class's metadata.
    let isObject: Bool
    let path: [(context: GenericContext, index: Int)]
  }

  private let parameters: [Parameter]
  /// The generic struct or enum without contents that the function is a member of. Nothing tells
  /// whether the function is `mutating`; if it is, calls pass the metadata of this type, and not
  /// those of its parameters.
  private let emptyReceiver: ContextDescriptor?
  /// How the function is called if it is mutating, where only its calls tell.
  private let ifMutating: VariableEntry?
  /// Bytes of arguments on the stack.
  let stackBytes: Int

  /// - Throws: `PlanError` if how the function is called cannot be told for all types at once, or if
  ///   it cannot be overridden.
  init(_ generic: GenericFunction, stated: SelfKind?) throws(PlanError) {
    try BoundGenerics.checkDescriptions(generic.generics, generic.function, generic.program)
    let stand = StandIns(generic)
    let source = FunctionShape.Source(
      function: generic.function, program: generic.program, generics: generic.generics,
      opaque: try OpaqueResults(generic.function, generic.generics, in: generic.program),
      type: stand.type, isOverride: true)
    let shape = try FunctionShape(source, Mutation(stated: stated))
    try stand.checkReceiver(of: shape, generic.function)
    ifMutating = shape.receiverMayBeVariable ? try VariableEntry(generic, shape.layout) : nil
    stackBytes = max(shape.layout.stackBytes, ifMutating?.entry.stackBytes ?? 0)
    var parameters: [Parameter] = []
    for node in generic.generics.canonicalParameters {
      guard let origin = shape.trailing?.origins[node] else {
        throw PlanError(
          generic.function, "calls do not tell what \(node.shortDescription()) stands for")
      }
      parameters.append(Self.parameter(node, origin, shape))
    }
    self.parameters = parameters
    emptyReceiver =
      shape.isReceiverEmpty && stated == nil && generic.function.selfKind == nil
      ? generic.generics.context?.descriptor : nil
  }

  private static func parameter(
    _ node: TypeNode, _ origin: TrailingArguments.Origin, _ shape: FunctionShape
  ) -> Parameter {
    let layout = shape.layout
    switch origin.root {
    case .trailing(let index):
      return Parameter(
        node: node, word: ValueLocation(layout.trailingPointers[index], alignment: 8),
        isObject: false,
        path: origin.path)
    case .receiver(let isMetatype):
      return Parameter(
        node: node, word: .frame(Frame.selfRegisterOffset), isObject: !isMetatype,
        path: origin.path)
    case .argument(let index, let isMetatype):
      return Parameter(
        node: node, word: ValueLocation(shape.placements[index][0], alignment: 8),
        isObject: !isMetatype,
        path: origin.path)
    }
  }

  /// The function and its entry as this call shows them to be.
  func settled(
    _ generic: GenericFunction, _ frame: FramePointer
  ) -> (generic: GenericFunction, entry: GenericEntry) {
    guard let ifMutating, ObjectReference.isVariable(at: UInt(frame.pointee.selfRegister)) else {
      return (generic, self)
    }
    return (ifMutating.generic, ifMutating.entry)
  }

  /// The words that differ between calls with other types: compare them before asking for the
  /// types.
  func words(_ frame: FramePointer) -> [UInt] {
    parameters.map { parameter in
      let word = parameter.word.memory(frame)?.load(as: UInt.self) ?? 0
      let object = parameter.isObject ? UnsafeRawPointer(bitPattern: word) : nil
      return object?.load(as: UInt.self) ?? word
    }
  }

  /// The types for the words.
  func types(_ words: [UInt]) -> [TypeNode: any Any.Type] {
    var types: [TypeNode: any Any.Type] = [:]
    for (parameter, word) in zip(parameters, words) {
      guard var metadata = UnsafeRawPointer(bitPattern: word) else { continue }
      let type = TypeMetadata.type(at: metadata)
      if let emptyReceiver,
        TypeMetadata.descriptor(of: type) == UInt(bitPattern: emptyReceiver.address)
      {
        continue
      }
      for step in parameter.path {
        guard
          let owner = TypeMetadata.ancestor(
            of: TypeMetadata.type(at: metadata), with: step.context.descriptor)
        else { return types }
        metadata = step.context.arguments(in: owner)[step.index]
      }
      types[parameter.node] = TypeMetadata.type(at: metadata)
    }
    return types
  }
}

/// A generic function that is called on objects, taken for mutating, as its calls may show it to be.
private final class VariableEntry {
  let generic: GenericFunction
  let entry: GenericEntry

  /// - Parameter usual: How it is called if it is not.
  /// - Throws: `PlanError` if an override cannot be installed for both.
  init(_ generic: GenericFunction, _ usual: CallLayout) throws(PlanError) {
    self.generic = generic.stating(.mutating)
    entry = try GenericEntry(self.generic, stated: .mutating)
    // An async function takes its arguments off the stack.
    if generic.function.isAsync, entry.stackBytes != usual.stackBytes {
      let selector = generic.function.declaration.selector
      throw PlanError(
        generic.function,
        "nothing tells whether it is `mutating`; write it: [\"mutating \(selector)\"] or "
          + "[\"nonmutating \(selector)\"]")
    }
  }
}

/// Types to use for generic parameters where they make no difference: parameters of structs and
/// enums that hold only references to values of these types, as `[T]` does. They fulfil the
/// requirements of the parameters, as there are no others.
struct StandIns {
  private final class Reference {}

  private static let common: [any Any.Type] = [
    Int.self, String.self, Double.self, [Int].self, Bool.self, [String: Int].self, Reference.self,
  ]
  /// The stand-ins that were found, by the addresses of the protocols' descriptors; nil where no
  /// type conforms to all of them.
  private static let known = Mutex<[[UInt]: (any Any.Type)?]>([:])

  private let generics: FunctionGenerics
  private let program: RunningProgram
  private let binding: GenericBinding

  init(_ generic: GenericFunction) {
    generics = generic.generics
    program = generic.program
    var levels: [[any Any.Type]] = []
    for (depth, count) in generics.counts.enumerated() {
      levels.append(
        (0..<count).map { index in
          Self.type(
            .genericParameter(depth: depth, index: index), generic.generics, generic.program)
        })
    }
    binding = GenericBinding(types: levels + [[Int.self]])
  }

  private static func type(
    _ node: TypeNode, _ generics: FunctionGenerics, _ program: RunningProgram,
    isOfSuperclass: Bool = false
  ) -> any Any.Type {
    if let same = generics.fixed[node], !same.isDependent, let type = program.runtimeType(same) {
      return type
    }
    let superclass = generics.superclasses[node].flatMap { superclass in
      superclass.isDependent
        ? isOfSuperclass ? nil : superclass.nominal.flatMap { type(of: $0, in: program) }
        : program.runtimeType(superclass)
    }
    if let superclass { return superclass }
    let isReference = generics.isReference(node)
    let required = generics.protocols(of: node)
    let found = required.isEmpty ? nil : fulfilling(required, isReference, program)
    return found ?? (isReference ? Reference.self : Int.self)
  }

  /// A generic class with types for its parameters; nil if no known types fulfil its requirements.
  static func type(of nominal: NominalType, in program: RunningProgram) -> (any Any.Type)? {
    guard let descriptor = TypeDescriptors.descriptor(of: nominal.unbound, in: program),
      let context = GenericContext(descriptor)
    else { return nil }
    let generics = FunctionGenerics(context, in: program)
    let types = generics.parameters.map {
      ($0, type($0, generics, program, isOfSuperclass: true))
    }
    let binding = GenericBinding(
      Dictionary(types, uniquingKeysWith: { first, _ in first }), generics.counts)
    return binding.resolve(.nominal(nominal.unbound.boundToParameters(context.added)), in: program)
  }

  /// A type that conforms to all of the protocols.
  private static func fulfilling(
    _ required: [ProtocolDescriptor], _ isReference: Bool, _ program: RunningProgram
  ) -> (any Any.Type)? {
    let key = required.map { UInt(bitPattern: $0.context.address) }
    if let known = known.withLock({ $0[key] }) { return known }
    func isOne(_ type: any Any.Type) -> Bool {
      (!isReference || TypeMetadata.kind(of: type) == .class)
        && required.allSatisfy { $0.conformance(of: type) != nil }
    }
    var type = common.first(where: isOne)
    if type == nil {
      let module = required[0].module + "."
      let types = program.types.values.joined().filter { $0.descriptor != 0 }
      let nearFirst =
        types.filter { $0.name.hasPrefix(module) } + types.filter { !$0.name.hasPrefix(module) }
      type = nearFirst.lazy.compactMap { program.runtimeType($0.node) }.first(where: isOne)
    }
    let found = type
    known.withLock { $0[key] = found }
    return found
  }

  /// The runtime finds no type by name that is `~Copyable` or `~Escapable`. One that is for the stand-ins,
  /// which are neither, is for all types: no call could hand it to Lua.
  func checkReceiver(of shape: FunctionShape, _ function: RunningFunction) throws(PlanError) {
    guard let node = shape.contextNode, shape.receiverKind != .opaque, type(node) == nil,
      let nominal = node.nominal?.unbound,
      let descriptor = TypeDescriptors.descriptor(of: nominal, in: program),
      descriptor.hasInvertibleProtocols
    else { return }
    throw PlanError(
      function,
      "\(nominal.qualifiedName) is ~Copyable or ~Escapable; Lua copies and keeps its values")
  }

  func type(_ node: TypeNode) -> (any Any.Type)? {
    if node.hasOpaqueResult { return nil }
    let member = TypeNode.genericParameter(depth: generics.counts.count, index: 0)
    return binding.resolve(node.replacingMembers { _ in member }, in: program)
  }
}
