// SPDX-License-Identifier: MIT

/// Asks for a patch to be loaded, all or nothing.
package struct ApplyRequest: Hashable, Sendable, Codable {
  /// The files of one patch, its main file first.
  package let files: [PatchFilePayload]

  /// How to load it.
  package let options: Options

  /// Creates a request.
  package init(files: [PatchFilePayload], options: Options = Options()) {
    self.files = files
    self.options = options
  }

  /// How to load a patch.
  package struct Options: Hashable, Sendable, Codable {
    /// How long to wait for calls inside an older version of the patch that is being replaced.
    package var waitSeconds: Double

    /// Creates options.
    package init(waitSeconds: Double = 10) { self.waitSeconds = waitSeconds }
  }
}
