// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

extension RunningFunction {
  /// Where its code begins; nil: it has none of its own.
  var code: UnsafeRawPointer? {
    guard witness == nil, let address = UnsafeRawPointer(bitPattern: address) else { return nil }
    return isAsync ? IsolationReader.code(ofAsync: address) : address
  }
}

/// How a function is called, as far as that can be told without converting anything: which values
/// travel how.
///
/// Generic functions have one shape for all types that they are called with.
struct FunctionShape {
  enum ReceiverKind {
    case none, object, metatype, uninitialized, value, mutableValue
    /// What a closure has captured: no receiver that Lua sees.
    case captures
    /// The receiver's type is unknown, or the registers that it takes are.
    case opaque
  }

  /// A value, or an element of a tuple: a tuple travels as its elements.
  struct Part {
    /// Bytes from the start of the tuple; 0 where the types are not known.
    let offset: Int
    let size: Int
    let value: CallLayout.Value
    /// The type as which values of the part are moved; nil if there is none, or it is not known.
    var type: (any Any.Type)?

    /// The parts of a value of a type without generic parameters.
    static func parts(of type: any Any.Type, at offset: Int) throws(UnsupportedType) -> [Part] {
      guard TypeMetadata.kind(of: type) == .tuple else {
        let size = ValueWitnesses(of: type).size
        return [Part(offset: offset, size: size, value: try ShapeReader.value(type), type: type)]
      }
      var parts: [Part] = []
      for element in TypeMetadata.elements(of: type) {
        parts += try Self.parts(of: element.type, at: offset + element.offset)
      }
      return parts
    }
  }

  /// The source of a shape.
  struct Source {
    let function: RunningFunction
    let program: RunningProgram
    let generics: FunctionGenerics?
    let opaque: OpaqueResults?
    /// A type with the generic parameters bound; nil: it is not known.
    let type: (TypeNode) -> (any Any.Type)?
    /// How a closure is called where the program passes it; nil for all other functions.
    var pattern: CallPattern?
    /// Whether the shape is for overriding the function instead of calling it.
    var isOverride = false

    var lowering: GenericLowering { GenericLowering(generics, opaque, in: program) }
  }

  let receiverKind: ReceiverKind
  /// The parts of the signature that cannot be told; nil if there are none.
  let opaque: OpaqueParts?
  /// The type that the function is a member of, bound to its own parameters; for a protocol `Self`,
  /// or the type that `Self` is required to be.
  let contextNode: TypeNode?
  let receiver: CallLayout.Value
  /// Whether the receiver takes no registers, so that no code tells whether it is passed by
  /// address.
  var isReceiverEmpty: Bool {
    if receiverKind == .value, case .direct(let shape) = receiver {
      shape.leaves.isEmpty
    } else {
      false
    }
  }
  /// Whether the function, which is called on an object, could take the address of the reference:
  /// its symbol does not exclude that.
  let receiverMayBeVariable: Bool
  let parameters: [[Part]]
  /// Where the parts of each parameter are.
  let placements: [[CallLayout.Placement]]
  let result: ResultShape
  let trailing: TrailingArguments?
  let layout: CallLayout

  init(_ source: Source, _ mutation: Mutation) throws(PlanError) {
    let declaration = source.function.declaration
    contextNode = Self.contextNode(declaration, source.generics)
    var signature = PartialSignature(source, mutation)
    for (index, parameter) in declaration.parameters.enumerated() {
      try signature.add(parameter: parameter, index)
    }
    let isReference = contextNode.map { Self.isReference($0, source) } ?? false
    try signature.setReceiver(contextNode, isReference: isReference)
    try signature.setResult()
    if signature.isKnown {
      let layouts = signature.layouts
      receiverKind = try Self.receiverKind(layouts, isReference, mutation)
      trailing = layouts.trailing(receiverKind)
      layout = layouts.layout(receiverKind)
      try Self.checkCallerActor(layouts, receiverKind)
      try Self.checkError(ofGetter: source, layout)
      try Self.checkRegisters(source, layout)
      try Self.checkUse(source, layout)
      parameters = layouts.parameters
      placements = Self.placements(layouts.parameters, layout)
      opaque = nil
    } else {
      let solved = try OpaqueSolver(signature).solve()
      (receiverKind, trailing, layout) = (solved.receiverKind, solved.trailing, solved.layout)
      (parameters, placements, opaque) = (solved.parameters, solved.placements, solved.opaque)
    }
    receiver = signature.receiver
    receiverMayBeVariable =
      receiverKind == .object && mutation.selfKind(of: source.function) == nil
      && Self.isOfOpenProtocol(source.function, in: source.program)
    result = signature.layouts.result
  }

  /// Checks whether a getter `throws(E)`, which its symbol does not tell. Its code takes an address
  /// for the error then, in the register after all others.
  private static func checkError(
    ofGetter source: Source, _ layout: CallLayout
  ) throws(PlanError) {
    let function = source.function
    guard mayThrowByAddress(function), function.isPatchPoint, let code = function.code,
      let saved = PrologueReader.savedArguments(
        of: code, identity: UnsafeRawPointer(bitPattern: function.address))
    else { return }
    let known = SavedArguments(layout).registers
    guard saved.registers.vector == known.vector,
      saved.registers.integer == known.integer << 1 | 1, saved.registers.integer != known.integer
    else { return }
    throw unknownError(ofGetter: function)
  }

  /// Whether the function may be `throws(E)` although its symbol does not say so.
  static func mayThrowByAddress(_ function: RunningFunction) -> Bool {
    [.getter, .subscriptGetter].contains(function.declaration.kind)
      && function.declaration.thrownType == nil
  }

  static func unknownError(ofGetter function: RunningFunction) -> PlanError {
    PlanError(
      function,
      "its code takes the address of an error: it `throws(E)`, and the symbol of a getter does not "
        + "tell which; override what it calls, or let it throw any error")
  }

  /// A dynamic function saves all of its arguments before it asks for its replacement. If it saves other
  /// registers than this layout has, something about its types is not as the metadata says, and reading
  /// its arguments would give wrong values.
  private static func checkRegisters(
    _ source: Source, _ layout: CallLayout
  ) throws(PlanError) {
    let function = source.function
    guard source.isOverride, let code = function.code,
      let saved = PrologueReader.savedArguments(
        of: code, identity: UnsafeRawPointer(bitPattern: function.address)),
      // The beginning of a `modify` is planned with its getter's code.
      FunctionDeclaration(symbol: function.symbol)?.kind == function.declaration.kind
    else { return }
    if !saved.fitsResult(of: layout) {
      throw PlanError(
        function,
        "its machine code \(layout.result.isIndirect ? "takes no" : "takes an") address for its result, "
          + "unlike a function of its type, so its values cannot be read; an override can only pass them on: "
          + "`original(…)`")
    }
    if SavedArguments(layout).fits(saved) { return }
    throw PlanError(
      function,
      "its machine code takes its arguments in other registers than its types tell, so they cannot be "
        + "read; an override can only pass them on: `original(…)`")
  }

  /// An optimised call of a function that was compiled together with it leaves out arguments that the function's code
  /// does not use: something else is in their registers.
  private static func checkUse(_ source: Source, _ layout: CallLayout) throws(PlanError) {
    guard let code = source.function.enteredCode, code.isCalledByOwn,
      !CodeArguments.areUsed(by: code.address, size: code.size, layout)
    else { return }
    throw PlanError(
      source.function,
      "its code does not use all arguments, as far as that can be told, and optimised calls in its own module may leave "
        + "out those; override what calls it")
  }

  /// A function of which nothing is known but its registers.
  init(opaque function: RunningFunction, _ reason: PlanError) throws(PlanError) {
    contextNode = Self.contextNode(function.declaration, nil)
    (parameters, placements) = ([], [])
    (receiver, result, trailing) = (.direct(.empty), ResultShape([]), nil)
    receiverMayBeVariable = false
    layout = try OpaqueSolver.rawLayout(function, reason)
    receiverKind = function.declaration.contextType == nil ? .none : .opaque
    opaque = OpaqueParts(
      reason: reason, parameters: Set(function.declaration.parameters.indices), unplaced: nil,
      result: function.declaration.result != .void)
  }

  /// The placements of each parameter, one for each of its parts.
  static func placements(
    _ parameters: [[Part]], _ layout: CallLayout
  ) -> [[CallLayout.Placement]] {
    var rest = layout.parameters[...]
    return parameters.map { parts in
      defer { rest = rest.dropFirst(parts.count) }
      return Array(rest.prefix(parts.count))
    }
  }

  private static func contextNode(
    _ declaration: FunctionDeclaration, _ generics: FunctionGenerics?
  ) -> TypeNode? {
    guard let nominal = declaration.contextType?.nominal else { return nil }
    if nominal.kind == .protocol { return generics?.selfNode ?? .protocolSelf }
    guard let context = generics?.context else { return .nominal(nominal) }
    return .nominal(nominal.unbound.boundToParameters(context.added))
  }

  static func isReference(_ context: TypeNode, _ source: Source) -> Bool {
    context.nominal.map { $0.kind == .class } ?? source.generics?.isReference(context) ?? false
  }
}

// MARK: - Values

extension FunctionShape {
  static func parts(
    _ parameter: FunctionParameter, _ index: Int, _ source: Source
  ) throws(PlanError) -> [Part] {
    let part = SignaturePart(parameter, index, source.function)
    if parameter.isIsolated, !source.function.isAsync, !source.isOverride {
      throw PlanError(
        source.function, "\(part.name) is `isolated`: a call from Lua would not be on the actor")
    }
    if parameter.ownership == .inout { return [Part(offset: 0, size: 8, value: .indirect)] }
    if let pattern = source.pattern {
      return try parts(part, as: pattern.parameters[index], source)
    }
    return try parts(of: parameter.type, source.type(parameter.type), at: 0, part, source)
  }

  static func resultParts(_ source: Source) throws(PlanError) -> [Part] {
    let node = source.function.declaration.result
    // An object, or nil.
    if case .dynamicSelf = node.optionalPayload ?? node {
      return [Part(offset: 0, size: 8, value: .direct(.pointer))]
    }
    let part = SignaturePart(node, "the result", source.function)
    if let pattern = source.pattern { return try parts(part, as: pattern.result, source) }
    return try parts(of: node, source.type(node), at: 0, part, source)
  }

  /// The parts of a closure's parameter or result.
  private static func parts(
    _ part: SignaturePart, as passing: Passing, _ source: Source
  ) throws(PlanError) -> [Part] {
    guard let type = source.type(part.node) else { throw part.isUnknown(part.node) }
    do throws(UnsupportedType) { return try passing.parts(of: type) } catch {
      throw part.refusal(error, of: type)
    }
  }

  private static func parts(
    of node: TypeNode, _ type: (any Any.Type)?, at offset: Int, _ part: SignaturePart,
    _ source: Source
  ) throws(PlanError) -> [Part] {
    guard case .tuple(let elements) = node else {
      let size = type.map { ValueWitnesses(of: $0).size } ?? 0
      return [
        Part(offset: offset, size: size, value: try value(node, type, part, source), type: type)
      ]
    }
    let known = type.map { TypeMetadata.elements(of: $0) } ?? []
    var parts: [Part] = []
    for (index, element) in elements.enumerated() {
      let known = known.indices.contains(index) ? known[index] : nil
      parts += try Self.parts(
        of: element.type, known?.type ?? source.type(element.type),
        at: offset + (known?.offset ?? 0),
        part, source)
    }
    return parts
  }

  private static func value(
    _ node: TypeNode, _ type: (any Any.Type)?, _ part: SignaturePart, _ source: Source
  ) throws(PlanError) -> CallLayout.Value {
    do throws(UnsupportedType) {
      if let value = try source.lowering.value(node, { type }) { return value }
    } catch {
      throw part.refusal(error, of: type)
    }
    throw part.isUnknown(node)
  }

  static func receiverValue(
    _ context: TypeNode?, _ source: Source
  ) throws(PlanError) -> CallLayout.Value {
    guard let context else { return .direct(.empty) }
    let part = SignaturePart(context, "self", source.function)
    return try value(context, source.type(context), part, source)
  }

  /// A type in `throws(E)` that makes a difference to how functions are called.
  static func thrownNode(_ thrownType: TypeNode?) -> TypeNode? {
    guard let node = thrownType else { return nil }
    let plain = ["s5Error_p", "s5NeverO"]
    return plain.contains(node.mangled) ? nil : node
  }

  static func thrownValue(_ source: Source) throws(PlanError) -> CallLayout.Value? {
    guard let node = thrownNode(source.function.declaration.thrownType) else { return nil }
    let part = SignaturePart(node, "the error", source.function)
    return try value(node, source.type(node), part, source)
  }
}

// MARK: - The receiver

extension FunctionShape {
  static func receiverKind(
    _ layouts: Layouts, _ isReference: Bool, _ mutation: Mutation
  ) throws(PlanError) -> ReceiverKind {
    if layouts.source.function.closure != nil { return .captures }
    guard let context = layouts.context else { return .none }
    let declaration = layouts.source.function.declaration
    // The metatype of a struct or an enum is thin, which is not passed. `Self` in an extension of a
    // protocol stands for any type.
    let hasMetatype = isReference || context == .protocolSelf
    switch declaration.kind {
    case .initializer: return .uninitialized
    case .allocatingInitializer: return hasMetatype ? .metatype : .none
    default: break
    }
    if declaration.isStatic { return hasMetatype ? .metatype : .none }
    if isReference { return objectKind(layouts, mutation) }
    return try valueKind(layouts, mutation)
  }

  /// The receiver kind of a member that is called on an object. A mutating member takes the address
  /// of the reference, and may also be passed the type of the object.
  private static func objectKind(_ layouts: Layouts, _ mutation: Mutation) -> ReceiverKind {
    let function = layouts.source.function
    guard isOfOpenProtocol(function, in: layouts.source.program) else { return .object }
    if let kind = mutation.selfKind(of: function) {
      return kind == .mutating ? .mutableValue : .object
    }
    guard function.isPatchPoint, let code = function.code,
      let saved = PrologueReader.savedArguments(
        of: code, identity: UnsafeRawPointer(bitPattern: function.address)),
      !SavedArguments(layouts.layout(.object)).fits(saved),
      SavedArguments(layouts.layout(.mutableValue)).fits(saved)
    else { return .object }
    return .mutableValue
  }

  /// Whether the function is a member of an extension of a protocol that structs may conform to: it may be
  /// mutating even if the extension is for classes only, as in `extension P where Self: SomeClass`.
  static func isOfOpenProtocol(_ function: RunningFunction, in program: RunningProgram) -> Bool {
    guard let nominal = function.declaration.contextType?.nominal, nominal.kind == .protocol,
      let descriptor = ProtocolDescriptor.find(.nominal(nominal.unbound), in: program)
    else { return false }
    return !descriptor.isClassBound
  }

  /// The receiver kind of a member of a struct or enum.
  private static func valueKind(
    _ layouts: Layouts, _ mutation: Mutation
  ) throws(PlanError) -> ReceiverKind {
    let function = layouts.source.function
    if let kind = mutation.selfKind(of: function) {
      return kind == .mutating ? .mutableValue : .value
    }
    // The code of what cannot be overridden does not begin as that of a dynamic function.
    if !function.isPatchPoint, let assumed = usualKind(function) { return assumed }
    if !function.isPatchPoint, layouts.isReceiverInRegisters {
      return try calledKind(function, layouts)
    }
    do throws(PlanError) {
      return try isMutating(layouts) ? .mutableValue : .value
    } catch {
      guard case .readForCalls = mutation else { throw error }
      if let assumed = usualKind(function) { return assumed }
      if layouts.source.generics == nil { return .value }
      throw error
    }
  }

  /// The usual kind of an accessor: `mutating get` and `nonmutating set` are rare.
  private static func usualKind(_ function: RunningFunction) -> ReceiverKind? {
    switch function.declaration.kind {
    case .setter, .subscriptSetter: .mutableValue
    case .getter, .subscriptGetter: .value
    default: nil
    }
  }

  /// The receiver kind of a function that is only called. It is passed `self` in both ways: as a
  /// value, and its address where mutating methods expect it. A generic function is refused,
  /// because its types are passed differently in the two ways.
  private static func calledKind(
    _ function: RunningFunction, _ layouts: Layouts
  ) throws(PlanError) -> ReceiverKind {
    if layouts.source.generics == nil { return .value }
    throw PlanError(
      function,
      "nothing tells whether it is `mutating`, which decides how methods of this generic type are called; compile its "
        + "module with `-g` and do not strip that, or make a facts file with `waxwing facts` where the program is built"
    )
  }

  /// A symbol does not say whether a member of a value type is `mutating`, but its code does. Where
  /// the two are called alike, taking it for mutating is right for both: what a script has not
  /// changed is not written back.
  private static func isMutating(_ layouts: Layouts) throws(PlanError) -> Bool {
    guard layouts.isReceiverInRegisters else { return true }
    let byValue = layouts.layout(.value)
    let byAddress = layouts.layout(.mutableValue)
    let function = layouts.source.function
    if layouts.isReceiverEmpty, SavedArguments(byValue) == SavedArguments(byAddress) {
      // A generic function is told its types in one way or the other, see `GenericEntry`.
      return layouts.source.generics != nil && usualKind(function) == .mutableValue
    }
    guard let code = function.code,
      let isMutating = PrologueReader.isMutating(
        code, identity: UnsafeRawPointer(bitPattern: function.address), byValue: byValue,
        byAddress: byAddress)
    else {
      let selector = function.declaration.selector
      throw PlanError(
        function,
        "its machine code does not tell whether it is `mutating`; write it: "
          + "[\"mutating \(selector)\"] or [\"nonmutating \(selector)\"]")
    }
    return isMutating
  }
}

// MARK: - The layout

extension FunctionShape {
  /// The layouts of one function for each way in which its receiver may travel.
  struct Layouts {
    let source: Source
    let context: TypeNode?
    var receiver: CallLayout.Value
    var parameters: [[Part]]
    var result: ResultShape
    var thrown: CallLayout.Value?

    var isReceiverInRegisters: Bool {
      guard case .direct(let shape) = receiver else { return false }
      return !AggregateLowering(shape).isPassedIndirectly
    }

    var isReceiverEmpty: Bool {
      if case .direct(let shape) = receiver { shape.leaves.isEmpty } else { false }
    }

    func layout(_ kind: ReceiverKind) -> CallLayout {
      let plain = layout(kind, hasCallerActor: false)
      let function = source.function
      switch callerActor(kind) {
      case .passed, .ignored: return layout(kind, hasCallerActor: true)
      case .absent, .unknown: return plain
      case nil: break
      }
      guard function.isAsync, function.isPatchPoint, function.witness == nil,
        let pointer = UnsafeRawPointer(bitPattern: function.address)
      else { return plain }
      let withActor = layout(kind, hasCallerActor: true)
      let hasIt = IsolationReader.hasCallerIsolation(
        async: pointer, plain: plain, isolated: withActor)
      return hasIt == true ? withActor : plain
    }

    /// What is known of the caller's actor for an async function without a replacement entry; nil for all others.
    func callerActor(_ kind: ReceiverKind) -> CallerActor? {
      let function = source.function
      guard function.isAsync, function.closure == nil, let code = function.enteredCode else {
        return nil
      }
      return CallerActor(
        of: function, code, plain: layout(kind, hasCallerActor: false),
        isolated: layout(kind, hasCallerActor: true))
    }

    func layout(_ kind: ReceiverKind, hasCallerActor: Bool) -> CallLayout {
      CallLayout(
        parameters: parameters.joined().map(\.value), result: result.value,
        selfForm: selfForm(kind), trailingPointers: trailing(kind)?.arguments.count ?? 0,
        indirectResults: result.addressed.count, thrown: thrown,
        isAsync: source.function.isAsync, hasCallerActor: hasCallerActor)
    }

    private func selfForm(_ kind: ReceiverKind) -> CallLayout.SelfForm {
      switch (kind, receiver) {
      case (.none, _), (.opaque, _): .none
      case (.value, .direct(let shape)): .exploded(shape)
      default: .selfRegister
      }
    }

    func trailing(_ kind: ReceiverKind) -> TrailingArguments? {
      guard let generics = source.generics else { return nil }
      let known: TrailingArguments.Receiver =
        switch (kind, context) {
        case (.object, let node?), (.uninitialized, let node?): .object(node)
        case (.metatype, let node?): .metatype(node)
        case (.mutableValue, .nominal(let nominal)?): .address(nominal)
        case (.value, .nominal(let nominal)?):
          isReceiverInRegisters ? .nothing : .address(nominal)
        default: .nothing
        }
      return TrailingArguments(
        generics, receiver: known, parameters: source.function.declaration.parameters,
        in: source.program)
    }
  }
}

extension FunctionDeclaration {
  package var isInitializer: Bool {
    switch kind {
    case .initializer, .allocatingInitializer: true
    default: false
    }
  }
}

/// A part of a function's signature, for messages.
struct SignaturePart {
  let node: TypeNode
  /// `parameter 1 (memo)`, `the result`
  let name: String
  private let function: RunningFunction

  init(_ node: TypeNode, _ name: String, _ function: RunningFunction) {
    self.node = node
    self.name = name
    self.function = function
  }

  init(_ parameter: FunctionParameter, _ index: Int, _ function: RunningFunction) {
    self.init(parameter.type, "parameter \(index + 1) (\(parameter.label ?? "_"))", function)
  }

  private var typeName: String { node.shortDescription(in: function.declaration.module) }

  func refusal(_ error: UnsupportedType, of type: (any Any.Type)?) -> PlanError {
    let isWhole =
      error.typeName == TypeName.unnamed
      || type.map { error.typeName == TypeName.short($0) } ?? true
    let inside = isWhole ? "" : " (because of \(error.typeName))"
    return PlanError(
      function, "\(name) has type \(typeName), which cannot cross\(inside): \(error.reason)")
  }

  func isUnknown(_ type: TypeNode) -> PlanError {
    if type.hasPackExpansion { return PlanError(function, FunctionGenerics.hasPack) }
    if case .existentialMetatype(.constrainedExistential, _) = type.optionalPayload ?? type {
      return PlanError(
        function, "\(name) has type \(typeName): metatypes of constrained protocols cannot cross")
    }
    if type.isDependent {
      return PlanError(
        function,
        "\(name) has type \(typeName), and how its values travel cannot be told before the types "
          + "of its generic parameters are known")
    }
    return PlanError(
      function,
      "\(name) has type \(typeName), which cannot be copied, or whose description the optimiser has "
        + "dropped: \(OpaqueOwners.remedy(typeName))")
  }
}
