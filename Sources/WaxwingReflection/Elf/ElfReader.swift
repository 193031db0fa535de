// SPDX-License-Identifier: MIT

/// The bytes of an untrusted image: every load is checked against their end.
struct ElfReader: Sendable {
  let bytes: [UInt8]

  /// The part of the file from `offset` on, `size` bytes long.
  func range(
    offset: UInt64, size: UInt64, part: @autoclosure () -> String
  ) throws(ElfError) -> Range<Int> {
    let end = offset.addingReportingOverflow(size)
    guard !end.overflow, end.partialValue <= UInt64(bytes.count) else {
      throw .truncated(part())
    }
    return Int(offset)..<Int(end.partialValue)
  }

  /// The little-endian integer at `offset`.
  func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type, at offset: UInt64, part: @autoclosure () -> String
  ) throws(ElfError) -> Value {
    let size = UInt64(MemoryLayout<Value>.size)
    let range = try range(offset: offset, size: size, part: part())
    // The range was just checked to lie within the bytes.
    let raw = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Value.self)
    }
    return Value(littleEndian: raw)
  }

  /// The zero-terminated string at `index` of a string table, empty if it does not lie in it.
  func string(at index: UInt64, in table: Range<Int>) -> String {
    guard index < UInt64(table.count) else { return "" }
    let start = table.lowerBound + Int(index)
    let tail = bytes[start..<table.upperBound]
    return String(decoding: tail.prefix { $0 != 0 }, as: UTF8.self)
  }
}
