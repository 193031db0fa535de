// SPDX-License-Identifier: MIT

/// Says who signed a patch, from its raw bytes and the key lists as they are now.
///
/// The lists are read each time, so that a key that is revoked is so from the next patch on. Used when a
/// patch arrives, and each time that one is loaded from disk. It neither parses nor runs anything of the
/// patch. Costs about 0.1 ms; never called on a thread of the program's own.
package struct PatchVerifier: Hashable, Sendable {
  /// The namespace in which patches are signed.
  package static let namespace = "waxwing-patch"

  /// The most bytes of a signature file.
  package static let signatureLimit = 16 * 1024

  /// The path of the list of those who may sign.
  package let signers: String

  /// The path of the list of keys that are revoked; it need not be there.
  let revoked: String

  /// Names the lists; nothing is read yet.
  package init(signers: String, revoked: String) {
    self.signers = signers
    self.revoked = revoked
  }

  /// Whether there is a list at all, good or bad.
  package var hasSigners: Bool {
    do throws(TrustedFile.Problem) {
      _ = try TrustedFile.read(signers, limit: AllowedSigners.limit)
      return true
    } catch {
      return error != .missing
    }
  }

  /// - Parameter time: Now, in seconds since 1970.
  /// - Throws: ``PatchError`` if there is a signature and it is not right, with the reason.
  package func verify(
    _ bundle: PatchBundle, at time: Int
  ) throws(PatchError) -> PatchVerdict {
    guard bundle.signature != nil else { return .unsigned }
    return .signed(try SignerLists(signers: signers, revoked: revoked).verify(bundle, at: time))
  }
}
