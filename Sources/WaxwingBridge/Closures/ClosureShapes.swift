// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// The types of a function value's signature, on the way to a `ClosurePlan`.
struct ClosureShapes {
  let result: ValueCodec?
  private let parameters: [Parameter]
  private let resultShape: CallLayout.Value

  private struct Parameter {
    let ownership: FunctionMetadata.Parameter.Ownership
    let codec: ValueCodec
    /// One part, or one for each element of a tuple.
    let parts: [FunctionShape.Part]
  }

  init(
    _ metadata: FunctionMetadata, _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) {
    var parameters: [Parameter] = []
    for parameter in metadata.parameters {
      parameters.append(try Self.parameter(parameter, type, abstraction))
    }
    self.parameters = parameters
    if metadata.result == Void.self {
      result = nil
      resultShape = .direct(.empty)
    } else {
      try Self.check(metadata.result)
      result = try CodecLibrary.codec(for: metadata.result, as: abstraction)
      resultShape =
        try abstraction == .general ? .indirect : Self.naturalResult(metadata.result)
    }
  }

  private static func parameter(
    _ parameter: FunctionMetadata.Parameter, _ type: any Any.Type, _ abstraction: Abstraction
  ) throws(UnsupportedType) -> Parameter {
    guard let ownership = parameter.ownership else {
      throw UnsupportedType(type, because: "it has a parameter of unknown ownership")
    }
    let valueType = parameter.valueType
    try check(valueType)
    let codec = try CodecLibrary.codec(for: valueType, as: abstraction)
    let isByAddress = abstraction == .general || ownership == .inout
    return Parameter(
      ownership: ownership, codec: codec,
      parts: isByAddress
        ? [FunctionShape.Part(offset: 0, size: 8, value: .indirect)]
        : try FunctionShape.Part.parts(of: valueType, at: 0))
  }

  /// Some metatypes have no bytes in natural calling and a word in general.
  private static func check(_ type: any Any.Type) throws(UnsupportedType) {
    if TypeMetadata.isThinMetatype(type) {
      throw UnsupportedType(type, because: "metatypes cannot be passed to closures yet")
    }
  }

  /// The elements of a tuple that go by address have an address each.
  private static func naturalResult(
    _ type: any Any.Type
  ) throws(UnsupportedType) -> CallLayout.Value {
    let value = try ShapeReader.value(type)
    if value == .indirect, TypeMetadata.kind(of: type) == .tuple {
      throw UnsupportedType(
        type, because: "a tuple with an element that is passed by address cannot be a result yet")
    }
    return value
  }

  var layout: CallLayout {
    CallLayout(
      parameters: parameters.flatMap { $0.parts.map(\.value) }, result: resultShape,
      selfKind: .context)
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
