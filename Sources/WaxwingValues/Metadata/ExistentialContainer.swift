// SPDX-License-Identifier: MIT

/// The memory of a value of an existential type that is not class-bound.
///
///     container -> { buffer: 3 words, type, witness tables … }
///
/// A value that does not fit the buffer, or cannot be moved by copying its bytes, is in a box:
/// the buffer's first word refers to it, and the value stands behind the object's header of two
/// words, aligned as its type wants it (`TargetOpaqueExistentialContainer::projectValue`,
/// include/swift/ABI/Metadata.h, Swift 6.3).
package struct ExistentialContainer {
  private static let typeOffset = 3 * MemoryLayout<Int>.size
  private static let headerSize = 2 * MemoryLayout<Int>.size

  /// The dynamic type of the value.
  package let type: any Any.Type
  package let value: UnsafeRawPointer

  package init(_ container: UnsafeRawPointer) {
    type = TypeMetadata.type(
      at: container.load(fromByteOffset: Self.typeOffset, as: UnsafeRawPointer.self))
    let witnesses = ValueWitnesses(of: type)
    if witnesses.isInline {
      value = container
    } else {
      let mask = witnesses.alignmentMask
      let box = container.load(as: UnsafeRawPointer.self)
      value = box + ((Self.headerSize + mask) & ~mask)
    }
  }
}
