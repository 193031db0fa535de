// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// The generic parameters of a function and of the type that it is a member of, with all their
/// requirements.
struct FunctionGenerics {
  struct Conformance: Hashable {
    /// A generic parameter, or an associated type of one.
    let subject: TypeNode
    let protocolDescriptor: ProtocolDescriptor

    /// The conformance without the protocols that declare associated types, because the same member
    /// may be named through different protocols.
    var byNames: Conformance {
      Conformance(subject: subject.withoutProtocols, protocolDescriptor: protocolDescriptor)
    }
  }

  /// How many parameters each level has, outermost first. A protocol's level is `Self` alone.
  private(set) var counts: [Int] = []
  /// The conformances in the order in which witness tables are passed: the compiler's canonical
  /// order, without conformances that another requirement implies.
  private(set) var conformances: [Conformance] = []
  /// The conformances including those that another requirement implies, in any order.
  private(set) var stated: [Conformance] = []
  /// The types that parameters and associated types are required to be.
  private(set) var fixed: [TypeNode: TypeNode] = [:]
  private(set) var superclasses: [TypeNode: TypeNode] = [:]
  /// Parameters whose values are references to objects.
  private(set) var references: Set<TypeNode> = []
  /// The type that the function is a member of, if that is generic.
  private(set) var context: GenericContext?

  /// Creates the generics; nil if neither the function nor its type is generic.
  /// - Throws: `PlanError` for unsupported requirements.
  init?(_ function: RunningFunction, in program: RunningProgram) throws(PlanError) {
    let declaration = function.declaration
    try Self.checkSignatures(function)
    if let nominal = declaration.contextType?.nominal {
      try addContext(nominal, function, program)
    }
    if counts.isEmpty, declaration.genericSignature == nil { return nil }
    let ownCounts = ownCounts(declaration)
    if counts.isEmpty { try Self.checkContext(function, ownCounts) }
    counts += ownCounts
    let own =
      (declaration.extensionConditions?.requirements ?? [])
      + (declaration.genericSignature?.requirements ?? [])
    for requirement in own { try add(requirement, function, program) }
    leaveOutImplied(program)
    sortConformances()
  }

  /// The number of parameters in each level that the function adds to those of its type.
  ///
  /// A `where` clause that adds none is spelled with the type's own parameter, if that is the only one and
  /// nothing else is required of it: `func max() where T: Comparable` in `Box<T>` has the symbol of a function
  /// with one parameter, of which its type says nothing (`gatherGenericSignatureParts` in the compiler's
  /// lib/AST/ASTMangler.cpp, Swift 6.3).
  private func ownCounts(_ declaration: FunctionDeclaration) -> [Int] {
    let own = declaration.genericSignature?.parameterCounts.filter { $0 > 0 } ?? []
    let isOfType =
      counts == [1] && own == [1] && declaration.contextType?.nominal?.kind != .protocol
      && (declaration.interfaceType?.deepestParameter ?? 0) < 1
    return isOfType ? [] : own
  }

  /// A type whose description is not in the program may be generic all the same: then the function's parameters
  /// are not the outermost ones, or it names none of them and its `where` clause speaks of the type's.
  private static func checkContext(
    _ function: RunningFunction, _ ownCounts: [Int]
  ) throws(PlanError) {
    let declaration = function.declaration
    let deepest = declaration.interfaceType?.deepestParameter ?? -1
    guard let nominal = declaration.contextType?.nominal,
      ownCounts.isEmpty || deepest != ownCounts.count - 1
    else { return }
    throw PlanError(
      function,
      "\(nominal.qualifiedName) is generic, and the optimiser has dropped its description: using its "
        + "type as a value anywhere, as in `print(T.self)`, keeps it")
  }

  /// Creates the generics of a type, for its stored properties.
  init(_ context: GenericContext, in program: RunningProgram) {
    add(context, program)
    conformances = stated
    sortConformances()
  }

  /// Why the values of a function that takes a pack are opaque.
  static let hasPack =
    "it has a parameter pack (`each T`), so the number of its values is not fixed"

  private static func checkSignatures(_ function: RunningFunction) throws(PlanError) {
    let signatures = [
      function.declaration.genericSignature, function.declaration.extensionConditions,
    ]
    for requirement in signatures.compactMap({ $0?.requirements }).joined() {
      switch requirement {
      case .pack, .sameShape:
        throw PlanError(function, hasPack)
      case .value:
        throw PlanError(function, "it has a value as a generic parameter (`let N: Int`)")
      default: break
      }
    }
  }

  private mutating func addContext(
    _ nominal: NominalType, _ function: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) {
    if nominal.kind == .protocol {
      counts = [1]
      try add(
        .conformance(.genericParameter(depth: 0, index: 0), .nominal(nominal.unbound)), function,
        program)
      return
    }
    guard let descriptor = TypeDescriptors.descriptor(of: nominal.unbound, in: program),
      descriptor.isGeneric
    else { return }
    guard let context = GenericContext(descriptor) else {
      throw PlanError(
        function,
        "\(nominal.qualifiedName) has generic parameters that are packs (`each T`) or values "
          + "(`let N: Int`), which are not supported")
    }
    add(context, program)
  }

  private mutating func add(_ context: GenericContext, _ program: RunningProgram) {
    self.context = context
    counts = context.counts
    for requirement in context.requirements { add(requirement, program) }
  }

  // MARK: Requirements

  /// Adds a requirement of the type's descriptor. The descriptor names members of parameters with
  /// their protocols by address, but by name if the protocol is one of the standard library. Both
  /// spellings become the same node.
  private mutating func add(
    _ requirement: GenericContext.Requirement, _ program: RunningProgram
  ) {
    switch requirement {
    case .conformance(let subject, let protocolDescriptor):
      add(spelledOut(subject, program), protocolDescriptor)
    case .sameType(let subject, let type):
      fix(spelledOut(subject, program), spelledOut(type, program))
    case .superclass(let subject, let type):
      superclasses[spelledOut(subject, program)] = type
      references.insert(spelledOut(subject, program))
    case .reference(let subject): references.insert(spelledOut(subject, program))
    }
  }

  private mutating func add(
    _ requirement: GenericRequirement, _ function: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) {
    switch requirement {
    case .conformance(let subject, let node):
      if ProtocolDescriptor.isMarker(node) { return }
      guard let found = ProtocolDescriptor.find(node, in: program) else {
        throw PlanError(
          function, "it requires \(node.shortDescription()), which is not in this process")
      }
      add(spelledOut(subject, program), found)
    case .sameType(let subject, let type):
      fix(spelledOut(subject, program), spelledOut(type, program))
    case .superclass(let subject, let type):
      superclasses[spelledOut(subject, program)] = type
      references.insert(spelledOut(subject, program))
    case .layout(let subject, let constraint) where constraint.name == "AnyObject":
      references.insert(spelledOut(subject, program))
    case .inverse: break  // allows types that cannot be copied too; those that can are called alike
    default:
      throw PlanError(function, "it has a generic requirement that is not supported")
    }
  }

  private mutating func add(_ subject: TypeNode, _ protocolDescriptor: ProtocolDescriptor) {
    if protocolDescriptor.isClassBound { references.insert(subject) }
    let conformance = Conformance(subject: subject, protocolDescriptor: protocolDescriptor)
    if !stated.contains(conformance) { stated.append(conformance) }
  }

  /// Records that two types are the same. The later one stands for the earlier one.
  private mutating func fix(_ left: TypeNode, _ right: TypeNode) {
    switch (Self.isParameter(left), Self.isParameter(right)) {
    case (true, true): fixLater(left, right)
    case (false, false) where GenericOrder.isSubject(left) && GenericOrder.isSubject(right):
      fixLater(left, right)
    case (false, true) where GenericOrder.isSubject(left): fixed[left] = right
    case (false, true): fixed[right] = left
    case (true, false) where GenericOrder.isSubject(right): fixed[right] = left
    default: fixed[left] = right
    }
  }

  private mutating func fixLater(_ left: TypeNode, _ right: TypeNode) {
    let isRightFirst = GenericOrder.precedes(right, left)
    fixed[isRightFirst ? left : right] = isRightFirst ? right : left
  }

  private static func isParameter(_ node: TypeNode) -> Bool {
    if case .genericParameter = node { true } else { false }
  }

  /// Leaves out what follows from other requirements, those of the type and those of the function taken
  /// together, and what concerns a type that is known. Where two follow from each other, the first of the
  /// signature's order stays (`MinimalConformances` in the compiler's lib/AST/RequirementMachine, Swift 6.3).
  private mutating func leaveOutImplied(_ program: RunningProgram) {
    conformances = stated.filter { one in
      !stated.contains {
        $0.subject == one.subject && $0.protocolDescriptor.inherits(one.protocolDescriptor)
      }
    }
    if conformances.count < 2, fixed.isEmpty, superclasses.isEmpty { return }
    let known = ProtocolRequirements(program)
    var all = RequirementClosure(stated, self, known)
    conformances.removeAll { all.isConcrete($0.subject) }
    sortConformances()
    for conformance in conformances.reversed() {
      let others = conformances.filter { $0 != conformance }
      var closure = RequirementClosure(others, self, known)
      if closure.implies(conformance) { conformances = others }
    }
  }

  private mutating func sortConformances() {
    conformances.sort { left, right in
      if left.subject != right.subject {
        return GenericOrder.precedes(left.subject, right.subject)
      }
      return ProtocolDescriptor.precedes(left.protocolDescriptor, right.protocolDescriptor)
    }
  }
}

// MARK: - Parameters and their members

extension FunctionGenerics {
  /// All parameters, level by level.
  var parameters: [TypeNode] {
    counts.enumerated().flatMap { depth, count in
      (0..<count).map { TypeNode.genericParameter(depth: depth, index: $0) }
    }
  }

  /// The type of `Self` in an extension of a protocol: with `where Self == S` functions are called
  /// like members of an extension of `S`.
  var selfNode: TypeNode { fixed[.protocolSelf] ?? .protocolSelf }

  /// The parameters whose metadata is passed, because no other type is required to be the same.
  var canonicalParameters: [TypeNode] { parameters.filter { fixed[$0] == nil } }

  /// An associated type with the protocol that declares it, which symbols leave out where there is
  /// only one of the name: the runtime wants it.
  func spelledOut(_ node: TypeNode, _ program: RunningProgram) -> TypeNode {
    guard case .dependentMember(let base, let name, let declaring) = node else { return node }
    let owner = spelledOut(base, program)
    let known = declaring.flatMap { ProtocolDescriptor.find($0, in: program) }
    let declared =
      (known.map { [$0] } ?? protocols(of: owner)).lazy
      .compactMap { $0.declaring(associatedType: name) }.first ?? known
    return .dependentMember(
      base: owner, name: name, protocol: declared.map { .nominal($0.context.nominal) })
  }

  /// The protocols that a parameter or an associated type is known to conform to.
  func protocols(of subject: TypeNode) -> [ProtocolDescriptor] {
    var found = stated.filter { $0.subject == subject }.map(\.protocolDescriptor)
    if case .dependentMember(_, let name, let declaring?) = subject,
      let address = declaring.nominal?.descriptorAddress,
      let pointer = UnsafeRawPointer(bitPattern: address)
    {
      for case .conformance(.dependentMember(_, name, _), let bound)
        in ProtocolDescriptor(pointer).signature
      {
        found.append(bound)
      }
    }
    return found
  }

  /// Whether values of a parameter or of an associated type are references to objects.
  func isReference(_ subject: TypeNode) -> Bool {
    if references.contains(subject) { return true }
    return protocols(of: subject).contains { $0.isClassBound }
  }
}

/// The order of generic parameters and their associated types (`compareDependentTypes` in the
/// compiler's lib/AST/GenericSignature.cpp, Swift 6.3): parameters by level and position, then
/// members by what they are members of, then by name.
enum GenericOrder {
  static func isSubject(_ node: TypeNode) -> Bool {
    switch node {
    case .genericParameter: true
    case .dependentMember(let base, _, _): isSubject(base)
    default: false
    }
  }

  static func precedes(_ left: TypeNode, _ right: TypeNode) -> Bool {
    switch (left, right) {
    case (.genericParameter(let leftDepth, let left), .genericParameter(let rightDepth, let right)):
      return (leftDepth, left) < (rightDepth, right)
    case (.genericParameter, _): return true
    case (_, .genericParameter): return false
    case (
      .dependentMember(let leftBase, let left, _), .dependentMember(let rightBase, let right, _)
    ):
      if leftBase != rightBase { return precedes(leftBase, rightBase) }
      return left < right
    default: return false
    }
  }
}

extension TypeNode {
  fileprivate var withoutProtocols: TypeNode {
    guard case .dependentMember(let base, let name, _) = self else { return self }
    return .dependentMember(base: base.withoutProtocols, name: name, protocol: nil)
  }
}
