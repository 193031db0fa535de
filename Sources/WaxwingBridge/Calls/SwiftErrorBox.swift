// SPDX-License-Identifier: MIT

/// `any Error` as the one word that functions throw: a strong reference to its box.
enum SwiftErrorBox {
  /// Takes over the reference in `word`.
  static func take(_ word: UInt64) -> any Error {
    withUnsafePointer(to: word) {
      UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0))
        .assumingMemoryBound(to: (any Error).self).move()
    }
  }

  /// A reference of its own to the error.
  static func make(_ error: any Error) -> UInt64 {
    let storage = UnsafeMutablePointer<any Error>.allocate(capacity: 1)
    storage.initialize(to: error)
    defer { storage.deallocate() }
    return UnsafeRawPointer(storage).load(as: UInt64.self)
  }
}
