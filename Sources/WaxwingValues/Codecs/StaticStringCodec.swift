// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingLua

/// `StaticString`: a proxy, so that the program gets back what it has passed. From Lua also a string.
/// Unchecked: immutable, like every codec.
final class StaticStringCodec: StructCodec<StaticString>, @unchecked Sendable {
  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    guard reader.peeked.isString else { return try super.read(&reader, into: target) }
    let value = reader.read()
    guard let text = reader.string(value) else { throw mismatch(value, reader) }
    guard let made = StaticText.of(text) else {
      throw ConversionError(
        expected: "StaticString",
        found:
          "one text more: all that are made live as long as the program, and may have 1 MiB together"
      )
    }
    target.initializeMemory(as: StaticString.self, to: made)
  }
}

/// Static strings that are in no source. Nothing tells how long the program keeps one, so their
/// bytes are never freed: equal texts are kept once, and all of them together may have
/// ``mostBytes``.
package enum StaticText {
  /// The greatest length, 1 MiB.
  private static let mostBytes = 1 << 20

  private struct Kept {
    var starts: [String: UInt] = [:]
    var bytes = 0
  }

  private static let kept = Mutex(Kept())

  /// - Returns: nil: the limit is reached, or the runtime lays such strings out in another way.
  package static func of(_ text: String) -> StaticString? {
    let count = text.utf8.count
    let start = kept.withLock { kept -> UInt? in
      if let start = kept.starts[text] { return start }
      guard kept.bytes + count <= mostBytes else { return nil }
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 1)
      for (index, byte) in text.utf8.enumerated() { memory[index] = byte }
      memory[count] = 0
      kept.starts[text] = UInt(bitPattern: memory)
      kept.bytes += count
      return UInt(bitPattern: memory)
    }
    return start.flatMap { string(at: $0, count, isASCII: text.utf8.allSatisfy { $0 < 0x80 }) }
  }

  /// stdlib/public/core/StaticString.swift, a frozen type: the address, the number of bytes, and flags, of which 2
  /// stands for ASCII.
  private static func string(at start: UInt, _ count: Int, isASCII: Bool) -> StaticString? {
    guard MemoryLayout<StaticString>.size == 17 else { return nil }
    let memory = UnsafeMutablePointer<StaticString>.allocate(capacity: 1)
    defer { memory.deallocate() }
    let raw = UnsafeMutableRawPointer(memory)
    raw.storeBytes(of: start, as: UInt.self)
    raw.storeBytes(of: count, toByteOffset: 8, as: Int.self)
    raw.storeBytes(of: isASCII ? 2 : 0, toByteOffset: 16, as: UInt8.self)
    let made = memory.pointee
    guard made.hasPointerRepresentation, UInt(bitPattern: made.utf8Start) == start,
      made.utf8CodeUnitCount == count, made.isASCII == isASCII
    else { return nil }
    return made
  }
}
