// SPDX-License-Identifier: MIT

/// Whether values of a type can be copied and kept, as generic code expects.
///
/// Instantiating a generic type of ours with one whose values cannot (`Span` is ~Escapable) would
/// abort the process. The runtime checks it without that when it looks a type up by name. Only
/// types that suppress one of the two need to be asked: their context descriptor's flags have bit 5
/// (`ContextDescriptorFlags`, include/swift/ABI/MetadataValues.h, Swift 6.3).
struct OrdinaryValue<Value> {
  private static var hasInvertibleProtocols: UInt32 { 0x20 }
}

extension OrdinaryValue<Void> {
  static func holds(_ type: any Any.Type) -> Bool {
    guard ValueWitnesses(of: type).isCopyable else { return false }
    guard let address = TypeMetadata.descriptor(of: type),
      let flags = UnsafeRawPointer(bitPattern: address)?.load(as: UInt32.self),
      flags & hasInvertibleProtocols != 0
    else { return true }
    guard let own = _mangledTypeName(OrdinaryValue<Int>.self), let name = _mangledTypeName(type)
    else { return false }
    // `…OrdinaryValueVySiG`: another argument in the place of `Si`.
    return _typeByName(own.dropLast(3) + name + "G") != nil
  }
}
