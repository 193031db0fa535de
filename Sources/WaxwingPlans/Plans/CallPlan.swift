// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingMetadata
package import WaxwingReflection
package import WaxwingValues

/// The compiled marshalling of one function's signature: where each value is and which codec turns
/// it into a Lua value. Made once a patch point, when a patch loads.
/// Unchecked: never changed after `init`.
package final class CallPlan: @unchecked Sendable {
  /// A value that is passed.
  package struct Argument {
    /// What messages call it: `memo`, or `argument 2`.
    package let name: String
    package let codec: ValueCodec
    package let location: ValueLocation
    /// The function takes the value over: the caller passes it at +1.
    package let isOwned: Bool
    /// The location is that of the caller's variable, which the function may change.
    package var isInout = false
    /// The parameter is `T...`: the value is an array.
    package var isVariadic = false
    /// nil is a value of its type.
    package var isOptional: Bool { codec.type is any OptionalType.Type }
  }

  /// Few plans have them.
  private final class KeptParts {
    let parts: OpaqueParts

    init(_ parts: OpaqueParts) {
      self.parts = parts
    }
  }

  /// What the function is called on.
  package enum Receiver {
    /// Nothing: free functions, and static methods and initializers of structs and enums.
    case none
    /// An instance of a class.
    case object(Argument)
    /// A class itself.
    case metatype(any Any.Type)
    /// Memory of a class's instance that the function, an initializer, is to initialize.
    case uninitialized(any Any.Type)
    /// A copy of a struct or an enum.
    case value(Argument)
    /// The address of a struct or an enum that the function may change.
    case mutableValue(ValueCodec)
    /// What is in registers that only the function itself knows.
    case opaque(OpaqueCodec)
    /// An instance of a class that is not known.
    case anyObject
  }

  package let function: RunningFunction
  package let receiver: Receiver
  package let arguments: [Argument]
  /// The arguments once more, for the calls themselves.
  package let steps: UnsafeBufferPointer<CallStep>
  /// Whether any argument, or the receiver, is passed at +1.
  package let ownsArguments: Bool
  /// The `inout` arguments: what they are afterwards are further results, in order.
  package let inouts: [Argument]
  /// The receiver as a further `inout` argument, the last: of a function that changes a value of
  /// Lua's own, such as a string or a table, of which Lua has no variable that could change. A script
  /// need not return it.
  package var returnedReceiver: Argument? { variables.count > inouts.count ? variables.last : nil }
  /// What calls change of their caller's.
  package let variables: [Argument]
  /// The receiver's codec, if it is an instance of a class.
  package let objectReceiver: Unmanaged<ObjectCodec>?
  /// nil: the function returns nothing.
  package let result: ValueCodec?
  package let outcome: ResultLowering
  /// What to look at in a result of the type `Self`.
  package let selfResult: SelfResult?
  package let resultStrategy: ResultStrategy
  /// Bytes of arguments on the stack.
  package let stackBytes: Int
  /// Room for any one value.
  package let scratchBytes: Int
  /// Where a receiver is put that is passed by address and not in memory, as an object is for a
  /// method of a protocol's extension.
  package let receiverRoom: Int
  /// The function takes over the struct or enum that it is called on.
  package let consumesReceiver: Bool
  /// Nothing tells whether it does, and it would make a difference.
  package let mayConsumeReceiver: Bool
  /// What a generic function is passed so that it knows its types, and where.
  package let trailing: [(word: UnsafeRawPointer?, location: ValueLocation)]
  /// How much room a call needs for the values that do not stand in its frame.
  package let callBytes: Int
  /// What a caller from Lua may leave out.
  package let defaults: DefaultArguments
  /// What of the signature goes through Lua as opaque values; nil: nothing. Calls are made in the
  /// registers of an override's call then.
  package var opaque: OpaqueParts? { opaqueParts?.parts }
  private let opaqueParts: KeptParts?
  /// Whether there is any, for calls to look at.
  package let hasOpaque: Bool
  /// What the function initializes, if it is an initializer.
  package let initializedType: (any Any.Type)?

  /// Of an `async` function: where the address of an indirect result is, and the caller's actor.
  package let resultAddress: ValueLocation?
  package let callerActor: [ValueLocation]
  /// Where it runs.
  package let isolation: FunctionIsolation

  package var isAsync: Bool { function.isAsync }
  package var isThrowing: Bool { function.declaration.isThrowing }
  package var isVariadic: Bool { arguments.contains(where: \.isVariadic) }
  package var isInitializer: Bool { initializedType != nil }

  /// - Parameter bound: What a generic function's parameters stand for in the calls that the plan is
  ///   for.
  /// - Throws: `PlanError` if the function cannot be called or overridden, naming what is in the
  ///   way.
  package convenience init(
    _ function: RunningFunction, bound: BoundGenerics?, in program: RunningProgram,
    _ mutation: Mutation
  ) throws(PlanError) {
    self.init(
      function, try SignatureTypes(function, bound, in: program, mutation),
      mutation.selfKind(of: function), isGeneric: bound != nil, in: program)
  }

  /// For overriding a function of which nothing but its registers is known.
  /// - Throws: `PlanError` if those are not either.
  package convenience init(
    opaque function: RunningFunction, _ reason: PlanError, in program: RunningProgram
  ) throws(PlanError) {
    self.init(
      function, try SignatureTypes(opaque: function, reason), function.selfKind, isGeneric: false,
      in: program)
  }

  private init(
    _ function: RunningFunction, _ types: SignatureTypes, _ selfKind: SelfKind?, isGeneric: Bool,
    in program: RunningProgram
  ) {
    let layout = types.layout
    self.function = function
    opaqueParts = types.opaque.map(KeptParts.init)
    hasOpaque = types.opaque != nil
    receiver = types.receiver(layout)
    arguments = types.arguments(layout)
    var room = ScratchLayout()
    steps = CallStep.list(arguments, &room)
    inouts = arguments.filter(\.isInout)
    variables = inouts + [Self.returnedReceiver(receiver)].compactMap(\.self)
    ownsArguments = arguments.contains(where: \.isOwned) || selfKind == .consuming
    objectReceiver = Self.objectReceiver(receiver)
    result = types.result
    outcome = ResultLowering(
      layout, types.resultShape, result: types.result, thrown: types.thrown, &room,
      throwsUnknown: types.throwsUnknown)
    selfResult = SelfResult(function, context: types.contextType)
    resultStrategy = Self.resultStrategy(types, outcome.frameOffset, isPlain: selfResult == nil)
    stackBytes = layout.stackBytes
    let codecs =
      types.arguments(layout).map(\.codec) + [types.result, types.thrown].compactMap(\.self)
    scratchBytes = max(32, types.receiverSize, codecs.map(\.size).max() ?? 0) + 16
    consumesReceiver = selfKind == .consuming
    mayConsumeReceiver = selfKind == nil && Self.isUnclear(receiver, function)
    receiverRoom = types.receiverByAddress.map { room.add($0) } ?? 0
    trailing = Array(
      zip(types.trailingWords, layout.trailingPointers.map { ValueLocation($0, alignment: 8) }))
    resultAddress = layout.resultAddress.map { ValueLocation($0, alignment: 8) }
    callerActor = layout.callerActor.map { ValueLocation($0, alignment: 8) }
    isolation =
      layout.callerActor.isEmpty
      ? FunctionIsolation(
        of: function, in: types.contextType, layouts: nil, program: program) : .caller
    callBytes = room.size
    initializedType = types.initializedType
    defaults = DefaultArguments(of: function, arguments, in: program, isGeneric: isGeneric)
  }

  deinit {
    steps.deallocate()
  }

  /// Methods may be `consuming`; accessors of types that can be copied hardly are.
  private static func isUnclear(_ receiver: Receiver, _ function: RunningFunction) -> Bool {
    guard case .value(let argument) = receiver, function.isPatchPoint,
      !function.declaration.kind.isAccessor
    else { return false }
    return !ValueWitnesses(of: argument.codec.type).isTrivial
  }

  private static func returnedReceiver(_ receiver: Receiver) -> Argument? {
    guard case .mutableValue(let codec) = receiver, !codec.isBoxing else { return nil }
    return Argument(
      name: "self", codec: codec, location: .addressInFrame(Frame.contextOffset),
      isOwned: false, isInout: true)
  }

  private static func objectReceiver(_ receiver: Receiver) -> Unmanaged<ObjectCodec>? {
    guard case .object(let argument) = receiver, let codec = argument.codec as? ObjectCodec else {
      return nil
    }
    return .passUnretained(codec)
  }

  private static func resultStrategy(
    _ types: SignatureTypes, _ frameOffset: Int?, isPlain: Bool
  ) -> ResultStrategy {
    if types.initializedType != nil { return .instance }
    if types.result is OpaqueCodec { return .general }
    if types.receiverIsMutable || types.hasInouts { return .general }
    guard let result = types.result else { return .nothing }
    guard let frameOffset, result.resultCount == 1, !result.isRebuilt, isPlain else {
      return .general
    }
    if let plain = result.plain, plain.isTrivial { return .plain(plain, offset: frameOffset) }
    return .codec(.passUnretained(result), offset: frameOffset)
  }
}

/// Why a function cannot be called or overridden.
package struct PlanError: Error, CustomStringConvertible {
  /// `Bank.Account.deposit(_:memo:)`
  package let function: String
  /// The reason and, if there is one, the remedy.
  package let reason: String

  package init(_ function: RunningFunction, _ reason: String) {
    self.function = function.displayedName
    self.reason = reason
  }

  package var description: String { "\(function): \(reason)" }
}
