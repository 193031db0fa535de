// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingReflection

/// The types of a function's signature as the runtime knows them, on the way to a `CallPlan`.
struct SignatureTypes {
  private let function: RunningFunction
  private let context: (any Any.Type)?
  private let receiverKind: ReceiverKind
  private let receiverCodec: ValueCodec?
  private let receiverShape: CallLayout.Value
  private let parameters: [Parameter]
  private let resultShape: CallLayout.Value
  let result: ValueCodec?

  private struct Parameter {
    let declaration: FunctionParameter
    let codec: ValueCodec
    /// One part, or one for each element of a tuple.
    let parts: [(offset: Int, value: CallLayout.Value)]
  }

  private enum ReceiverKind {
    case none, object, metatype, uninitialized, value, mutableValue
  }

  /// - Parameter isMutating: What the script says of a method of a struct or enum; nil: its machine
  ///   code is asked.
  init(
    _ function: RunningFunction, in program: RunningProgram, isMutating: Bool?
  ) throws(PlanError) {
    let declaration = function.declaration
    try Self.checkKind(function)
    self.function = function
    context = try Self.contextType(function, program)
    var parameters: [Parameter] = []
    for (index, parameter) in declaration.parameters.enumerated() {
      parameters.append(try Self.resolve(parameter, index, function, program))
    }
    self.parameters = parameters
    receiverKind = try Self.receiverKind(
      function, context, parameters.flatMap { $0.parts.map(\.value) }, isMutating)
    receiverCodec = try Self.receiverCodec(function, context, receiverKind)
    receiverShape =
      receiverKind == .value || receiverKind == .mutableValue
      ? try Self.receiverValue(function, context) : .direct(.pointer)
    (result, resultShape) = try Self.resolveResult(function, context, program)
  }

  /// The type that the function makes an instance of.
  var initializedType: (any Any.Type)? {
    switch function.declaration.kind {
    case .initializer, .allocatingInitializer: context
    default: nil
    }
  }

  var receiverIsMutable: Bool { receiverKind == .mutableValue }

  var receiverSize: Int { receiverCodec?.size ?? 0 }

  var layout: CallLayout {
    let selfKind: CallLayout.SelfKind =
      switch (receiverKind, receiverShape) {
      case (.none, _): .none
      case (.value, .direct(let shape)): .exploded(shape)
      case (.object, _), (.metatype, _), (.uninitialized, _), (.mutableValue, _),
        (.value, .indirect):
        .context
      }
    return CallLayout(
      parameters: parameters.flatMap { $0.parts.map(\.value) }, result: resultShape,
      selfKind: selfKind)
  }

  func arguments(_ layout: CallLayout) -> [CallPlan.Argument] {
    var placements = layout.parameters[...]
    return parameters.enumerated().map { index, parameter in
      let own = placements.prefix(parameter.parts.count)
      placements = placements.dropFirst(parameter.parts.count)
      return CallPlan.Argument(
        name: Self.name(parameter.declaration, index), codec: parameter.codec,
        location: ValueLocation(
          Self.joined(Array(own), parameter.parts.map(\.offset)),
          alignment: parameter.codec.alignment),
        isOwned: isOwned(parameter.declaration),
        isInout: parameter.declaration.ownership == .inout,
        isVariadic: parameter.declaration.isVariadic)
    }
  }

  /// The parts of a tuple as one value.
  private static func joined(
    _ placements: [CallLayout.Placement], _ offsets: [Int]
  ) -> CallLayout.Placement {
    guard var joined = placements.first, placements.count > 1 || offsets != [0] else {
      return placements.first ?? CallLayout(parameters: [], result: .direct(.empty)).result
    }
    joined.pieces = zip(placements, offsets).flatMap { placement, offset in
      placement.pieces.map { piece in
        LoweredPiece(
          bank: piece.bank, index: piece.index, byteOffset: piece.byteOffset + offset,
          byteCount: piece.byteCount)
      }
    }
    return joined
  }

  var hasInouts: Bool { parameters.contains { $0.declaration.ownership == .inout } }

  func receiver(_ layout: CallLayout) -> CallPlan.Receiver {
    guard let codec = receiverCodec, let placement = receiverPlacement(layout) else {
      switch (receiverKind, context) {
      case (.metatype, let type?): return .metatype(type)
      case (.uninitialized, let type?): return .uninitialized(type)
      default: return .none
      }
    }
    let argument = CallPlan.Argument(
      name: "self", codec: codec, location: ValueLocation(placement, alignment: codec.alignment),
      isOwned: false)
    switch receiverKind {
    case .object: return .object(argument)
    case .mutableValue: return .mutableValue(codec)
    default: return .value(argument)
    }
  }

  /// A value that is not loadable has its address in the register for `self`.
  private func receiverPlacement(_ layout: CallLayout) -> CallLayout.Placement? {
    guard var placement = layout.selfPlacement else { return nil }
    if receiverKind == .value, receiverShape == .indirect { placement.isIndirect = true }
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

// MARK: - Finding the types

extension SignatureTypes {
  private static func checkKind(_ function: RunningFunction) throws(PlanError) {
    let declaration = function.declaration
    if function.isAsync || declaration.isAsync {
      throw PlanError(function, "async functions cannot be overridden or called yet")
    }
    if declaration.genericSignature != nil {
      throw PlanError(function, "generic functions cannot be overridden or called yet")
    }
    if let thrown = declaration.thrownType {
      throw PlanError(
        function, "`throws(\(thrown.shortDescription()))` cannot cross yet; plain `throws` can")
    }
    switch declaration.kind {
    case .function, .operatorFunction, .getter, .setter, .subscriptGetter, .subscriptSetter,
      .initializer, .allocatingInitializer:
      break
    default:
      throw PlanError(
        function, "only functions, initializers, getters and setters can be overridden")
    }
  }

  private static func contextType(
    _ function: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) -> (any Any.Type)? {
    guard let node = function.declaration.contextType else { return nil }
    if node.nominal?.kind == .protocol {
      throw PlanError(function, "methods of protocol extensions cannot be overridden or called yet")
    }
    guard let type = program.runtimeType(node) else {
      throw PlanError(
        function,
        node.nominal.map { "\($0.qualifiedName) is generic, or not in this process" }
          ?? "its type is not in this process")
    }
    return type
  }

  private static func receiverKind(
    _ function: RunningFunction, _ context: (any Any.Type)?, _ parameters: [CallLayout.Value],
    _ isMutating: Bool?
  ) throws(PlanError) -> ReceiverKind {
    guard let context else { return .none }
    let isClass = TypeMetadata.kind(of: context) == .class
    let declaration = function.declaration
    switch declaration.kind {
    case .initializer: return .uninitialized
    case .allocatingInitializer: return isClass ? .metatype : .none
    default: break
    }
    if declaration.isStatic { return isClass ? .metatype : .none }
    if isClass { return .object }
    switch declaration.kind {
    case .setter, .subscriptSetter: return .mutableValue
    case .getter, .subscriptGetter: return .value
    default:
      if let isMutating { return isMutating ? .mutableValue : .value }
      // What cannot be overridden is only called, and calls pass `self` both ways.
      if !function.isPatchPoint { return .value }
      return try Self.isMutating(function, context, parameters) ? .mutableValue : .value
    }
  }

  private static func receiverCodec(
    _ function: RunningFunction, _ context: (any Any.Type)?, _ kind: ReceiverKind
  ) throws(PlanError) -> ValueCodec? {
    guard let context, [.object, .value, .mutableValue].contains(kind) else { return nil }
    return try codec(
      context, Described(function.declaration.contextType ?? .void, "self", function))
  }

  private static func receiverValue(
    _ function: RunningFunction, _ context: (any Any.Type)?
  ) throws(PlanError) -> CallLayout.Value {
    guard let context else { return .direct(.empty) }
    return try value(
      context, Described(function.declaration.contextType ?? .void, "self", function))
  }

  /// A symbol does not say whether a method of a value type is `mutating`, but its code does. Where
  /// the two are called alike, taking it for mutating is right for both: what a script has not
  /// changed is not written back.
  private static func isMutating(
    _ function: RunningFunction, _ context: any Any.Type, _ parameters: [CallLayout.Value]
  ) throws(PlanError) -> Bool {
    guard case .direct(let shape) = try receiverValue(function, context),
      !AggregateLowering(shape).isPassedIndirectly
    else { return true }
    if shape.leaves.isEmpty { return false }
    guard let code = UnsafeRawPointer(bitPattern: function.address),
      let isMutating = PrologueReader.isMutating(code, parameters: parameters, receiver: shape)
    else {
      let selector = function.declaration.selector
      throw PlanError(
        function,
        "its machine code does not tell whether it is `mutating`; say so: "
          + "[\"mutating \(selector)\"] or [\"nonmutating \(selector)\"]")
    }
    return isMutating
  }

  private static func resolve(
    _ parameter: FunctionParameter, _ index: Int, _ function: RunningFunction,
    _ program: RunningProgram
  ) throws(PlanError) -> Parameter {
    let name = "parameter \(index + 1) (\(parameter.label ?? "_"))"
    let type = try runtimeType(parameter.type, function, name, program)
    let described = Described(parameter.type, name, function)
    let codec = try codec(type, described)
    if parameter.ownership == .inout {
      return Parameter(declaration: parameter, codec: codec, parts: [(0, .indirect)])
    }
    do throws(UnsupportedType) {
      return Parameter(
        declaration: parameter, codec: codec, parts: try ShapeReader.parameter(type))
    } catch {
      throw described.refusal(error, of: type)
    }
  }

  private static func resolveResult(
    _ function: RunningFunction, _ context: (any Any.Type)?, _ program: RunningProgram
  ) throws(PlanError) -> (ValueCodec?, CallLayout.Value) {
    let node = function.declaration.result
    if node == .void { return (nil, .direct(.empty)) }
    let type =
      if case .dynamicSelf = node, let context { context } else {
        try runtimeType(node, function, "the result", program)
      }
    let described = Described(node, "the result", function)
    return (try codec(type, described), try value(type, described))
  }

  private static func runtimeType(
    _ node: TypeNode, _ function: RunningFunction, _ what: String, _ program: RunningProgram
  ) throws(PlanError) -> any Any.Type {
    if let type = program.runtimeType(node) { return type }
    throw PlanError(
      function,
      "\(what) has type \(node.shortDescription(in: function.declaration.module)), which the "
        + "runtime does not know by name")
  }

  /// A part of the signature, for messages.
  private struct Described {
    let type: TypeNode
    let what: String
    let function: RunningFunction

    init(_ type: TypeNode, _ what: String, _ function: RunningFunction) {
      self.type = type
      self.what = what
      self.function = function
    }

    func refusal(_ error: UnsupportedType, of runtimeType: any Any.Type) -> PlanError {
      let name = type.shortDescription(in: function.declaration.module)
      let isWhole = error.typeName == TypeName.short(runtimeType)
      let inside = isWhole ? "" : " (because of \(error.typeName))"
      return PlanError(
        function, "\(what) has type \(name), which cannot cross\(inside): \(error.reason)")
    }
  }

  private static func codec(
    _ type: any Any.Type, _ described: Described
  ) throws(PlanError) -> ValueCodec {
    do throws(UnsupportedType) {
      return try CodecLibrary.codec(for: type)
    } catch {
      throw described.refusal(error, of: type)
    }
  }

  private static func value(
    _ type: any Any.Type, _ described: Described
  ) throws(PlanError) -> CallLayout.Value {
    do throws(UnsupportedType) {
      return try ShapeReader.value(type)
    } catch {
      throw described.refusal(error, of: type)
    }
  }
}
