// SPDX-License-Identifier: MIT

/// The part of a type's value witness table that no standard API shows.
///
///     metadata[-1] -> { 8 functions, size, stride, flags: UInt32, extra inhabitants: UInt32 }
///
/// include/swift/ABI/MetadataValues.h, Swift 6.3.
struct ValueWitnesses {
  private static let flagsOffset = 10 * MemoryLayout<Int>.size
  private static let isNonBitwiseTakable: UInt32 = 0x0010_0000

  private let flags: UInt32

  init(of type: any Any.Type) {
    let metadata = TypeMetadata.pointer(to: type)
    let table = (metadata - MemoryLayout<Int>.size).load(as: UnsafeRawPointer.self)
    flags = (table + Self.flagsOffset).load(as: UInt32.self)
  }

  /// Whether copying the bytes moves a value.
  var isBitwiseTakable: Bool { flags & Self.isNonBitwiseTakable == 0 }
}
