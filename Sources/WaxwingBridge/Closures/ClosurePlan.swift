// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingValues

/// The compiled marshalling of one function type: where each value is in a call of such a function
/// value, and which codec turns it into a Lua value. Made once a type and abstraction.
/// Unchecked: never changed after `init`.
final class ClosurePlan: @unchecked Sendable {
  let type: any Any.Type
  /// `(Int) throws -> Bool`
  let typeName: String
  let isThrowing: Bool
  let isAsync: Bool
  let isEscaping: Bool
  /// Whether the closure is `@convention(c)`.
  let isCFunction: Bool
  let arguments: [CallPlan.Argument]
  /// The arguments once more, for the calls themselves.
  let steps: UnsafeBufferPointer<CallStep>
  let ownsArguments: Bool
  let inouts: [CallPlan.Argument]
  /// The codec of the result; nil if nothing is returned.
  let result: ValueCodec?
  let outcome: ResultLowering
  /// The location of the address of an indirect result of an async closure; nil if there is none.
  let resultAddress: ValueLocation?
  /// Whether there is a value that stands for a result which is missing.
  let resultHasNeutral: Bool
  let stackBytes: Int
  /// The size of the memory that has room for any one value of a call.
  let scratchBytes: Int
  /// How much room a call needs for the values that do not stand in its frame.
  let callBytes: Int

  private let layout: CallLayout
  /// A call by Lua code in a form that C runs; nil: it takes Swift. Set once, in `init`.
  private(set) var direct: UnsafeMutablePointer<wax_call_direct>?
  /// A call of a Lua function by Swift in a form that C runs; nil: it takes Swift. Set once, in
  /// `init`.
  private(set) var held: UnsafeMutablePointer<wax_call_lua_closure_plan>?

  /// - Throws: `UnsupportedType` if functions of the type cannot cross.
  init(_ type: any Any.Type, as abstraction: Abstraction) throws(UnsupportedType) {
    guard let metadata = FunctionMetadata(type) else {
      throw UnsupportedType(type, because: "it is not a function type")
    }
    try Self.check(metadata, type)
    self.type = type
    typeName = metadata.name
    isThrowing = metadata.isThrowing
    isAsync = metadata.isAsync
    isCFunction = metadata.convention == .cFunction
    isEscaping = metadata.isEscaping || isCFunction
    let shapes = try ClosureShapes(metadata, type, abstraction)
    layout = shapes.layout
    arguments = shapes.arguments(layout)
    var scratch = ScratchLayout()
    steps = CallStep.list(arguments, &scratch)
    ownsArguments = arguments.contains(where: \.isOwned)
    inouts = arguments.filter(\.isInout)
    result = shapes.result
    outcome = ResultLowering(
      layout, shapes.resultShape, result: shapes.result, thrown: shapes.thrown, &scratch)
    resultAddress = layout.resultAddress.map { ValueLocation($0, alignment: 8) }
    resultHasNeutral = shapes.result?.hasNeutral ?? true
    stackBytes = layout.stackBytes
    callBytes = scratch.size
    scratchBytes = max(32, arguments.map(\.codec.size).max() ?? 0) + 16
    direct = nil
    held = nil
    direct = compile()
    held = compileHeld()
  }

  deinit {
    wax_call_direct.deallocate(direct)
    held?.deallocate()
    steps.deallocate()
  }

  /// Whether any error can be thrown: not if the function is `throws(E)`.
  var canThrowAnything: Bool {
    isThrowing && (outcome.thrown.map { $0.type == (any Error).self } ?? true)
  }

  /// Whether a function value of this plan can be used where `other` expects one.
  func isCallable(as other: ClosurePlan) -> Bool {
    if self === other { return true }
    return layout == other.layout && arguments.count == other.arguments.count
      && zip(arguments, other.arguments).allSatisfy {
        $0.codec === $1.codec && $0.isOwned == $1.isOwned && $0.isInout == $1.isInout
      }
      && result === other.result && outcome.thrown === other.outcome.thrown
      && (!isThrowing || other.isThrowing) && isAsync == other.isAsync
  }

  private static func check(
    _ metadata: FunctionMetadata, _ type: any Any.Type
  ) throws(UnsupportedType) {
    switch metadata.convention {
    case .swift: break
    case .cFunction: try CFunction.check(metadata, type)
    default: throw UnsupportedType(type, because: "functions of its convention cannot cross")
    }
    if metadata.isIsolatedAny || metadata.isDifferentiable {
      throw UnsupportedType(
        type, because: "@isolated(any) and @differentiable functions cannot cross")
    }
  }
}
