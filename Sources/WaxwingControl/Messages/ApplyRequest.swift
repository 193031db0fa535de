// SPDX-License-Identifier: MIT

/// Asks for patches to be loaded, all or none.
package struct ApplyRequest: Hashable, Sendable, Codable {
  /// One patch.
  package struct Patch: Hashable, Sendable, Codable {
    /// Its files, the main file first.
    package let files: [PatchFilePayload]

    /// The signature, in a file whose name tells its format; nil: it is not signed.
    package let signature: PatchFilePayload?

    /// Creates a patch.
    package init(files: [PatchFilePayload], signature: PatchFilePayload? = nil) {
      self.files = files
      self.signature = signature
    }
  }

  /// The patches, the newest last.
  package let patches: [Patch]

  /// How to load them.
  package let options: Options

  /// Creates a request.
  package init(patches: [Patch], options: Options = Options()) {
    self.patches = patches
    self.options = options
  }

  /// How to load patches.
  package struct Options: Hashable, Sendable, Codable {
    /// How long to wait for calls inside patches that are being replaced.
    package var waitSeconds: Double

    /// Whether the patches take the place of all that are live, and not only of those of the same
    /// names.
    package var replacesAll: Bool

    /// Creates options.
    package init(waitSeconds: Double = 10, replacesAll: Bool = false) {
      self.waitSeconds = waitSeconds
      self.replacesAll = replacesAll
    }
  }
}
