// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingValues

extension Passing {
  /// The parts of a value of a type, which is at an offset in another value.
  func parts(
    of type: any Any.Type, at offset: Int = 0
  ) throws(UnsupportedType) -> [FunctionShape.Part] {
    switch self {
    case .byType: return try FunctionShape.Part.parts(of: type, at: offset)
    case .address:
      let size = ValueWitnesses(of: type).size
      return [FunctionShape.Part(offset: offset, size: size, value: .indirect, type: type)]
    case .word: return [FunctionShape.Part(offset: offset, size: 8, value: .direct(.pointer))]
    case .elements(let elements):
      var parts: [FunctionShape.Part] = []
      for (passing, element) in zip(elements, TypeMetadata.elements(of: type)) {
        parts += try passing.parts(of: element.type, at: offset + element.offset)
      }
      return parts
    }
  }
}
