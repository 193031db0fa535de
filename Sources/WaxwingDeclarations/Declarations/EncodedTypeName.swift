// SPDX-License-Identifier: MIT

/// A type's name for `swift_getTypeByMangledNameInContext`, with pointers to the descriptors of
/// types that no name tells: private and local ones.
package struct EncodedTypeName: Hashable, Sendable {
  /// The name and the pointers that it refers to, to be copied to memory aligned for a pointer and
  /// kept there unmoved: references are relative.
  package let bytes: [UInt8]
  /// How many of the bytes are the name: what the runtime is told as its length.
  package let nameLength: Int
}
