// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// A generic function's parameters with the types that they stand for in a call and that fulfil the
/// requirements.
package struct BoundGenerics {
  let generics: FunctionGenerics
  let binding: GenericBinding
  private let witnessTables: [FunctionGenerics.Conformance: UnsafeRawPointer]
  private let program: RunningProgram
  /// The associated types of a requirement of a protocol to which a patch lets `Self` conform; the
  /// runtime does not know them before that.
  let associatedTypes: AssociatedTypes?

  /// The generics of a requirement.
  /// - Parameter table: The witness table by which `Self` conforms.
  init(
    _ generics: FunctionGenerics, conforming associatedTypes: AssociatedTypes,
    table: UnsafeRawPointer, in program: RunningProgram
  ) {
    self.generics = generics
    self.program = program
    self.associatedTypes = associatedTypes
    binding = GenericBinding(types: [[associatedTypes.conforming]])
    witnessTables = Dictionary(
      generics.conformances.map { ($0, table) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Parameter types: For all parameters that no requirement fixes.
  /// - Throws: `PlanError` if one is missing, or does not fulfil a requirement.
  init(
    _ generics: FunctionGenerics, _ types: [TypeNode: any Any.Type], _ function: RunningFunction,
    in program: RunningProgram
  ) throws(PlanError) {
    self.generics = generics
    self.program = program
    associatedTypes = nil
    binding = try Self.complete(types, generics, function, program)
    var tables: [FunctionGenerics.Conformance: UnsafeRawPointer] = [:]
    for conformance in generics.conformances {
      let subject = conformance.subject
      guard let type = binding.resolve(subject, in: program) else {
        throw PlanError(function, "\(subject.shortDescription()) is not a type in this process")
      }
      let required = conformance.protocolDescriptor
      guard let table = required.conformance(of: type) else {
        throw PlanError(
          function,
          "\(subject.shortDescription()): \(required.name) is not satisfied by \(TypeName.short(type))"
        )
      }
      tables[conformance] = table
    }
    witnessTables = tables
    try checkClasses(function)
    try checkSameTypes(function)
  }

  private static func complete(
    _ types: [TypeNode: any Any.Type], _ generics: FunctionGenerics, _ function: RunningFunction,
    _ program: RunningProgram
  ) throws(PlanError) -> GenericBinding {
    var known = types
    // A fixed parameter may depend on others that are fixed.
    for _ in generics.fixed {
      for parameter in generics.parameters where known[parameter] == nil {
        guard let same = generics.fixed[parameter],
          !generics.parameters.contains(where: { known[$0] == nil && same.mentions($0) })
        else { continue }
        known[parameter] = GenericBinding(known, generics.counts).resolve(
          Spelling(generics, program).complete(same), in: program)
      }
    }
    try checkDescriptions(generics, function, program)
    if let missing = generics.parameters.first(where: { known[$0] == nil }) {
      throw PlanError(
        function,
        "what \(missing.shortDescription()) stands for cannot be told from the arguments"
          + remedy(missing, function))
    }
    return GenericBinding(known, generics.counts)
  }

  /// - Throws: `PlanError` if a requirement says what a parameter stands for, and that is not in this process.
  static func checkDescriptions(
    _ generics: FunctionGenerics, _ function: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) {
    for parameter in generics.parameters {
      guard let fixed = generics.fixed[parameter] else { continue }
      let same = Spelling(generics, program).complete(fixed)
      let isMissing =
        if same.isDependent {
          same.nominal.map { TypeDescriptors.descriptor(of: $0.unbound, in: program) == nil }
            ?? false
        } else {
          program.runtimeType(same) == nil
        }
      guard isMissing else { continue }
      let name = same.shortDescription()
      throw PlanError(
        function,
        "\(parameter.shortDescription()) stands for \(name), whose description the optimiser has dropped: "
          + OpaqueOwners.remedy(name))
    }
  }

  private static func remedy(_ parameter: TypeNode, _ function: RunningFunction) -> String {
    let returned = function.declaration.parameters.compactMap {
      ($0.type.optionalPayload ?? $0.type).function?.result
    }
    if returned.contains(where: { $0.mentions(parameter) }) {
      return
        "; provide what the function returns, `fallback(f, value)`, or name its type after the arguments"
    }
    let named = function.declaration.parameters.firstIndex {
      if case .metatype(let instance, _) = $0.type.optionalPayload ?? $0.type {
        instance.mentions(parameter)
      } else {
        false
      }
    }
    if let named {
      let label = function.declaration.parameters[named].label
      return
        "; pass the type as \(label.map { "`\($0)`" } ?? "argument \(named + 1)"): `String`, or in quotes, "
        + "as `\"[String]\"`"
    }
    let declaration = function.declaration
    if declaration.result.mentions(parameter),
      !declaration.parameters.contains(where: { $0.type.mentions(parameter) })
    {
      return
        ", only from where the result goes, which a call from Lua does not say: name the type after the "
        + "arguments: `\(declaration.baseName)(…, String)`"
    }
    guard function.isPatchPoint, !declaration.isStatic, !declaration.isInitializer,
      function.selfKind == nil,
      [.struct, .enum].contains(function.declaration.contextType?.nominal?.kind)
    else { return "" }
    let selector = function.declaration.selector
    return "; if it is `mutating`, nothing tells that: write it, [\"mutating \(selector)\"]"
  }

  private func checkClasses(_ function: RunningFunction) throws(PlanError) {
    for parameter in generics.parameters where generics.isReference(parameter) {
      guard let type = binding.resolve(parameter, in: program) else { continue }
      // Existential types of one reference fulfil `AnyObject`, too, which has no witness table.
      let isReference =
        TypeMetadata.existentialForm(of: type) == .object
        && ValueWitnesses(of: type).size == MemoryLayout<UnsafeRawPointer>.size
      guard TypeMetadata.kind(of: type) == .class || isReference else {
        throw PlanError(
          function,
          "\(parameter.shortDescription()) stands for a class, not for \(TypeName.short(type))")
      }
    }
    for (subject, node) in generics.superclasses {
      guard let type = binding.resolve(subject, in: program),
        let superclass = binding.resolve(node, in: program)
      else { continue }
      guard TypeMetadata.isClass(type, orInheritsFrom: superclass) else {
        throw PlanError(
          function,
          "\(subject.shortDescription()): \(TypeName.short(superclass)) is not satisfied by "
            + TypeName.short(type))
      }
    }
  }

  private func checkSameTypes(_ function: RunningFunction) throws(PlanError) {
    for (subject, node) in generics.fixed {
      guard let type = binding.resolve(subject, in: program),
        let same = binding.resolve(node, in: program)
      else { continue }
      if type != same {
        throw PlanError(
          function,
          "\(subject.shortDescription()) must be \(TypeName.short(same)), not "
            + TypeName.short(type))
      }
    }
  }
}

extension BoundGenerics {
  func type(_ node: TypeNode) -> (any Any.Type)? {
    if let associatedTypes {
      return associatedTypes.type(Spelling(generics, program).complete(node), in: program)
    }
    return binding.resolve(Spelling(generics, program).complete(node), in: program)
  }

  /// The words that tell a generic function its types.
  func words(
    _ arguments: [TrailingArguments.Argument], receiver: (any Any.Type)?
  ) -> [UnsafeRawPointer?] {
    arguments.map { argument in
      switch argument {
      case .receiverType: receiver.map(TypeMetadata.pointer(to:))
      case .parameter(let node): type(node).map(TypeMetadata.pointer(to:))
      case .witnessTable(let conformance): witnessTables[conformance]
      }
    }
  }

  /// The arguments in the order in which metadata has them.
  var metadataArguments: [UnsafeRawPointer?] {
    words(
      generics.canonicalParameters.map { .parameter($0) }
        + generics.conformances.map { .witnessTable($0) }, receiver: nil)
  }
}

extension GenericBinding {
  /// Types that are not known are `Void`.
  init(_ types: [TypeNode: any Any.Type], _ counts: [Int]) {
    self.init(
      types: counts.enumerated().map { depth, count in
        (0..<count).map { types[.genericParameter(depth: depth, index: $0)] ?? Void.self }
      })
  }

  /// The binding with further types at a level of their own.
  func appending(_ level: [any Any.Type]) -> GenericBinding {
    GenericBinding(types: types + [level])
  }
}

/// Associated types in a type, with the protocols that declare them: the runtime wants them.
struct Spelling {
  private let generics: FunctionGenerics
  private let program: RunningProgram

  init(_ generics: FunctionGenerics, _ program: RunningProgram) {
    self.generics = generics
    self.program = program
  }

  func complete(_ node: TypeNode) -> TypeNode {
    guard node.isDependent else { return node }
    return node.replacingMembers { generics.spelledOut($0, program) }
  }
}
