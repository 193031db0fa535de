// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The types of a function's signature as the runtime knows them, on the way to a `CallPlan`.
struct SignatureTypes {
  private let function: RunningFunction
  private let shape: FunctionShape
  private let context: (any Any.Type)?
  private let receiverCodec: ValueCodec?
  private let parameters: [Parameter]
  /// The parts of the signature that cross as opaque values; nil if there are none.
  private(set) var opaque: OpaqueParts?
  let result: ValueCodec?
  /// The error's, if the function is `throws(E)`.
  let thrown: ValueCodec?
  /// The words that tell a generic function its types; nil where a part is opaque, which gets the
  /// words of the override's call.
  let trailingWords: [UnsafeRawPointer?]

  private struct Parameter {
    let declaration: FunctionParameter
    let codec: ValueCodec
    let parts: [FunctionShape.Part]
    let placements: [CallLayout.Placement]
    var isOpaque = false

    var location: ValueLocation {
      isOpaque
        ? .registers(placements)
        : ValueLocation(placements, parts, alignment: codec.alignment)
    }
  }

  /// - Parameter bound: The types of a generic function's parameters in the calls that this is for.
  init(
    _ function: RunningFunction, _ bound: BoundGenerics?, in program: RunningProgram,
    _ mutation: Mutation
  ) throws(PlanError) {
    try Self.check(function, in: program)
    self.function = function
    var source = try FunctionShape.Source(function, bound, in: program)
    source.isOverride =
      mutation.isForOverride && function.isPatchPoint && function.witness == nil
    shape = try FunctionShape(source, mutation)
    var opaque = shape.opaque
    let context = try Self.contextType(shape, source)
    var parameters: [Parameter] = []
    for (index, parameter) in function.declaration.parameters.enumerated() {
      parameters.append(try Self.parameter(parameter, index, shape, source, &opaque))
    }
    self.parameters = parameters
    receiverCodec = try Self.receiverCodec(shape, context, source)
    result = try Self.result(context, source, &opaque)
    self.opaque = opaque
    // What an initializer makes of a struct or an enum is as opaque as its result.
    let isOpaqueInstance =
      opaque?.result == true && function.declaration.isInitializer && shape.receiverKind == .none
    self.context = isOpaqueInstance ? nil : context
    thrown = try FunctionShape.thrownNode(function.declaration.thrownType).map {
      (node) throws(PlanError) in
      try Self.codec(SignaturePart(node, "the error", function), source)
    }
    trailingWords =
      bound?.words(
        shape.trailing?.arguments ?? [], receiver: shape.contextNode.flatMap(source.type)) ?? []
    if shape.opaque == nil, trailingWords.contains(nil) {
      throw PlanError(
        function, "the metadata that its calls pass for its types is not in this process")
    }
  }

  /// Creates the types of a function of which only the registers are known, for the given reason.
  init(
    opaque function: RunningFunction, _ reason: PlanError, in program: RunningProgram
  ) throws(PlanError) {
    try Self.check(function, in: program)
    self.function = function
    shape = try FunctionShape(opaque: function, reason)
    let declaration = function.declaration
    parameters = declaration.parameters.enumerated().map { index, parameter in
      Parameter(
        declaration: parameter,
        codec: OpaqueCodec(
          .argument(index), isPlaced: false,
          typeName: parameter.type.shortDescription(in: declaration.module), reason),
        parts: [], placements: [], isOpaque: true)
    }
    (context, receiverCodec, thrown, trailingWords) = (nil, nil, nil, [])
    opaque = shape.opaque
    result =
      shape.opaque?.result == true
      ? OpaqueCodec(
        .result, isPlaced: true,
        typeName: declaration.result.shortDescription(in: declaration.module), reason)
      : nil
  }

  var layout: CallLayout { shape.layout }

  /// The type that the function is a member of.
  var contextType: (any Any.Type)? { context }

  /// The type that the function makes an instance of.
  var initializedType: (any Any.Type)? {
    switch function.declaration.kind {
    case .initializer, .allocatingInitializer: context
    default: nil
    }
  }

  /// The function is `throws(E)`, and the type is not known.
  var throwsUnknown: Bool {
    thrown == nil && FunctionShape.thrownNode(function.declaration.thrownType) != nil
  }

  var receiverIsMutable: Bool { shape.receiverKind == .mutableValue }

  var receiverSize: Int { receiverCodec?.size ?? 0 }

  /// The receiver is passed by address, though it may not be in memory yet.
  var receiverByAddress: ValueCodec? {
    [.value, .mutableValue].contains(shape.receiverKind) ? receiverCodec : nil
  }

  func arguments(_ layout: CallLayout) -> [CallPlan.Argument] {
    parameters.enumerated().map { index, parameter in
      CallPlan.Argument(
        name: Self.name(parameter.declaration, index), codec: parameter.codec,
        location: parameter.location,
        isOwned: isOwned(parameter.declaration) && !parameter.codec.isLent,
        isInout: parameter.declaration.ownership == .inout && !parameter.isOpaque,
        isVariadic: parameter.declaration.isVariadic)
    }
  }

  var hasInouts: Bool { parameters.contains { $0.declaration.ownership == .inout } }

  var resultShape: ResultShape { shape.result }

  func receiver(_ layout: CallLayout) -> CallPlan.Receiver {
    guard let codec = receiverCodec, let placement = receiverPlacement(layout) else {
      switch (shape.receiverKind, context) {
      case (.metatype, let type?): return .metatype(type)
      case (.uninitialized, let type?): return .uninitialized(type)
      case (.opaque, _): return opaqueReceiver
      case (.captures, _): return .captures
      case (.none, nil) where function.declaration.isInitializer: return opaqueReceiver
      default: return .none
      }
    }
    let argument = CallPlan.Argument(
      name: "self", codec: codec, location: ValueLocation(placement, alignment: codec.alignment),
      isOwned: false)
    switch shape.receiverKind {
    case .object: return .object(argument)
    case .mutableValue: return .mutableValue(codec)
    default: return .value(argument)
    }
  }

  private var opaqueReceiver: CallPlan.Receiver {
    let declaration = function.declaration
    if declaration.isStatic { return .none }
    let name = declaration.contextType?.shortDescription(in: declaration.module) ?? "Self"
    if declaration.isInitializer {
      return .opaque(OpaqueCodec(.uninitialized, isPlaced: false, typeName: name, opaque?.reason))
    }
    if declaration.contextType?.nominal?.kind == .class { return .anyObject }
    return .opaque(OpaqueCodec(.receiver, isPlaced: false, typeName: name, opaque?.reason))
  }

  /// A value that is not loadable has its address in the register for `self`.
  private func receiverPlacement(_ layout: CallLayout) -> CallLayout.Placement? {
    guard var placement = layout.selfPlacement else { return nil }
    if shape.receiverKind == .value, shape.receiver == .indirect { placement.isIndirect = true }
    return placement
  }

  private func isOwned(_ parameter: FunctionParameter) -> Bool {
    switch parameter.ownership {
    case .owned: true
    case .shared, .inout: false
    case .standard:
      switch function.declaration.kind {
      // Setters take everything but `self` over, indices too: `DefaultSetterConventions` in the
      // compiler's lib/SIL/IR/SILFunctionType.cpp, Swift 6.3.
      case .setter, .subscriptSetter, .initializer, .allocatingInitializer: true
      default: false
      }
    }
  }

  private static func name(_ parameter: FunctionParameter, _ index: Int) -> String {
    parameter.label.map { "`\($0)`" } ?? "argument \(index + 1)"
  }
}

// MARK: - What tells signatures apart

extension SignatureTypes {
  /// The check for a result of the type `Self`.
  var selfResult: SelfResult? { SelfResult(function, context: context) }

  /// Whether nothing tells if the function consumes its receiver although it makes a difference.
  /// Methods may be `consuming`; accessors of copyable types rarely are.
  func mayConsumeReceiver(_ selfKind: SelfKind?) -> Bool {
    guard selfKind == nil, shape.receiverKind == .value, let receiverCodec,
      layout.selfPlacement != nil, function.isPatchPoint, !function.declaration.kind.isAccessor
    else { return false }
    return !ValueWitnesses(of: receiverCodec.type).isTrivial
  }

  /// Whether an override that does not call the original may leave the receiver without an owner.
  /// Unlike `mayConsumeReceiver`, this includes receivers that are passed by address or are opaque.
  /// A method that gets the address of a value that fits into registers is mutating.
  func mayKeepReceiver(_ selfKind: SelfKind?) -> Bool {
    if mayConsumeReceiver(selfKind) { return true }
    guard selfKind == nil, function.isPatchPoint, !function.declaration.kind.isAccessor,
      function.declaration.hasInstanceSelf
    else { return false }
    switch shape.receiverKind {
    case .opaque: return true
    case .mutableValue:
      if case .direct(let value) = shape.receiver, !AggregateLowering(value).isPassedIndirectly {
        return false
      }
      return receiverCodec.map { !ValueWitnesses(of: $0.type).isTrivial } ?? false
    default: return false
    }
  }

  /// The key of the signature; nil if the signature is the function's own.
  func key(_ selfKind: SelfKind?) -> SignatureKey? {
    if opaque != nil || !trailingWords.isEmpty { return nil }
    // What stands in for a receiver whose type is not known has the function's names.
    if context == nil, function.declaration.contextType != nil { return nil }
    return SignatureKey(
      layout: layout, context: context.map { ObjectIdentifier($0) }, receiver: shape.receiverKind,
      receiverValue: shape.receiver, receiverCodec: receiverCodec.map(ObjectIdentifier.init),
      selfKind: selfKind, mayConsumeReceiver: mayConsumeReceiver(selfKind),
      mayKeepReceiver: mayKeepReceiver(selfKind),
      isInitializer: initializedType != nil,
      arguments: arguments(layout).map(SignatureKey.Argument.init),
      result: result.map(ObjectIdentifier.init), selfResult: selfResult,
      thrown: thrown.map(ObjectIdentifier.init), throwsUnknown: throwsUnknown)
  }
}

// MARK: - Finding the types

extension SignatureTypes {
  /// - Throws: `PlanError` if the function can be neither called nor overridden, whatever its types are.
  static func check(_ function: RunningFunction, in program: RunningProgram) throws(PlanError) {
    // All values would be opaque, for as long as the plan is used.
    if let reason = program.unregistered(function) { throw PlanError(function, reason) }
    let declaration = function.declaration
    if declaration.isAsync, !function.isAsync {
      throw PlanError(function, "it is async, and the program does not tell how it is called")
    }
    if function.isRemoved { throw PlanError(function, MissingInitializers.removed) }
    if function.closure == nil, let reason = declaration.kind.refusal {
      throw PlanError(function, reason)
    }
    if let reason = MissingInitializers.refusal(of: function, in: program) {
      throw PlanError(function, reason)
    }
  }

  private static func contextType(
    _ shape: FunctionShape, _ source: FunctionShape.Source
  ) throws(PlanError) -> (any Any.Type)? {
    guard let node = shape.contextNode, shape.receiverKind != .opaque else { return nil }
    guard let type = source.type(node) else {
      // Static members of structs and enums are not passed their type.
      if shape.receiverKind == .none { return nil }
      throw PlanError(
        source.function,
        node.nominal.map { "\($0.qualifiedName) is not in this process" }
          ?? "its type is not in this process")
    }
    return type
  }

  private static func receiverCodec(
    _ shape: FunctionShape, _ context: (any Any.Type)?, _ source: FunctionShape.Source
  ) throws(PlanError) -> ValueCodec? {
    guard let context, let node = shape.contextNode,
      [.object, .value, .mutableValue].contains(shape.receiverKind)
    else { return nil }
    return try codec(context, SignaturePart(node, "self", source.function))
  }

  private static func parameter(
    _ parameter: FunctionParameter, _ index: Int, _ shape: FunctionShape,
    _ source: FunctionShape.Source, _ opaque: inout OpaqueParts?
  ) throws(PlanError) -> Parameter {
    let part = SignaturePart(parameter, index, source.function)
    if opaque?.parameters.contains(index) != true {
      do throws(PlanError) {
        return Parameter(
          declaration: parameter,
          codec: try codec(part, source, source.pattern?.parameters[index]),
          parts: shape.parameters[index],
          placements: shape.placements[index])
      } catch {
        guard source.isOverride else { throw error }
        // How it travels is known, but not as what an opaque value holds.
        opaque.add(error)
        opaque?.keepInPlace(index)
      }
    }
    let isPlaced = opaque?.isPlaced(index) == true
    return Parameter(
      declaration: parameter,
      codec: OpaqueCodec(
        .argument(index), isPlaced: isPlaced,
        typeName: parameter.type.shortDescription(in: source.function.declaration.module),
        opaque?.reason),
      parts: isPlaced ? shape.parameters[index] : [],
      placements: isPlaced ? shape.placements[index] : [], isOpaque: true)
  }

  private static func result(
    _ context: (any Any.Type)?, _ source: FunctionShape.Source, _ opaque: inout OpaqueParts?
  ) throws(PlanError) -> ValueCodec? {
    let node = source.function.declaration.result
    if node == .void { return nil }
    let part = SignaturePart(node, "the result", source.function)
    if opaque?.result != true {
      do throws(PlanError) {
        if let context, let type = Self.selfType(node, context) { return try codec(type, part) }
        return try codec(part, source, source.pattern?.result)
      } catch {
        guard source.isOverride else { throw error }
        opaque.add(error)
        opaque?.result = true
      }
    }
    return OpaqueCodec(
      .result, isPlaced: true,
      typeName: node.shortDescription(in: source.function.declaration.module), opaque?.reason)
  }

  /// The type of `Self` and `Self?` in a class as far as its codec knows; `SelfResult` knows the
  /// rest.
  private static func selfType(_ node: TypeNode, _ context: any Any.Type) -> (any Any.Type)? {
    if case .dynamicSelf = node { return context }
    guard case .dynamicSelf? = node.optionalPayload else { return nil }
    func optional<Wrapped>(_ type: Wrapped.Type) -> any Any.Type { Wrapped?.self }
    return _openExistential(context, do: optional)
  }

  /// - Parameter passing: How the value travels if it is a closure's.
  private static func codec(
    _ part: SignaturePart, _ source: FunctionShape.Source, _ passing: Passing? = nil
  ) throws(PlanError) -> ValueCodec {
    guard let type = source.type(part.node) else { throw part.isUnknown(part.node) }
    guard let passing else { return try codec(type, part, source.lowering) }
    do throws(UnsupportedType) {
      return try CodecLibrary.codec(for: type, as: passing.abstraction)
    } catch {
      throw part.refusal(error, of: type)
    }
  }

  /// - Parameter lowering: Of the function, if it may be generic over the value's type.
  private static func codec(
    _ type: any Any.Type, _ part: SignaturePart, _ lowering: GenericLowering? = nil
  ) throws(PlanError) -> ValueCodec {
    do throws(UnsupportedType) {
      return try CodecLibrary.codec(
        for: type, as: lowering?.abstraction(part.node, type) ?? .natural,
        isAutoclosure: part.node.function?.isAutoclosure ?? false)
    } catch {
      throw part.refusal(error, of: type)
    }
  }
}

extension FunctionShape.Source {
  /// - Throws: `PlanError` if the function is generic and the types are not given.
  init(
    _ function: RunningFunction, _ bound: BoundGenerics?, in program: RunningProgram
  ) throws(PlanError) {
    let generics: FunctionGenerics?
    if let bound {
      generics = bound.generics
    } else {
      generics = try FunctionGenerics(function, in: program)
      if generics != nil {
        throw PlanError(function, "it is generic: the types are known only when it is called")
      }
    }
    let opaque = try OpaqueResults(function, generics, in: program)
    let underlying = opaque?.types(bound) ?? []
    let binding = (bound?.binding ?? GenericBinding(types: [])).appending(underlying)
    self.init(function: function, program: program, generics: generics, opaque: opaque) { node in
      let complete = generics.map { Spelling($0, program).complete(node) } ?? node
      if let associated = bound?.associatedTypes { return associated.type(complete, in: program) }
      let replaced = opaque.map { complete.replacingOpaqueResults($0.parameter) } ?? complete
      return binding.resolve(replaced, in: program)
    }
    if let closure = function.closure {
      pattern = try ClosureConvention.pattern(of: function, closure, in: program)
    }
  }
}
