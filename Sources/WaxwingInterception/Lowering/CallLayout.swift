// SPDX-License-Identifier: MIT

/// Where each argument and result of a function is when it is called, in swiftcc of this CPU.
package struct CallLayout: Hashable, Sendable {
  /// How a parameter or result is declared to travel.
  package enum Value: Hashable, Sendable {
    /// The value is passed by value, unless the convention finds it too large.
    case direct(TypeShape)
    /// The value is passed by address: `inout`, a generic parameter, a type that is not loadable.
    case indirect
  }

  /// Where a call has `self`.
  package enum SelfForm: Hashable, Sendable {
    /// A free function, or a static method of a struct or enum.
    case none
    /// A class reference or its metatype, or the address of a `mutating` or indirect self.
    case selfRegister
    /// A struct or enum by value: after the parameters, unless it is too large.
    case exploded(TypeShape)
  }

  package struct Placement: Hashable, Sendable {
    package var pieces: [LoweredPiece]
    /// The pieces are those of an address, or (a result) the address is in `indirect_result`.
    package var isIndirect: Bool
  }

  package let parameters: [Placement]
  /// Nil where there is no self.
  package let selfPlacement: Placement?
  /// Generic parameters' metadata and witness tables.
  package let trailingPointers: [Placement]
  /// The place of the address of a result that an `async` function returns by address; other
  /// functions have this address in `indirect_result`. It comes before everything else.
  package let resultAddress: Placement?
  /// The places of the caller's actor, as the two words of an `(any Actor)?`, for an `async`
  /// function that runs where its caller does (`nonisolated(nonsending)`).
  package let callerActor: [Placement]
  /// The places of addresses for results that are returned through them and not through
  /// `indirect_result`.
  package let indirectResults: [Placement]
  package let result: Placement
  /// Where a typed error is if it is thrown; nil: the function does not throw one.
  package let thrown: Placement?
  /// The size of the stack arguments for `wax_runtime_invoke` and `InterceptionPoint`; a multiple
  /// of 8.
  package let stackBytes: Int

  /// A parameter that is a tuple is as many parameters as it has elements; a *result* that is a
  /// tuple is one shape, of those elements that are not returned by address. A closure is two
  /// pointers. `throws` changes nothing here: the error is the frame's `error`. Not for `Float80`.
  ///
  /// - Parameters:
  ///   - indirectResults: How many of a result tuple's elements are returned by address: these
  ///     addresses come before the parameters. A single result by address is `result`.
  ///   - isAsync: The convention of `async` functions, of which arguments and results are in the same
  ///     registers, but for the address of an indirect result.
  ///   - hasCallerActor: Only if it is `async`.
  ///   - thrown: The type in `throws(E)`. `Never` and `any Error` are not typed errors.
  package init(
    parameters: [Value], result: Value, selfForm: SelfForm = .none, trailingPointers: Int = 0,
    indirectResults: Int = 0, thrown: Value? = nil, isAsync: Bool = false,
    hasCallerActor: Bool = false
  ) {
    var assigner = NativeConvention()
    resultAddress =
      isAsync && Self.placeResult(result).isIndirect
      ? Self.place(.direct(.pointer), with: &assigner) : nil
    self.indirectResults = (0..<indirectResults).map { _ in
      Self.place(.indirect, with: &assigner)
    }
    callerActor = (0..<(hasCallerActor ? 2 : 0)).map { _ in
      Self.place(.direct(.pointer), with: &assigner)
    }
    self.parameters = parameters.map { Self.place($0, with: &assigner) }
    switch selfForm {
    case .none:
      selfPlacement = nil
    case .selfRegister:
      selfPlacement = Placement(pieces: [Self.selfRegister], isIndirect: false)
    case .exploded(let shape):
      let lowering = AggregateLowering(shape)
      selfPlacement =
        lowering.isPassedIndirectly
        ? Placement(pieces: [Self.selfRegister], isIndirect: true)
        : Self.place(.direct(shape), with: &assigner)
    }
    self.trailingPointers = (0..<trailingPointers).map { _ in
      Self.place(.direct(.pointer), with: &assigner)
    }
    let isResultIndirect = indirectResults > 0 || Self.placeResult(result).isIndirect
    self.result = Self.placeResult(result)
    self.thrown = thrown.map { Self.placeError($0, isIndirect: isResultIndirect, with: &assigner) }
    stackBytes = assigner.stackBytes
  }

  /// Creates the layout of a function of which only the size of its stack arguments is known.
  package init(rawStackBytes: Int) {
    parameters = []
    selfPlacement = nil
    trailingPointers = []
    resultAddress = nil
    callerActor = []
    indirectResults = []
    result = Placement(pieces: [], isIndirect: false)
    thrown = nil
    stackBytes = rawStackBytes
  }
}

extension CallLayout {
  private static let selfRegister = LoweredPiece(
    bank: .selfRegister, index: 0, byteOffset: 0, byteCount: 8)

  private static func place(_ value: Value, with assigner: inout NativeConvention) -> Placement {
    if case .direct(let shape) = value {
      let lowering = AggregateLowering(shape)
      if !lowering.isPassedIndirectly {
        let pieces = lowering.components.flatMap { assigner.assignArgument($0) }
        return Placement(pieces: pieces.map { $0.clipped(to: shape.size) }, isIndirect: false)
      }
    }
    let address = AggregateLowering(.pointer).components
    return Placement(
      pieces: address.flatMap { assigner.assignArgument($0) }, isIndirect: true)
  }

  /// A typed error is in the result's registers if both fit there and the error has nothing but
  /// integers in it; otherwise the caller passes an address for it, behind everything else. The
  /// frame's `error` is 1 then (`combineResultAndTypedErrorType` in the compiler's
  /// lib/IRGen/GenCall.cpp; measured with Swift 6.3.1).
  private static func placeError(
    _ value: Value, isIndirect: Bool, with assigner: inout NativeConvention
  ) -> Placement {
    let direct = placeResult(value)
    let fits = !direct.isIndirect && direct.pieces.allSatisfy { $0.bank == .integer }
    if fits, !isIndirect { return direct }
    return place(.indirect, with: &assigner)
  }

  private static func placeResult(_ value: Value) -> Placement {
    guard case .direct(let shape) = value else { return Placement(pieces: [], isIndirect: true) }
    let lowering = AggregateLowering(shape)
    if lowering.isPassedIndirectly { return Placement(pieces: [], isIndirect: true) }
    let pieces = NativeConvention.assignResults(lowering.components)
    return Placement(pieces: pieces.map { $0.clipped(to: shape.size) }, isIndirect: false)
  }
}

extension LoweredPiece {
  /// A unit may be larger than the bytes it was made for: never touch what lies behind a value.
  fileprivate func clipped(to size: Int) -> LoweredPiece {
    var piece = self
    piece.byteCount = min(byteCount, size - byteOffset)
    return piece
  }
}

/// The rules of a CPU's calling convention for types that are split into scalars.
protocol RegisterConvention {
  /// Creates a convention in which all argument registers are free.
  init()

  /// Where the next argument scalar goes: one piece, or several if it takes several registers.
  mutating func assignArgument(_ component: AggregateLowering.Component) -> [LoweredPiece]

  /// Size of the stack arguments assigned so far, a multiple of 8.
  var stackBytes: Int { get }

  /// Assigns result registers to at most four registers' worth of scalars.
  static func assignResults(_ components: [AggregateLowering.Component]) -> [LoweredPiece]
}
