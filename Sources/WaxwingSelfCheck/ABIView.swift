// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// The view that canaries have of the process. Tests replace parts of it.
struct ABIView: Sendable {
  /// Everything that is compared goes through this.
  var seen: @Sendable (UInt64) -> UInt64 = { $0 }

  func expect<Number: BinaryInteger>(
    _ what: String, is expected: Number, _ found: Number
  ) throws(ABIMismatch) {
    let expected = UInt64(truncatingIfNeeded: expected)
    let found = seen(UInt64(truncatingIfNeeded: found))
    guard found == expected else {
      throw ABIMismatch("\(what) is \(Self.text(found)) instead of \(Self.text(expected))")
    }
  }

  func expect(_ what: String, is expected: UnsafeRawPointer?, _ found: UnsafeRawPointer?)
    throws(ABIMismatch)
  {
    try expect(what, is: UInt(bitPattern: expected), UInt(bitPattern: found))
  }

  /// - Parameter what: A sentence, for when it does not hold.
  func expect(_ holds: Bool, _ what: String) throws(ABIMismatch) {
    guard seen(holds ? 1 : 0) == 1 else { throw ABIMismatch(what) }
  }

  // MARK: Memory

  /// Compares a number in memory that may not be there.
  func expect<Number: FixedWidthInteger>(
    _ what: String, at base: UnsafeRawPointer, _ offset: Int, is expected: Number
  ) throws(ABIMismatch) {
    try expect("\(what), at offset \(offset),", is: expected, try load(what, base, offset))
  }

  func expect(
    _ what: String, at base: UnsafeRawPointer, _ offset: Int, is expected: UnsafeRawPointer?
  ) throws(ABIMismatch) {
    try expect(what, at: base, offset, is: UInt(bitPattern: expected))
  }

  /// A number from memory that may not be there.
  func load<Number: FixedWidthInteger>(
    _ what: String, _ base: UnsafeRawPointer, _ offset: Int
  ) throws(ABIMismatch) -> Number {
    var number = Number.zero
    let address = UnsafeRawPointer(bitPattern: Int(bitPattern: base) &+ offset)
    guard wax_abi_memory_read(address, &number, MemoryLayout<Number>.size) else {
      throw ABIMismatch("\(what), at offset \(offset), is where there is no memory")
    }
    return number
  }

  /// A pointer from memory, to where there is memory.
  func pointer(
    _ what: String, _ base: UnsafeRawPointer, _ offset: Int
  ) throws(ABIMismatch) -> UnsafeRawPointer {
    let word: UInt = try load(what, base, offset)
    return try readable(what, word)
  }

  /// The target of a relative pointer, where there is memory.
  func relative(
    _ what: String, _ base: UnsafeRawPointer, _ offset: Int
  ) throws(ABIMismatch) -> UnsafeRawPointer {
    let distance: Int32 = try load(what, base, offset)
    return try readable(what, UInt(bitPattern: base + offset) &+ UInt(bitPattern: Int(distance)))
  }

  private func readable(_ what: String, _ word: UInt) throws(ABIMismatch) -> UnsafeRawPointer {
    var byte: UInt8 = 0
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(seen(UInt64(word)))),
      wax_abi_memory_read(pointer, &byte, 1)
    else { throw ABIMismatch("\(what) leads to where there is no memory") }
    return pointer
  }

  private static func text(_ number: UInt64) -> String {
    number < 1000 ? "\(number)" : "0x" + String(number, radix: 16)
  }
}
