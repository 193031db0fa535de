// SPDX-License-Identifier: MIT

/// A part of a value's memory and the place in a frame where it travels.
package struct LoweredPiece: Hashable, Sendable {
  package enum Bank: Hashable, Sendable {
    /// `integer` of a frame for arguments, `integer_result` for results.
    case integer
    /// `vector` of a frame for arguments, `vector_result` for results.
    case vector
    /// The caller's stack arguments; `index` counts 8-byte words.
    case stack
    /// The self register.
    case selfRegister
  }

  package var bank: Bank
  package var index: Int
  /// Where in the value's memory the piece begins.
  package var byteOffset: Int
  /// The number of bytes of the piece. It never reaches beyond the value; the register's further
  /// bytes are zero or undefined.
  package var byteCount: Int

  package init(bank: Bank, index: Int, byteOffset: Int, byteCount: Int) {
    self.bank = bank
    self.index = index
    self.byteOffset = byteOffset
    self.byteCount = byteCount
  }
}
