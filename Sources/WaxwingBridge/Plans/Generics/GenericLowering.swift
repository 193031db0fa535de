// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// How values travel in a function that is generic over their types.
///
/// The function has one piece of code for all types, so what depends on a parameter travels by
/// address, whatever it turns out to be: a `T` itself, and structs, enums and tuples' elements that
/// hold one. References do not depend on it: `[T]`, `Stack<T>`, and `T` where only classes will do.
/// Metatypes that depend on it are passed. Measured with Swift 6.3.1, debug and release.
struct GenericLowering {
  let generics: FunctionGenerics?
  let opaque: OpaqueResults?
  let program: RunningProgram
  /// Whether a level's parameters stand for what travels by address. At the top: all but references.
  private var levels: [[Bool]]?
  /// The types whose stored properties are being looked through. One that holds itself does so by way
  /// of a reference, as in `enum Tree { case node([Tree]) }`, and so adds nothing.
  private var outer: Set<NominalType> = []

  init(_ generics: FunctionGenerics?, _ opaque: OpaqueResults?, in program: RunningProgram) {
    self.generics = generics
    self.opaque = opaque
    self.program = program
  }

  /// How a value travels that is no tuple.
  /// - Parameter type: The type, with the parameters bound to anything; asked for only where it
  ///   matters. nil: not known.
  /// - Returns: nil if that cannot be told.
  func value(
    _ node: TypeNode, _ type: () -> (any Any.Type)?
  ) throws(UnsupportedType) -> CallLayout.Value? {
    guard node.isDependent || node.hasOpaqueResult else {
      guard let type = type() else { return nil }
      return try ShapeReader.value(type)
    }
    switch node {
    // That of a struct or enum is known but for what it is generic over, which is passed anyway.
    case .metatype(.nominal(let nominal), _) where nominal.kind != .class: return .direct(.empty)
    case .metatype: return .direct(.pointer)
    case .genericParameter, .dependentMember, .opaqueResult:
      if isReference(generics?.spelledOut(node, program) ?? node) { return .direct(.pointer) }
      if let same = fixed(node) {
        return try GenericLowering(generics, opaque, in: program).value(same, type)
      }
      return .indirect
    default: break
    }
    guard let isByAddress = isAddressOnly(node) else { return nil }
    if isByAddress { return .indirect }
    if node.nominal?.kind == .class { return .direct(.pointer) }
    guard let type = type(), case .direct(let shape) = try ShapeReader.value(type) else {
      return nil
    }
    return .direct(shape)
  }

  /// The type that a parameter or an associated type is required to be.
  func fixed(_ node: TypeNode) -> TypeNode? {
    generics.flatMap { $0.fixed[$0.spelledOut(node, program)] }
  }

  private func isReference(_ node: TypeNode) -> Bool {
    if case .opaqueResult(let index) = node { return opaque?.isReference(index) ?? false }
    return generics?.isReference(node) ?? false
  }

  /// Whether values of the type are passed by address only; nil if that cannot be told.
  func isAddressOnly(_ node: TypeNode) -> Bool? {
    switch node {
    case .genericParameter(let depth, let index):
      if let levels {
        return levels.indices.contains(depth) && levels[depth].indices.contains(index)
          ? levels[depth][index] : nil
      }
      if let same = fixed(node) { return isAddressOnly(same) }
      return !isReference(node)
    case .dependentMember(let base, _, _):
      if levels != nil { return isAddressOnly(base) == true ? true : nil }
      if let same = fixed(node) { return isAddressOnly(same) }
      return !isReference(generics?.spelledOut(node, program) ?? node)
    case .opaqueResult: return !isReference(node)
    case .nominal(let nominal): return isAddressOnly(nominal)
    case .tuple(let elements): return any(elements.map(\.type))
    case .metatype, .existentialMetatype, .function, .dynamicSelf: return false
    case .modified(.weak, _): return true
    case .modified(_, let type): return isAddressOnly(type)
    case .builtin(.fixedArray): return nil
    case .builtin: return false  // machine words and references
    case .composition(let parts):
      if let type = program.runtimeType(node) {
        return (try? ShapeReader.value(type)).map { $0 == .indirect }
      }
      let isReference = parts.superclass != nil || parts.isClassBound
      return isReference ? false : isAddressOnly(existential: parts.protocols)
    case .constrainedExistential(.composition(let parts), _):
      let isReference = parts.superclass != nil || parts.isClassBound
      return isReference ? false : isAddressOnly(existential: parts.protocols)
    case .constrainedExistential(let base, _): return isAddressOnly(existential: [base])
    default: return nil
    }
  }

  /// Whether `any P & Q` is passed by address only; false if only classes conform.
  private func isAddressOnly(existential protocols: [TypeNode]) -> Bool? {
    for part in protocols where !ProtocolDescriptor.isMarker(part) {
      guard let descriptor = ProtocolDescriptor.find(part, in: program) else { return nil }
      if descriptor.isClassBound { return false }
    }
    return true
  }

  private func any(_ nodes: [TypeNode]) -> Bool? {
    var isKnown = true
    for node in nodes {
      switch isAddressOnly(node) {
      case true?: return true
      case nil: isKnown = false
      default: break
      }
    }
    return isKnown ? false : nil
  }

  private func isAddressOnly(_ nominal: NominalType) -> Bool? {
    if nominal.kind == .class || outer.contains(nominal) { return false }
    if ResilientTypes.contains(nominal) { return true }
    var inside = self
    inside.outer.insert(nominal)
    if !TypeNode.nominal(nominal).isDependent {
      let type = program.runtimeType(.nominal(nominal))
      if let type { return (try? ShapeReader.value(type)).map { $0 == .indirect } }
    }
    guard let descriptor = TypeDescriptors.descriptor(of: nominal.unbound, in: program),
      let fields = StoredTypes.of(descriptor)
    else { return nil }
    guard let isResilient = ResilientTypes.isResilient(descriptor) else { return nil }
    if isResilient { return true }
    var arguments: [[Bool]] = []
    for level in nominal.argumentLevels {
      var known: [Bool] = []
      for argument in level {
        guard let isByAddress = inside.isAddressOnly(argument) else { return nil }
        known.append(isByAddress)
      }
      arguments.append(known)
    }
    inside.levels = arguments
    return inside.any(fields)
  }
}

/// The types of a struct's stored properties or of an enum's payloads as its descriptor spells them,
/// its parameters unbound.
///
/// The same records as `FieldRecords` reads.
enum StoredTypes {
  /// The types of stored properties or payloads, by a type's descriptor; nil if one of them is not
  /// understood. Payloads of `indirect` cases, which are references to boxes, are left out.
  static func of(_ descriptor: ContextDescriptor) -> [TypeNode]? {
    guard let fields = RelativePointer.direct(descriptor.address + 16) else { return nil }
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    var types: [TypeNode] = []
    for index in 0..<count {
      let record = fields + 16 + index * size
      let isIndirect = record.load(as: UInt32.self) & 1 != 0
      guard !isIndirect, let name = RelativePointer.direct(record + 4) else { continue }
      guard let type = MetadataName(name).type else { return nil }
      types.append(type)
    }
    return types
  }
}
