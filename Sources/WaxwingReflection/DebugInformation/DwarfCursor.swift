// SPDX-License-Identifier: MIT

/// Reads numbers from debugging information, which is not trusted: bytes after the end read as 0,
/// and mark the cursor as damaged. Safe: it never reads after `end`, and `DwarfSections` lends the
/// bytes.
@safe
struct DwarfCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private(set) var isDamaged = false
  let end: Int

  /// - Parameter range: A part of the bytes; what reaches beyond them is cut off.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    unsafe self.bytes = unsafe bytes
    end = min(max(range.upperBound, 0), bytes.count)
    position = min(max(range.lowerBound, 0), end)
    if range.upperBound > bytes.count { isDamaged = true }
  }

  var isAtEnd: Bool { position >= end }

  mutating func skip(_ count: Int) {
    guard count >= 0, count <= end - position else { return fail() }
    position += count
  }

  mutating func skip(_ count: UInt64) {
    guard count <= UInt64(end - position) else { return fail() }
    position += Int(count)
  }

  /// A little-endian number of 1, 2, 3, 4 or 8 bytes.
  mutating func number(_ size: Int) -> UInt64 {
    guard size <= end - position else {
      fail()
      return 0
    }
    var value: UInt64 = 0
    switch size {
    case 1: value = unsafe UInt64(bytes[position])
    case 2: value = UInt64(load(UInt16.self))
    case 4: value = UInt64(load(UInt32.self))
    case 8: value = load(UInt64.self)
    default:
      for index in 0..<size { unsafe value |= UInt64(bytes[position + index]) << (8 * index) }
    }
    position += size
    return value
  }

  /// An unsigned LEB128 number; bits above the 64th are dropped.
  mutating func variable() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = unsafe bytes[position]
      position += 1
      if shift < 64 { value |= UInt64(byte & 0x7f) << shift }
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    fail()
    return 0
  }

  /// Skips a zero-terminated string and returns its start.
  mutating func string() -> Int {
    let start = position
    while position < end {
      position += 1
      if unsafe bytes[position - 1] == 0 { return start }
    }
    fail()
    return start
  }

  private func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
    unsafe Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
  }

  private mutating func fail() {
    isDamaged = true
    position = end
  }
}
