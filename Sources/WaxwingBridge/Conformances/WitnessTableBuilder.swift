// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingReflection
internal import WaxwingValues

/// Makes witness tables, or finds those that were made before.
package struct WitnessTableBuilder {
  let type: any Any.Type
  /// The qualified name of the type, such as `Bank.Account`.
  let typeName: String
  /// The types that the script gives, by name.
  let types: [String: any Any.Type]
  /// The conformances that the script has declared before and that are not live yet.
  let declared: [MadeConformance]
  let program: RunningProgram

  package init(
    type: any Any.Type, typeName: String, types: [String: any Any.Type],
    declared: [MadeConformance], program: RunningProgram
  ) {
    self.type = type
    self.typeName = typeName
    self.types = types
    self.declared = declared
    self.program = program
  }

  /// The conformance to a protocol, and those to the protocols that it inherits from.
  package func conformance(to owner: RunningProtocol) throws(ConformanceError) -> MadeConformance {
    guard let address = UnsafeRawPointer(bitPattern: owner.descriptor) else {
      throw ConformanceError("\(owner.name) has no descriptor in this process")
    }
    let descriptor = ProtocolDescriptor(address)
    guard let requirements = descriptor.requirements else {
      throw ConformanceError("\(owner.name) has a requirement of an unknown kind")
    }
    let bases = try bases(of: descriptor)
    let associated = try associatedTypes(descriptor, owner, bases.compactMap(\.made))
    let words = try fixedWords(descriptor, owner, requirements, bases.map(\.table), associated)
    let key = MadeConformances.Key(
      type: ObjectIdentifier(type), descriptor: owner.descriptor,
      words: words.sorted { $0.key < $1.key }.map(\.value))
    if let known = MadeConformances.find(key) { return known }
    let catalog = RequirementCatalog.of(owner, requirements, in: program)
    try check(catalog, owner)
    let made: MadeConformance
    do throws(NoMetadataMemory) {
      made = try MadeConformance(
        type, typeName: typeName, descriptor, protocolName: owner.name, words: requirements.count,
        associated, bases: bases.compactMap(\.made))
    } catch {
      throw ConformanceError(error.description)
    }
    keepImages(owner)
    for (index, word) in words { made.word(index).storeBytes(of: word, as: UInt.self) }
    try addFunctions(to: made, owner, requirements, catalog)
    MadeConformances.add(made, key)
    return made
  }

  /// Keeps the libraries of the type and the protocol loaded: closing one must not remove them.
  private func keepImages(_ owner: RunningProtocol) {
    for address in [owner.descriptor, TypeMetadata.descriptor(of: type) ?? 0] {
      guard let path = wax_process_image_path(UnsafeRawPointer(bitPattern: address)) else {
        continue
      }
      _ = wax_process_image_keep(path)
    }
  }
}

// MARK: - Inherited protocols and associated types

extension WitnessTableBuilder {
  private typealias Base = (table: UnsafeRawPointer, made: MadeConformance?)

  /// The conformances to the inherited protocols, in the order of their requirements.
  private func bases(of descriptor: ProtocolDescriptor) throws(ConformanceError) -> [Base] {
    var bases: [Base] = []
    for base in descriptor.inherited { bases.append(try self.base(base)) }
    return bases
  }

  private func base(_ base: ProtocolDescriptor) throws(ConformanceError) -> Base {
    if let own = made(for: type, base) { return (UnsafeRawPointer(own.table), own) }
    if let table = base.conformance(of: type) {
      return (table, MadeConformances.withTable(table))
    }
    let address = UInt(bitPattern: base.context.address)
    guard let owner = program.protocols.first(where: { $0.descriptor == address }) else {
      throw ConformanceError(
        "\(typeName) does not conform to \(base.name), which the protocol inherits from")
    }
    let made = try conformance(to: owner)
    return (UnsafeRawPointer(made.table), made)
  }

  private func made(
    for type: any Any.Type, _ descriptor: ProtocolDescriptor
  ) -> MadeConformance? {
    declared.first { $0.type == type && $0.descriptor == descriptor }
  }

  /// The types that the script gives, and those that follow from them.
  private func associatedTypes(
    _ descriptor: ProtocolDescriptor, _ owner: RunningProtocol, _ bases: [MadeConformance]
  ) throws(ConformanceError) -> AssociatedTypes {
    let declared = declared
    var known = AssociatedTypes(
      of: type,
      bases.reduce(into: types) { all, base in
        all.merge(base.associatedTypes.types) { mine, _ in mine }
      }
    ) { type, name in
      declared.lazy.filter { $0.type == type }.compactMap { $0.associatedTypes.types[name] }.first
    }
    for name in descriptor.associatedTypeNames where known.types[name] == nil {
      guard let type = inferred(name, descriptor, known) ?? nested(name) else {
        throw ConformanceError(
          "\(owner.name) has the associated type `\(name)`, and nothing determines it for "
            + "\(typeName): give it in the fourth argument of `conform`, { types = { \(name) = "
            + "\"Swift.Int\" } }")
      }
      known.set(name, type)
    }
    return known
  }

  /// The type that the protocol requires the associated type to be.
  private func inferred(
    _ name: String, _ descriptor: ProtocolDescriptor, _ known: AssociatedTypes
  ) -> (any Any.Type)? {
    for case .sameType(let left, let right) in descriptor.signature {
      for (subject, other) in [(left, right), (right, left)] {
        guard case .dependentMember(.genericParameter, name, _) = subject else { continue }
        if let type = known.type(other, in: program) { return type }
      }
    }
    return nil
  }

  /// A type of that name that is declared in the class.
  private func nested(_ name: String) -> (any Any.Type)? {
    program.types["\(typeName).\(name)"]?.first.flatMap { program.runtimeType($0.node) }
  }

  /// The words of all requirements that are no functions, by their index.
  private func fixedWords(
    _ descriptor: ProtocolDescriptor, _ owner: RunningProtocol,
    _ requirements: [ProtocolRequirement], _ bases: [UnsafeRawPointer],
    _ associated: AssociatedTypes
  ) throws(ConformanceError) -> [Int: UInt] {
    var words: [Int: UInt] = [:]
    var bases = bases.makeIterator()
    var names = descriptor.associatedTypeNames.makeIterator()
    var subjects = Self.associatedConformances(descriptor).makeIterator()
    for requirement in requirements where !requirement.isFunction {
      let word: UnsafeRawPointer? =
        switch requirement.kind {
        case .baseProtocol: bases.next()
        case .associatedType:
          names.next().flatMap { associated.types[$0] }.map(TypeMetadata.pointer(to:))
        default:
          try subjects.next().map { (subject) throws(ConformanceError) in
            try table(subject.0, subject.1, owner, associated)
          }
        }
      guard let word else {
        throw ConformanceError("the descriptor of \(owner.name) is not as expected")
      }
      words[requirement.index] = UInt(bitPattern: word)
    }
    return words
  }

  /// The conformances of associated types, in the order of the requirements.
  private static func associatedConformances(
    _ descriptor: ProtocolDescriptor
  ) -> [(TypeNode, ProtocolDescriptor)] {
    descriptor.signature.compactMap {
      guard case .conformance(let subject, let bound) = $0 else { return nil }
      if case .genericParameter = subject { return nil }
      return (subject, bound)
    }
  }

  private func table(
    _ subject: TypeNode, _ bound: ProtocolDescriptor, _ owner: RunningProtocol,
    _ associated: AssociatedTypes
  ) throws(ConformanceError) -> UnsafeRawPointer {
    let name = SelfName.spelled(in: subject.shortDescription())
    guard let type = associated.type(subject, in: program) else {
      throw ConformanceError(
        "\(owner.name) requires \(name): \(bound.name), and nothing determines \(name)")
    }
    if let made = made(for: type, bound) { return UnsafeRawPointer(made.table) }
    guard let table = bound.conformance(of: type) else {
      throw ConformanceError(
        "\(owner.name) requires \(name): \(bound.name), which \(TypeName.short(type)) does not "
          + "conform to")
    }
    return table
  }
}

// MARK: - Functions

extension WitnessTableBuilder {
  private func check(
    _ catalog: RequirementCatalog, _ owner: RunningProtocol
  ) throws(ConformanceError) {
    if catalog.mayBeDevirtualized {
      throw ConformanceError(
        "\(owner.name) is not public, and one type of the program conforms to it: optimised code "
          + "may take whatever conforms for that; let the protocol be public, or another type conform"
      )
    }
    for (index, entry) in catalog.entries.sorted(by: { $0.key < $1.key }) {
      guard case .unknown = entry else { continue }
      throw ConformanceError(
        "nothing tells what requirement \(index + 1) of \(owner.name) is: the names of requirements "
          + "are in the witness tables of the types that conform, and the program has none that "
          + "tells; let any type of the program conform to it")
    }
  }

  private func addFunctions(
    to made: MadeConformance, _ owner: RunningProtocol, _ requirements: [ProtocolRequirement],
    _ catalog: RequirementCatalog
  ) throws(ConformanceError) {
    let defaults = DefaultImplementations(of: owner, in: program)
    for requirement in requirements where requirement.isFunction {
      let word = made.word(requirement.index)
      switch catalog.entries[requirement.index] {
      case .named(let name):
        made.witnesses.append(
          WitnessFunction(
            requirement, name, word: word,
            default: requirement.defaultImplementation ?? defaults.find(name, requirement),
            type: type, typeName: typeName, protocolName: owner.nominal.name.text,
            plan: planner(made)))
      default:
        word.storeBytes(
          of: unsafeBitCast(Self.unused, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
      }
    }
    do throws(PlanError) { try addCoroutines(to: made, owner) } catch {
      throw ConformanceError("\(owner.name) cannot be conformed to: \(error)")
    }
  }

  /// The function for requirements that nothing calls, as the compiler has found.
  private static let unused: @convention(c) () -> Void = {
    fatalError(
      "Waxwing: a requirement was called that nothing in the program calls; please report this")
  }

  private func planner(
    _ made: MadeConformance
  ) -> @Sendable (RunningFunction) throws(PlanError) -> CallPlan {
    // For good, as the conformance is.
    { [unowned made, program] (function) throws(PlanError) in
      guard let generics = try FunctionGenerics(function, in: program), generics.counts == [1]
      else {
        throw PlanError(function, "it is generic, and a Lua function cannot be")
      }
      let bound = BoundGenerics(
        generics, conforming: made.associatedTypes, table: made.table, in: program)
      let kind = function.declaration.hasInstanceSelf ? function.stated : .nonmutating
      return try CallPlan(function, bound: bound, in: program, .stated(kind))
    }
  }

  private func addCoroutines(
    to made: MadeConformance, _ owner: RunningProtocol
  ) throws(PlanError) {
    var coroutines: [Int: ModifyCoroutine] = [:]
    for witness in made.witnesses where witness.requirement.isCoroutine {
      guard witness.defaultImplementation == nil else { continue }
      guard witness.declaration.isModify,
        let getter = made.witnesses.first(where: { $0.isAccessor(.getter, of: witness) }),
        let setter = made.witnesses.first(where: { $0.isAccessor(.setter, of: witness) })
      else {
        throw PlanError(
          witness.function, "it is a coroutine of a kind that is not supported")
      }
      coroutines[witness.requirement.index] = ModifyCoroutine(
        beginning: try getter.planBeginningOfModify(), getter: try getter.accessor(),
        setter: try setter.accessor())
    }
    for (index, coroutine) in coroutines {
      do throws(InterceptionError) {
        try coroutine.claim(made.word(index))
      } catch {
        throw PlanError(made.witnesses[0].function, error.message)
      }
    }
  }
}

extension RunningFunction {
  /// How a requirement uses the reference that it is called on: a class's requirement changes none.
  /// The requirements of Swift's own libraries that take it over are known.
  fileprivate var stated: SelfKind {
    Self.consumingRequirements.contains(symbol) ? .consuming : .nonmutating
  }

  /// Requirements that are `__consuming` although no symbol says so: `Sequence.makeIterator()`.
  private static let consumingRequirements: Set = ["$sST12makeIterator0B0QzyF"]
}

extension ProtocolRequirement {
  var isCoroutine: Bool { kind == .readCoroutine || kind == .modifyCoroutine }
}

extension FunctionDeclaration {
  fileprivate var isModify: Bool {
    kind == .accessor(.modify) || kind == .subscriptAccessor(.modify)
  }
}

extension WitnessFunction {
  fileprivate enum AccessorKind {
    case getter, setter
  }

  /// Whether the function is an accessor of the same property or subscript as `other`.
  fileprivate func isAccessor(_ kind: AccessorKind, of other: WitnessFunction) -> Bool {
    let (mine, its) = (declaration, other.declaration)
    guard mine.name == its.name, mine.labels == its.labels, mine.isStatic == its.isStatic,
      mine.interfaceType == its.interfaceType
    else { return false }
    switch mine.kind {
    case .getter, .subscriptGetter: return kind == .getter
    case .setter, .subscriptSetter: return kind == .setter
    default: return false
    }
  }
}

/// The implementations that an extension of a protocol, without conditions, has for its requirements:
/// they are called as the requirements are.
struct DefaultImplementations {
  private let functions: [RunningFunction]

  init(of owner: RunningProtocol, in program: RunningProgram) {
    functions = program.members(of: owner).filter {
      ($0.declaration.extensionConditions?.requirements ?? []).isEmpty && !$0.isRemoved
        && $0.declaration.genericSignature == nil
    }
  }

  func find(_ name: RequirementName, _ requirement: ProtocolRequirement) -> UnsafeRawPointer? {
    let found = functions.first { function in
      let (own, wanted) = (function.declaration, name.declaration)
      return own.kind == wanted.kind && own.name == wanted.name && own.labels == wanted.labels
        && own.isStatic == wanted.isStatic && function.isAsync == requirement.isAsync
        && own.interfaceType == wanted.interfaceType && wanted.genericSignature == nil
    }
    return found.flatMap { UnsafeRawPointer(bitPattern: $0.address) }
  }
}
