// SPDX-License-Identifier: MIT

/// The origin of a patch, known before anything in the patch is read. A wrong signature is an error
/// instead of a verdict.
package enum PatchVerdict: Hashable, Sendable {
  /// This signer has signed exactly these bytes.
  case signed(Signer)
  /// The patch came without a signature.
  case unsigned
}
