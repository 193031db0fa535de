// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `ArraySlice`, `ContiguousArray`: tables by copy, as arrays.
/// Unchecked: immutable, like every codec.
final class SequenceCodec<Sequence: RangeReplaceableCollection>: TypedCodec<Sequence>,
  @unchecked Sendable
{
  private let elements: ArrayCodec<Sequence.Element>

  init(_ element: ValueCodec) {
    elements = ArrayCodec(element)
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let array = Array(source.assumingMemoryBound(to: Sequence.self).pointee)
    withUnsafePointer(to: array) { elements.push($0, writer) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let array = UnsafeMutablePointer<[Sequence.Element]>.allocate(capacity: 1)
    defer { array.deallocate() }
    try elements.read(&reader, into: array)
    target.initializeMemory(as: Sequence.self, to: Sequence(array.move()))
  }

  /// Slices have indices of their own, too.
  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let sequence = source.assumingMemoryBound(to: Sequence.self).pointee
    return sequence.withContiguousStorageIfAvailable { elements.matches(&reader, $0) }
      ?? Array(sequence).withUnsafeBufferPointer { elements.matches(&reader, $0) }
  }
}

/// `Data` and other collections of bytes: a Lua string of exactly these bytes. From Lua a table of
/// integers will do as well.
/// Unchecked: immutable, like every codec.
final class ByteCollectionCodec<Bytes: RangeReplaceableCollection>: TypedCodec<Bytes>,
  @unchecked Sendable
where Bytes.Element == UInt8 {
  private let bytes = BytesCodec()

  override var hasPlainKeys: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let value = source.assumingMemoryBound(to: Bytes.self).pointee
    if value.withContiguousStorageIfAvailable({ writer.bytes(UnsafeRawBufferPointer($0)) }) == nil {
      Array(value).withUnsafeBytes { writer.bytes($0) }
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let array = UnsafeMutablePointer<[UInt8]>.allocate(capacity: 1)
    defer { array.deallocate() }
    do throws(ConversionError) {
      try bytes.read(&reader, into: array)
    } catch {
      throw error.expecting(typeName)
    }
    target.initializeMemory(as: Bytes.self, to: Bytes(array.move()))
  }

  /// `Data` may be a slice of other `Data`, too.
  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard value.isString else { return false }
    let found = reader.bytes(of: value)
    let bytes = source.assumingMemoryBound(to: Bytes.self).pointee
    return bytes.withContiguousStorageIfAvailable { found.isSame(as: $0) }
      ?? found.elementsEqual(bytes)
  }
}

/// Foundation's `Data`, which the engine does not link: recognised by name, made and read through
/// its conformances.
enum ByteCollection {
  private static let names: Set<String> = ["Foundation.Data", "FoundationEssentials.Data"]

  static func codec(for type: any Any.Type) -> ValueCodec? {
    guard names.contains(TypeName.full(type)) else { return nil }
    func make<Bytes: RangeReplaceableCollection<UInt8>>(_: Bytes.Type) -> ValueCodec {
      ByteCollectionCodec<Bytes>()
    }
    guard let bytes = type as? any RangeReplaceableCollection<UInt8>.Type else { return nil }
    return make(bytes)
  }
}
