// SPDX-License-Identifier: MIT

/// The key that made a signature, of any signer.
package enum SigningKey {
  /// The key of an SSH signature that is right for these files, as `ssh-keygen -l` names it.
  /// - Throws: ``PatchError`` if it is not right, or its key is of a type that daemons refuse.
  package static func fingerprint(
    of signature: PatchFile, for files: [PatchFile]
  ) throws(PatchError) -> String {
    let message = try SignedMessage.bytes(of: files)
    return try SignerLists.sshKey(signature, message).name
  }
}
