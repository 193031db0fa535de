// SPDX-License-Identifier: MIT

/// The outcome of an apply of which nothing has gone live.
package struct CheckReport: Hashable, Sendable, Codable {
  /// The outcome for one patch.
  package struct Checked: Hashable, Sendable, Codable {
    /// The manifest's name, or the file's.
    package let name: String

    /// The manifest's version, 0 without one.
    package let version: Int

    /// The version of the patch of the same name that it would take the place of; nil: there is none.
    package let replacedVersion: Int?

    /// Whether the very same patch is live, so that nothing would be done.
    package let isUnchanged: Bool

    /// The overrides that the patch would install, in the order of the script.
    package let overrides: [Override]

    /// The methods that it would add to types, by their whole names.
    package let methods: [String]

    /// The modules that the patch would wait for; its overrides there are not known.
    package let awaitedModules: [String]

    /// Warnings for the author, although the patch would go live.
    package let warnings: [String]

    /// Creates a part of a report.
    package init(
      name: String, version: Int, replacedVersion: Int? = nil, isUnchanged: Bool = false,
      overrides: [Override], methods: [String] = [], awaitedModules: [String] = [],
      warnings: [String] = []
    ) {
      self.name = name
      self.version = version
      self.replacedVersion = replacedVersion
      self.isUnchanged = isUnchanged
      self.overrides = overrides
      self.methods = methods
      self.awaitedModules = awaitedModules
      self.warnings = warnings
    }
  }

  /// A function that a patch would override.
  package struct Override: Hashable, Sendable, Codable {
    /// Type and selector in one name, `bankd.Account.withdraw(_:memo:)`.
    package let name: String

    /// The part of the patch that calls would enter.
    package let kind: OverrideStatus.Kind

    /// Where the script declares it: `overdraft.lua:6`; empty if that is not known.
    package let place: String

    /// The live patches that override the function and would stay, the first that a call comes to first.
    package let others: [String]

    /// Creates a description.
    package init(name: String, kind: OverrideStatus.Kind, place: String, others: [String] = []) {
      self.name = name
      self.kind = kind
      self.place = place
      self.others = others
    }
  }

  /// The patches, in the order in which they were sent.
  package let checked: [Checked]

  /// The live patches that would end, and that no newer version takes the place of.
  package let endedPatches: [String]

  /// Creates a report.
  package init(checked: [Checked], endedPatches: [String] = []) {
    self.checked = checked
    self.endedPatches = endedPatches
  }
}
