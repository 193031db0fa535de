// SPDX-License-Identifier: MIT

import WaxwingInterception
import WaxwingValues

/// The types of a function value's signature, on the way to a `ClosurePlan`.
struct ClosureShapes {
  /// The shape of the result; nil if nothing is returned.
  let result: ValueCodec?
  let resultShape: ResultShape
  /// The error's, if the function is `throws(E)`.
  let thrown: ValueCodec?
  private let thrownValue: CallLayout.Value?
  private let parameters: [Parameter]
  /// A C function has no context.
  private let hasContext: Bool
  private let isAsync: Bool

  private struct Parameter {
    let ownership: FunctionMetadata.Parameter.Ownership
    let codec: ValueCodec
    /// The parts of the parameter: one, or one for each element of a tuple.
    let parts: [FunctionShape.Part]
  }

  init(
    _ metadata: FunctionMetadata, _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) {
    hasContext = metadata.convention != .cFunction
    isAsync = metadata.isAsync
    let pattern = CallPattern(abstraction, metadata)
    var parameters: [Parameter] = []
    for (parameter, passing) in zip(metadata.parameters, pattern.parameters) {
      parameters.append(try Self.parameter(parameter, type, passing))
    }
    self.parameters = parameters
    result =
      metadata.result == Void.self
      ? nil
      : try CodecLibrary.codec(for: metadata.result, as: pattern.result.abstraction)
    resultShape = ResultShape(try pattern.result.parts(of: metadata.result))
    (thrown, thrownValue) = try Self.thrown(metadata, pattern.thrown)
  }

  private static func parameter(
    _ parameter: FunctionMetadata.Parameter, _ type: any Any.Type, _ passing: Passing
  ) throws(UnsupportedType) -> Parameter {
    guard let ownership = parameter.ownership else {
      throw UnsupportedType(type, because: "it has a parameter of unknown ownership")
    }
    let valueType = parameter.valueType
    let codec = try CodecLibrary.codec(for: valueType, as: passing.abstraction)
    return Parameter(
      ownership: ownership, codec: codec,
      parts: ownership == .inout
        ? [FunctionShape.Part(offset: 0, size: 8, value: .indirect)]
        : try passing.parts(of: valueType))
  }

  /// Where the source says `throws(E)` the caller has a place for an `E`, also if that is
  /// `any Error`, or `Never` and nothing is thrown.
  private static func thrown(
    _ metadata: FunctionMetadata, _ passing: Passing?
  ) throws(UnsupportedType) -> (ValueCodec?, CallLayout.Value?) {
    guard let passing else { return (nil, nil) }
    guard metadata.isThrowing else { return (nil, .indirect) }
    let type = metadata.thrown ?? (any Error).self
    let value = try passing.parts(of: type).first?.value ?? .direct(.empty)
    return (try CodecLibrary.codec(for: type), value)
  }

  var layout: CallLayout {
    CallLayout(
      parameters: parameters.flatMap { $0.parts.map(\.value) }, result: resultShape.value,
      selfForm: hasContext ? .selfRegister : .none, indirectResults: resultShape.addressed.count,
      thrown: thrownValue, isAsync: isAsync)
  }

  func arguments(_ layout: CallLayout) -> [CallPlan.Argument] {
    var placements = layout.parameters[...]
    return parameters.enumerated().map { index, parameter in
      let own = Array(placements.prefix(parameter.parts.count))
      placements = placements.dropFirst(parameter.parts.count)
      return CallPlan.Argument(
        name: "argument \(index + 1)", codec: parameter.codec,
        location: ValueLocation(own, parameter.parts, alignment: parameter.codec.alignment),
        isOwned: parameter.ownership == .owned && !parameter.codec.isLent,
        isInout: parameter.ownership == .inout)
    }
  }
}
