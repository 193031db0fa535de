// SPDX-License-Identifier: MIT

internal import WaxwingLua

/// `AnyHashable`: what it holds, as `Any` would have it.
/// Unchecked: immutable, like every codec.
final class AnyHashableCodec: TypedCodec<AnyHashable>, @unchecked Sendable {
  private let base = ExistentialCodec<Any>()

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    withUnsafePointer(to: source.assumingMemoryBound(to: AnyHashable.self).pointee.base) {
      base.push($0, writer)
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let start = reader
    guard let value = try DynamicValue.read(&reader) as? AnyHashable else {
      throw ConversionError(
        expected: typeName,
        found: ValueDescription.of(start.peeked, start) + ", which is not Hashable")
    }
    target.initializeMemory(as: AnyHashable.self, to: value)
  }

  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    withUnsafePointer(to: source.assumingMemoryBound(to: AnyHashable.self).pointee.base) {
      base.matches(&reader, $0)
    }
  }
}
