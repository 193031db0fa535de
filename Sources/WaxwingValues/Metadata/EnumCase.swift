// SPDX-License-Identifier: MIT

/// One case of an enum, as its field descriptor tells it.
package struct EnumCase {
  /// The name of the case; nil if the program is built without names in its reflection metadata.
  package let name: String?
  /// The tag of the case for value witnesses: its position among the records.
  package let tag: UInt32
  /// nil for a case without a payload, and if the runtime does not tell its type.
  package let payload: (any Any.Type)?
  /// Whether there is a payload, even if its type is not known.
  package let hasPayload: Bool
  /// The name for messages, `_` without one.
  package var shownName: String { name ?? "_" }
  /// The payload is in a box.
  package let isIndirect: Bool

  /// All cases of an enum; none for other types, and for enums without cases.
  package static func all(of type: any Any.Type) -> [EnumCase] {
    guard [.enum, .optional].contains(TypeMetadata.kind(of: type)) else { return [] }
    return FieldRecords.of(type).enumerated().map { index, record in
      EnumCase(
        name: record.name, tag: UInt32(index), payload: record.type?.resolved(in: type),
        hasPayload: record.type != nil, isIndirect: record.isIndirect)
    }
  }

  /// The types of the payloads that stand in the enum itself, not in boxes; nil if the runtime does
  /// not tell all of them.
  static func directPayloads(of type: any Any.Type) -> [any Any.Type]? {
    if !TypeMetadata.isReflected(type), hasPayloads(type) { return nil }
    var types: [any Any.Type] = []
    for enumCase in all(of: type) where enumCase.hasPayload && !enumCase.isIndirect {
      guard let payload = enumCase.payload else { return nil }
      types.append(payload)
    }
    return types
  }

  /// Whether cases have payloads. The word after the field descriptor's has the number of cases
  /// with a payload, in 24 bits (`TargetEnumDescriptor`, include/swift/ABI/Metadata.h, Swift 6.3).
  private static func hasPayloads(_ type: any Any.Type) -> Bool {
    guard let descriptor = ContextDescriptor(TypeMetadata.descriptor(of: type)) else {
      return false
    }
    return descriptor.address.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff != 0
  }
}
