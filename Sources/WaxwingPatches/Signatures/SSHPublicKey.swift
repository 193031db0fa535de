// SPDX-License-Identifier: MIT

/// A public key as SSH writes it. Only Ed25519's can verify; of the others the type is known.
struct SSHPublicKey: Hashable, Sendable {
  static let ed25519 = "ssh-ed25519"

  /// The names that OpenSSH 9.2 accepts as a key's type in a key list.
  static let types: Set<String> = [
    ed25519, "ssh-rsa", "ssh-dss", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
    "webauthn-sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-256", "rsa-sha2-512",
    "ssh-ed25519-cert-v01@openssh.com", "ssh-rsa-cert-v01@openssh.com",
    "ssh-dss-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com",
    "sk-ssh-ed25519-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "rsa-sha2-256-cert-v01@openssh.com", "rsa-sha2-512-cert-v01@openssh.com",
  ]

  /// The number of parts after the type. For certificates only the type is read.
  private static let partCounts = [
    "ssh-rsa": 2, "ssh-dss": 4, "ecdsa-sha2-nistp256": 2, "ecdsa-sha2-nistp384": 2,
    "ecdsa-sha2-nistp521": 2, "sk-ssh-ed25519@openssh.com": 2,
    "sk-ecdsa-sha2-nistp256@openssh.com": 3,
  ]

  let type: String

  /// The whole key on the wire.
  let blob: [UInt8]

  /// The 32 bytes of an Ed25519 key; nil of any other.
  let ed25519Key: [UInt8]?

  /// Nil if the bytes are no key.
  init?(blob: [UInt8]) {
    var reader = SSHReader(blob)
    guard let type = reader.name(), Self.types.contains(type) else { return nil }
    self.type = type
    self.blob = blob
    guard type == Self.ed25519 else {
      ed25519Key = nil
      guard let count = Self.partCounts[type] else { return }
      for _ in 0..<count where reader.string() == nil { return nil }
      guard reader.isAtEnd else { return nil }
      return
    }
    guard let key = reader.string(), key.count == Sodium.keySize, reader.isAtEnd else { return nil }
    ed25519Key = key
  }

  /// `SHA256:…`, as `ssh-keygen -l` prints it.
  var fingerprint: String { "SHA256:" + Base64.encoded(Sodium.sha256(blob)) }
}
