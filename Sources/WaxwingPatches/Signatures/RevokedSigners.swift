// SPDX-License-Identifier: MIT

/// The signers whose signatures do not count any more: public keys, one per line, as `ssh-keygen -Y
/// verify -r` takes them, and `minisign RWQ…`, because of which `ssh-keygen` refuses the whole
/// list.
///
/// A line that cannot be read might revoke anything, so it refuses all, as with `ssh-keygen`.
struct RevokedSigners: Sendable {
  let keys: Set<ListedKey>

  /// - Throws: `SignatureFault`, whose message names the line.
  init(_ text: [UInt8]) throws(SignatureFault) {
    guard !text.starts(with: "SSHKRL\n\0".utf8) else {
      throw SignatureFault(
        "it is a binary revocation list; only lists of public keys are supported",
        remedy: "write the revoked public keys into it, one on each line")
    }
    var keys: Set<ListedKey> = []
    let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      var line = KeyListLine(text)
      line.skip(Array(" \t".utf8))
      if line.isBlankOrComment { continue }
      guard let key = line.key() else {
        throw SignatureFault(
          "line \(index + 1) is not a public key, so no patch is accepted",
          remedy: "write one public key on each line; begin comments with #")
      }
      keys.insert(key)
    }
    self.keys = keys
  }
}
