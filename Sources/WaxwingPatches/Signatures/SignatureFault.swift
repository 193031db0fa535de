// SPDX-License-Identifier: MIT

/// The fault of a signature or of a line of a key list. The caller that knows the file adds its
/// name.
struct SignatureFault: Error, Hashable, Sendable {
  /// The rest of a sentence that begins with the file: `it has no line …`.
  let message: String
  let remedy: String

  init(_ message: String, remedy: String = "sign the patch again, with `waxwing sign`") {
    self.message = message
    self.remedy = remedy
  }
}
