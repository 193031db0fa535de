// SPDX-License-Identifier: MIT

/// What is known of a patch's origin before anything of it is read. That it is wrong is no verdict but
/// an error.
package enum PatchVerdict: Hashable, Sendable {
  /// This signer has signed exactly these bytes.
  case signed(Signer)
  /// No signature came with it.
  case unsigned
}
