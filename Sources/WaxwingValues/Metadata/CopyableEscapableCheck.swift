// SPDX-License-Identifier: MIT

/// Whether values of a type can be copied and kept, as generic code expects.
///
/// Instantiating a generic type of ours with one whose values cannot (`Span` is ~Escapable) would
/// abort the process. The runtime checks it without that when it looks a type up by name. Only
/// types that suppress one of the two need to be asked: their context descriptor's flags have bit 5
/// (`ContextDescriptorFlags`, include/swift/ABI/MetadataValues.h, Swift 6.3).
package struct CopyableEscapableCheck<Value> {}

extension CopyableEscapableCheck<Void> {
  package static func holds(_ type: any Any.Type) -> Bool {
    guard ValueWitnesses(of: type).isCopyable else { return false }
    guard let descriptor = ContextDescriptor(TypeMetadata.descriptor(of: type)),
      descriptor.hasInvertibleProtocols
    else { return true }
    return isInstantiable(with: type)
  }

  /// `CopyableEscapableCheck<T>` as the runtime reads it for a context in which `T` is bound. A constant: the
  /// runtime may hold on to the bytes.
  private static let name: [UInt8] = {
    let int = _mangledTypeName(CopyableEscapableCheck<Int>.self) ?? ""
    return int.utf8.dropLast(3) + Array("xG".utf8)  // of `…OrdinaryValueVySiG`
  }()

  private static func isInstantiable(with type: any Any.Type) -> Bool {
    guard let context = TypeMetadata.descriptor(of: CopyableEscapableCheck<Int>.self) else {
      return false
    }
    return name.withUnsafeBufferPointer { name in
      guard let start = name.baseAddress else { return false }
      return withUnsafePointer(to: TypeMetadata.pointer(to: type)) { arguments in
        _getTypeByMangledNameInContext(
          start, UInt(name.count), genericContext: UnsafeRawPointer(bitPattern: context),
          genericArguments: UnsafeRawPointer(arguments)) != nil
      }
    }
  }
}
