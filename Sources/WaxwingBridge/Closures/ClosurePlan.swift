// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// The compiled marshalling of one function type: where each value is in a call of such a function
/// value, and which codec turns it into a Lua value. Immutable; made once a type and abstraction.
final class ClosurePlan: @unchecked Sendable {
  let type: any Any.Type
  /// `(Int) throws -> Bool`
  let typeName: String
  let abstraction: Abstraction
  let isThrowing: Bool
  let isEscaping: Bool
  let arguments: [CallPlan.Argument]
  /// The arguments once more, for the calls themselves.
  let steps: UnsafeBufferPointer<CallStep>
  let ownsArguments: Bool
  let inouts: [CallPlan.Argument]
  /// nil: nothing is returned.
  let result: ValueCodec?
  /// Whether there is a value that stands for a result which is missing.
  let resultHasNeutral: Bool
  let resultLocation: ValueLocation
  let resultIsIndirect: Bool
  /// Where a direct result stands in the frame as it is in memory; nil: elsewhere.
  let resultFrameOffset: Int?
  /// If not there: where in a call's room.
  let resultRoom: Int
  let stackBytes: Int
  /// Room for any one value.
  let scratchBytes: Int
  /// How much room a call needs for the values that do not stand in its frame.
  let callBytes: Int

  private let metadata: FunctionMetadata

  /// - Throws: `UnsupportedType` if functions of the type cannot cross.
  init(_ type: any Any.Type, as abstraction: Abstraction) throws(UnsupportedType) {
    guard let metadata = FunctionMetadata(type) else {
      throw UnsupportedType(type, because: "it is not a function type")
    }
    try Self.check(metadata, type)
    self.type = type
    self.abstraction = abstraction
    self.metadata = metadata
    typeName = metadata.name
    isThrowing = metadata.isThrowing
    isEscaping = metadata.isEscaping
    let shapes = try ClosureShapes(metadata, type, abstraction)
    let layout = shapes.layout
    arguments = shapes.arguments(layout)
    var room = Room()
    steps = Self.steps(arguments, &room)
    ownsArguments = arguments.contains(where: \.isOwned)
    inouts = arguments.filter(\.isInout)
    result = shapes.result
    resultHasNeutral = shapes.result?.hasNeutral ?? true
    resultLocation = ValueLocation(
      layout.result, alignment: shapes.result?.alignment ?? 1, isResult: true)
    resultIsIndirect = layout.result.isIndirect
    resultFrameOffset = resultIsIndirect ? nil : resultLocation.frameOffset
    resultRoom =
      if let result, resultFrameOffset == nil { room.add(result) } else { 0 }
    stackBytes = layout.stackBytes
    callBytes = room.size
    let codecs = arguments.map(\.codec) + [result].compactMap(\.self)
    scratchBytes = max(32, codecs.map(\.size).max() ?? 0) + 16
  }

  deinit {
    steps.deallocate()
  }

  /// Whether a function value of this plan can be used where `other` expects one.
  func isCallable(as other: ClosurePlan) -> Bool {
    if self === other { return true }
    return abstraction == other.abstraction && metadata.result == other.metadata.result
      && metadata.parameters == other.metadata.parameters && (!isThrowing || other.isThrowing)
  }

  private static func steps(
    _ arguments: [CallPlan.Argument], _ room: inout Room
  ) -> UnsafeBufferPointer<CallStep> {
    let steps = UnsafeMutableBufferPointer<CallStep>.allocate(capacity: arguments.count)
    for (index, argument) in arguments.enumerated() {
      steps.initializeElement(at: index, to: CallStep(argument, at: index, &room))
    }
    return UnsafeBufferPointer(steps)
  }

  private static func check(
    _ metadata: FunctionMetadata, _ type: any Any.Type
  ) throws(UnsupportedType) {
    if metadata.isAsync { throw UnsupportedType(type, because: "async closures cannot cross yet") }
    switch metadata.convention {
    case .swift: break
    case .cFunction:
      throw UnsupportedType(type, because: "C functions have no context and cannot cross yet")
    default:
      throw UnsupportedType(type, because: "functions of its convention cannot cross")
    }
    if metadata.hasTypedThrows {
      throw UnsupportedType(type, because: "closures with typed throws cannot cross yet")
    }
    if metadata.isIsolatedAny || metadata.isDifferentiable {
      throw UnsupportedType(
        type, because: "@isolated(any) and @differentiable functions cannot cross")
    }
  }
}
