// SPDX-License-Identifier: MIT

import CSodium

/// The primitives of signatures, all of Debian's libsodium. None of them knows a secret.
enum Sodium {
  /// libsodium has chosen its implementations for this CPU; false if it could not start.
  static let isReady = sodium_init() >= 0

  static let keySize = 32
  static let signatureSize = 64

  /// Computes a hash. This cannot fail, and needs no `sodium_init`: crypto_hash_sha256 of libsodium
  /// 1.0 is plain C.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }

  static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 64)
    unsafe crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
    return digest
  }

  /// BLAKE2b with 64 bytes, without a key: what minisign hashes files with.
  static func blake2b(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 64)
    unsafe crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    return digest
  }

  /// Whether an Ed25519 signature is right. Keys and points of small order are never right.
  static func verify(signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    guard isReady, signature.count == signatureSize, key.count == keySize else { return false }
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), key) == 0
  }
}
