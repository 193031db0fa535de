// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingReflection
package import WaxwingValues

/// The compiled marshalling of one function's signature: where each value is and which codec turns
/// it into a Lua value. Made once a patch point, when a patch loads.
/// Unchecked: never changed after `init`.
package final class CallPlan: @unchecked Sendable {
  /// A value that is passed.
  package struct Argument {
    /// The argument's name in messages: `memo`, or `argument 2`.
    let name: String
    let codec: ValueCodec
    let location: ValueLocation
    /// The function takes the value over: the caller passes it at +1.
    let isOwned: Bool
    /// The location is that of the caller's variable, which the function may change.
    var isInout = false
    /// The parameter is `T...`: the value is an array.
    var isVariadic = false
    /// Whether nil is a value of the argument's type, or of the type that an autoclosure returns.
    var isOptional: Bool { codec.writtenType is any OptionalType.Type }
  }

  /// Few plans have them.
  private final class KeptParts {
    let parts: OpaqueParts

    init(_ parts: OpaqueParts) {
      self.parts = parts
    }
  }

  /// The receiver of the function.
  package enum Receiver {
    /// No receiver: the function is free, or a static method or an initializer of a struct or enum.
    case none
    /// An instance of a class.
    case object(Argument)
    /// The class itself.
    case metatype(any Any.Type)
    /// Memory of a class's instance that the function, an initializer, is to initialize.
    case uninitialized(any Any.Type)
    /// A copy of a struct or an enum.
    case value(Argument)
    /// The address of a struct or an enum that the function may change.
    case mutableValue(ValueCodec)
    /// The receiver is in registers that only the function itself knows.
    case opaque(OpaqueCodec)
    /// An instance of a class that is not known.
    case anyObject
    /// What a closure has captured, in the self register: its original gets what the override's call got.
    case captures
  }

  package let function: RunningFunction
  /// The signature, which plans of other functions that are called alike share.
  let signature: CallSignature
  /// The executor on which the function runs.
  let isolation: FunctionIsolation
  /// The parts of the signature that cross as opaque values; nil if there are none. Calls then use
  /// the registers of an override's call.
  var opaque: OpaqueParts? { opaqueParts?.parts }
  private let opaqueParts: KeptParts?
  private let isGeneric: Bool
  /// Whether the function is an accessor. Nothing tells whether an accessor throws.
  let isAccessor: Bool
  let isThrowing: Bool
  private let program: RunningProgram
  private let lazyDefaults = LazyReference<DefaultArguments>()

  /// The arguments that a caller from Lua may leave out.
  var defaults: DefaultArguments {
    lazyDefaults.object {
      DefaultArguments(of: function, arguments, in: program, isGeneric: isGeneric)
    }
  }

  /// Whether anything is opaque, for calls to look at.
  var hasOpaque: Bool { opaqueParts != nil }

  var isAsync: Bool { function.isAsync }
  var isVariadic: Bool { arguments.contains(where: \.isVariadic) }
  package var isInitializer: Bool { initializedType != nil }

  /// - Parameters:
  ///   - bound: What a generic function's parameters stand for in the calls that the plan is for.
  ///   - known: Where functions are looked for that are called alike.
  /// - Throws: `PlanError` if the function cannot be called or overridden, naming what is in the
  ///   way.
  package convenience init(
    _ function: RunningFunction, bound: BoundGenerics?, in program: RunningProgram,
    _ mutation: Mutation, _ known: KnownSignatures? = nil
  ) throws(PlanError) {
    try self.init(
      function, try SignatureTypes(function, bound, in: program, mutation),
      mutation.selfKind(of: function), isGeneric: bound != nil, in: program, known)
  }

  /// Creates a plan for overriding a function of which only the registers are known.
  /// - Throws: `PlanError` if the registers are not known either.
  convenience init(
    opaque function: RunningFunction, _ reason: PlanError, in program: RunningProgram
  ) throws(PlanError) {
    try self.init(
      function, try SignatureTypes(opaque: function, reason, in: program), function.selfKind,
      isGeneric: false, in: program, nil)
  }

  private init(
    _ function: RunningFunction, _ types: SignatureTypes, _ selfKind: SelfKind?, isGeneric: Bool,
    in program: RunningProgram, _ known: KnownSignatures?
  ) throws(PlanError) {
    self.function = function
    self.isGeneric = isGeneric
    isAccessor = function.declaration.kind.isAccessor
    isThrowing = function.declaration.isThrowing
    self.program = program
    opaqueParts = types.opaque.map(KeptParts.init)
    signature =
      known?.signature(types, selfKind, isGeneric: isGeneric) ?? CallSignature(types, selfKind)
    if let code = function.enteredCode, function.isAsync, function.closure == nil {
      isolation = try FunctionIsolation(
        ofEntered: function, code, in: types.contextType, types.layout, program)
    } else {
      isolation =
        types.layout.callerActor.isEmpty
        ? FunctionIsolation(
          of: function, in: types.contextType, layouts: nil, program: program) : .caller
    }
  }
}

/// Why a function cannot be called or overridden. The texts are made when they are shown: a call that has several
/// functions to choose among drops the errors of those that do not fit.
package struct PlanError: Error, CustomStringConvertible {
  private let refused: RunningFunction
  private let makeReason: @Sendable () -> String

  package init(
    _ function: RunningFunction, _ reason: @autoclosure @escaping @Sendable () -> String
  ) {
    refused = function
    makeReason = reason
  }

  /// The function's qualified name, such as `Bank.Account.deposit(_:memo:)`.
  package var function: String { refused.displayedName }

  /// The reason and, if there is one, the remedy.
  package var reason: String { makeReason() }

  package var description: String { "\(function): \(reason)" }
}
