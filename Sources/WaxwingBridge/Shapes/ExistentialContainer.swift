// SPDX-License-Identifier: MIT

/// `Any` and `any P` in memory, where `P` is not bound to classes. Looked into directly: what casts
/// make of an existential as a generic value may be that existential again.
///
///     { buffer of three words, metadata, witness tables … }
///
/// A value that does not fit into the buffer is in a box, whose reference is in the buffer: behind
/// the box's header of two words, aligned (stdlib/public/runtime/ExistentialContainer.cpp, Swift 6.3).
enum ExistentialContainer {
  private static let metadataOffset = 24
  private static let headerSize = 16

  /// The dynamic type, and where the value is.
  static func contents(of container: UnsafeRawPointer) -> (any Any.Type, UnsafeRawPointer) {
    let type = TypeMetadata.type(
      at: container.load(fromByteOffset: metadataOffset, as: UnsafeRawPointer.self))
    let witnesses = ValueWitnesses(of: type)
    if witnesses.isInline { return (type, container) }
    let mask = witnesses.alignmentMask
    return (
      type, container.load(as: UnsafeRawPointer.self) + ((headerSize + mask) & ~mask)
    )
  }
}
