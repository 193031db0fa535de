// SPDX-License-Identifier: MIT

/// A signature of `ssh-keygen -Y sign`, as OpenSSH's PROTOCOL.sshsig describes it.
struct SSHSignature: Hashable, Sendable {
  /// The hashes that `ssh-keygen` allows.
  enum Hash: String, Hashable, Sendable {
    case sha256, sha512

    func digest(_ bytes: [UInt8]) -> [UInt8] {
      self == .sha256 ? Sodium.sha256(bytes) : Sodium.sha512(bytes)
    }
  }

  private static let begin = Array("-----BEGIN SSH SIGNATURE-----\n".utf8)
  private static let end = Array("\n-----END SSH SIGNATURE-----".utf8)
  private static let preamble = Array("SSHSIG".utf8)

  let key: SSHPublicKey
  let namespace: String
  let hash: Hash
  /// The 64 bytes of the Ed25519 signature.
  let signature: [UInt8]

  /// Reads the file of a signature.
  /// - Throws: `SignatureFault`, also for keys that are not Ed25519's.
  init(armoured text: [UInt8]) throws(SignatureFault) {
    guard text.starts(with: Self.begin) else {
      throw SignatureFault("it does not begin with -----BEGIN SSH SIGNATURE-----")
    }
    let body = text[Self.begin.count...]
    guard let end = Self.firstFooter(in: body) else {
      throw SignatureFault("it has no line -----END SSH SIGNATURE-----")
    }
    guard let blob = Base64.decoded(body[..<end], .openSSH) else {
      throw SignatureFault("the text between its first and last line is not Base64")
    }
    try self.init(blob: blob)
  }

  private init(blob: [UInt8]) throws(SignatureFault) {
    var reader = SSHReader(blob)
    guard reader.bytes(Self.preamble.count) == Self.preamble, let version = reader.number() else {
      throw SignatureFault("its content is not an SSH signature")
    }
    guard version <= 1 else {
      throw SignatureFault(
        "its format has version \(version); this engine knows version 1",
        remedy: "sign with a current `ssh-keygen`, or update the daemon's engine")
    }
    let parts = (reader.string(), reader.name(), reader.string(), reader.name(), reader.string())
    guard case (let keyBlob?, let namespace?, let reserved?, let hash?, let signature?) = parts,
      reader.isAtEnd
    else { throw SignatureFault("its parts are inconsistent") }
    guard reserved.isEmpty else {
      throw SignatureFault("its reserved part is not empty")
    }
    key = try Self.key(keyBlob)
    self.namespace = namespace
    guard let hash = Hash(rawValue: hash) else {
      throw SignatureFault("it uses the hash '\(hash)'; only sha512 and sha256 are supported")
    }
    self.hash = hash
    self.signature = try Self.raw(signature)
  }

  /// The signature itself, which names its type once more.
  private static func raw(_ blob: [UInt8]) throws(SignatureFault) -> [UInt8] {
    var reader = SSHReader(blob)
    guard let type = reader.name(), let signature = reader.string(), reader.isAtEnd else {
      throw SignatureFault("its parts are inconsistent")
    }
    guard type == SSHPublicKey.ed25519, signature.count == Sodium.signatureSize else {
      throw SignatureFault("it contains a signature that its key cannot have made")
    }
    return signature
  }

  private static func key(_ blob: [UInt8]) throws(SignatureFault) -> SSHPublicKey {
    guard let key = SSHPublicKey(blob: blob) else {
      throw SignatureFault("it does not contain a key that this engine knows")
    }
    guard key.ed25519Key != nil else {
      throw SignatureFault(
        "it is made with a key of type \(key.type); only \(SSHPublicKey.ed25519) is accepted",
        remedy: "make a key with `ssh-keygen -t ed25519` and sign with that")
    }
    return key
  }

  /// The start of the first footer. Text after it does not count, as with `ssh-keygen`.
  private static func firstFooter(in text: ArraySlice<UInt8>) -> Int? {
    var start = text.startIndex
    while let place = text[start...].firstIndex(of: end[0]) {
      if text[place...].starts(with: end) { return place }
      start = place + 1
    }
    return nil
  }

  /// Whether the key has signed this message for this purpose.
  func isRight(for message: [UInt8], namespace: String) -> Bool {
    guard let key = key.ed25519Key, namespace == self.namespace else { return false }
    var signed = SSHWriter()
    signed.put(Self.preamble)
    signed.putString(Array(namespace.utf8))
    signed.putString([])  // reserved
    signed.putString(Array(hash.rawValue.utf8))
    signed.putString(hash.digest(message))
    return Sodium.verify(signature: signature, of: signed.bytes, by: key)
  }
}
