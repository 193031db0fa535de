// SPDX-License-Identifier: MIT

/// Tells what machine code refers to, without decoding it.
package enum CodeReferences {
  /// Whether an instruction in the range calls, jumps to or loads an address: x86_64 has the distance from
  /// its own end in four bytes, wherever they are in it.
  package static func lead(from code: Range<UInt>, to address: UInt) -> Bool {
    guard code.count >= 4, let start = UnsafeRawPointer(bitPattern: code.lowerBound)
    else { return false }
    return (0...(code.count - 4)).contains { offset in
      let distance = start.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      return code.lowerBound &+ UInt(offset) &+ 4 &+ UInt(bitPattern: Int(distance)) == address
    }
  }
}
