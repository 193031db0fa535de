// SPDX-License-Identifier: MIT

/// The signer of a patch, as a signature has proved.
package struct Signer: Hashable, Sendable {
  /// The tool that made the signature.
  package enum Format: String, Hashable, Sendable {
    /// A signature of `ssh-keygen -Y sign`.
    case ssh
    /// A signature of `minisign -S`.
    case minisign
  }

  /// The name that the key list has for the key.
  package let identity: String

  /// The key: `SHA256:…`, as `ssh-keygen -l` prints it, or the whole public key of minisign, `RWQ…`.
  package let key: String

  /// The tool that made the signature.
  package let format: Format

  /// Creates a signer; only what has verified a signature does.
  package init(identity: String, key: String, format: Format) {
    self.identity = identity
    self.key = key
    self.format = format
  }
}
