// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// `any Error` as the one word that functions throw: a strong reference to its box.
///
/// Reading the word as the other type is nothing that the optimiser may see through: it takes memory
/// for what it was stored as.
package enum SwiftErrorBox {
  /// What the boxes of errors begin with.
  private static let metadata: UInt = {
    let box = make(CancellationError())
    defer { release(box) }
    return UnsafeRawPointer(bitPattern: UInt(box))?.load(as: UInt.self) ?? 0
  }()

  /// Whether a word, which may be anything, is the address of an error.
  package static func isError(_ word: UInt64) -> Bool {
    wax_abi_word_is(UInt(word), UnsafeRawPointer(bitPattern: metadata))
  }

  /// Takes over the reference in `word`.
  @inline(never)
  package static func take(_ word: UInt64) -> any Error {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { storage in
      storage.storeBytes(of: word, as: UInt64.self)
      return storage.assumingMemoryBound(to: (any Error).self).moveElement(from: 0)
    }
  }

  /// Gives the reference in `word` up.
  package static func release(_ word: UInt64) {
    guard let box = UnsafeMutableRawPointer(bitPattern: UInt(word)) else { return }
    ObjectReference.release(box)
  }

  /// A reference of its own to the error.
  @inline(never)
  package static func make(_ error: any Error) -> UInt64 {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { storage in
      storage.initializeMemory(as: (any Error).self, repeating: error)
      return storage.load(as: UInt64.self)
    }
  }
}
