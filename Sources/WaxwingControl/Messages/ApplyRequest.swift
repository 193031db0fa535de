// SPDX-License-Identifier: MIT

/// Asks for patches to be loaded, all or none.
package struct ApplyRequest: Hashable, Sendable, Codable {
  /// One patch.
  package struct Patch: Hashable, Sendable, Codable {
    /// The patch's files, the main file first.
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

    /// Whether the patches are live again after a restart.
    package var keeps: Bool

    /// The seconds after which the patches end unless they are confirmed; nil for no trial.
    package var trialSeconds: Double?

    /// The expected value of ``DaemonInfo/current``, so that nothing has changed since the client
    /// looked; nil for any.
    package var ifCurrent: String?

    /// Whether a patch may take the place of one of its name that has a higher version, or the same version
    /// and other content.
    package var acceptsAnyVersion = false

    /// The calls that the patches take part in; nil for all.
    package var selection: SelectionPayload?

    /// Creates options.
    package init(
      waitSeconds: Double = 10, replacesAll: Bool = false, keeps: Bool = false,
      trialSeconds: Double? = nil, ifCurrent: String? = nil, acceptsAnyVersion: Bool = false,
      selection: SelectionPayload? = nil
    ) {
      self.selection = selection
      self.ifCurrent = ifCurrent
      self.acceptsAnyVersion = acceptsAnyVersion
      self.waitSeconds = waitSeconds
      self.replacesAll = replacesAll
      self.keeps = keeps
      self.trialSeconds = trialSeconds
    }

    /// Reads the form on the wire; a tool of another version may leave fields out.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      waitSeconds = try container.decodeIfPresent(Double.self, forKey: .waitSeconds) ?? 10
      replacesAll = try container.decodeIfPresent(Bool.self, forKey: .replacesAll) ?? false
      keeps = try container.decodeIfPresent(Bool.self, forKey: .keeps) ?? false
      trialSeconds = try container.decodeIfPresent(Double.self, forKey: .trialSeconds)
      ifCurrent = try container.decodeIfPresent(String.self, forKey: .ifCurrent)
      acceptsAnyVersion =
        try container.decodeIfPresent(Bool.self, forKey: .acceptsAnyVersion) ?? false
      selection = try container.decodeIfPresent(SelectionPayload.self, forKey: .selection)
    }

    private enum CodingKeys: String, CodingKey {
      case waitSeconds, replacesAll, keeps, trialSeconds, ifCurrent, acceptsAnyVersion,
        selection
    }

    /// Writes the form on the wire.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(waitSeconds, forKey: .waitSeconds)
      try container.encode(replacesAll, forKey: .replacesAll)
      if keeps { try container.encode(keeps, forKey: .keeps) }
      try container.encodeIfPresent(trialSeconds, forKey: .trialSeconds)
      try container.encodeIfPresent(ifCurrent, forKey: .ifCurrent)
      if acceptsAnyVersion { try container.encode(true, forKey: .acceptsAnyVersion) }
      try container.encodeIfPresent(selection, forKey: .selection)
    }
  }
}
