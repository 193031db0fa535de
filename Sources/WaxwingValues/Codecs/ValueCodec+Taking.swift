// SPDX-License-Identifier: MIT

internal import Glibc

// Values that change their place.
extension ValueCodec {
  /// Initializes `target` with the value at `source`, which is uninitialized memory afterwards.
  package func take(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    if isBitwiseTakable {
      target.copyMemory(from: source, byteCount: size)
    } else {
      ValueWitnesses(of: type).take(source, to: target)
    }
  }

  /// Puts two values into each other's place.
  package func swap(_ one: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer) {
    withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: max(alignment, 16)) {
      memory in
      let memory = memory.baseAddress.unsafelyUnwrapped  // not empty
      take(one, to: memory)
      take(other, to: one)
      take(memory, to: other)
    }
  }

  /// Whether two values are the same to the byte. The address of a part of the one is the same as that of
  /// this part of the other: a C++ string points to the text in itself.
  package func isSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    if memcmp(one, other, size) == 0 { return true }
    if isBitwiseTakable { return false }
    let word = MemoryLayout<UInt>.size
    let words = size / word
    for offset in (0..<words).map({ $0 * word }) {
      let first = one.loadUnaligned(fromByteOffset: offset, as: UInt.self)
      let second = other.loadUnaligned(fromByteOffset: offset, as: UInt.self)
      if first == second { continue }
      let place = first &- UInt(bitPattern: one)
      guard place < UInt(size), place == second &- UInt(bitPattern: other) else { return false }
    }
    return memcmp(one + words * word, other + words * word, size - words * word) == 0
  }
}
