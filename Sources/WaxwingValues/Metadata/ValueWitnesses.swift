// SPDX-License-Identifier: MIT

/// The part of a type's value witness table that no standard API shows.
///
///     metadata[-1] -> { 8 functions, size, stride, flags: UInt32, extra inhabitants: UInt32,
///                       of enums: getEnumTag, destructiveProjectEnumData, destructiveInjectEnumTag }
///
/// The functions have C's calling convention and take the metadata last. include/swift/ABI/
/// MetadataValues.h and ValueWitness.def, Swift 6.3; measured with enums of every layout: the tag is
/// the position of the case among the field descriptor's records.
package struct ValueWitnesses {
  private typealias Copy =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer) ->
    UnsafeMutableRawPointer
  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias InPlace = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  private typealias Inject =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  private static let word = MemoryLayout<Int>.size
  private static let flagsOffset = 10 * word
  private static let alignment: UInt32 = 0xff
  private static let isNonTrivial: UInt32 = 0x0001_0000
  private static let isNonInline: UInt32 = 0x0002_0000
  private static let isNonBitwiseTakable: UInt32 = 0x0010_0000
  private static let isNonCopyable: UInt32 = 0x0080_0000

  private static let sizeOffset = 8 * word
  private static let extraInhabitantsOffset = flagsOffset + 4

  private let metadata: UnsafeRawPointer
  private let table: UnsafeRawPointer
  private let flags: UInt32

  package init(of type: any Any.Type) {
    metadata = TypeMetadata.pointer(to: type)
    table = (metadata - Self.word).load(as: UnsafeRawPointer.self)
    flags = (table + Self.flagsOffset).load(as: UInt32.self)
  }

  /// Whether values are nothing but their bytes.
  package var isTrivial: Bool { flags & Self.isNonTrivial == 0 }

  /// Whether copying the bytes moves a value.
  package var isBitwiseTakable: Bool { flags & Self.isNonBitwiseTakable == 0 }

  /// Bytes that one value takes.
  package var size: Int { (table + Self.sizeOffset).load(as: Int.self) }

  /// How many patterns of bits are no values.
  var extraInhabitants: UInt32 {
    (table + Self.extraInhabitantsOffset).load(as: UInt32.self)
  }

  /// Whether both types have one table.
  func isSame(as other: ValueWitnesses) -> Bool { table == other.table }

  /// Whether an existential's buffer holds values, rather than a reference to them.
  package var isInline: Bool { flags & Self.isNonInline == 0 }

  /// The alignment less one.
  package var alignmentMask: Int { Int(flags & Self.alignment) }

  /// Whether values can be copied: not those of `~Copyable` types.
  package var isCopyable: Bool { flags & Self.isNonCopyable == 0 }

  /// Initializes `target` with a copy of the value at `source`, and touches no padding that the
  /// source's type does not copy itself: a copy by way of a temporary would bring along what was in
  /// the temporary's.
  package func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    _ = function(2, as: Copy.self)(target, source, metadata)
  }

  /// Initializes `target` with the value at `source`, which is uninitialized memory afterwards.
  /// That is more than copying the bytes if the value depends on its address: a C++ object may
  /// point into itself.
  package func take(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    _ = function(4, as: Copy.self)(target, source, metadata)
  }

  /// Deinitializes the value at `target`.
  package func destroy(_ target: UnsafeMutableRawPointer) {
    function(1, as: InPlace.self)(target, metadata)
  }

  // MARK: Enums only

  /// The tag of the case that the value is.
  func enumTag(of value: UnsafeRawPointer) -> UInt32 {
    function(11, as: GetTag.self)(value, metadata)
  }

  /// Leaves only the payload, at the start of the value's memory.
  func projectPayload(of value: UnsafeMutableRawPointer) {
    function(12, as: InPlace.self)(value, metadata)
  }

  /// Makes the memory, which begins with the case's payload, a value of the enum.
  func injectTag(_ tag: UInt32, into value: UnsafeMutableRawPointer) {
    function(13, as: Inject.self)(value, tag, metadata)
  }

  private func function<Function>(_ index: Int, as: Function.Type) -> Function {
    unsafeBitCast((table + index * Self.word).load(as: UnsafeRawPointer.self), to: Function.self)
  }
}
