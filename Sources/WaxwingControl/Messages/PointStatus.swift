// SPDX-License-Identifier: MIT

/// The treatment of one function's calls: the pieces of patches that run, and the original.
package struct PointStatus: Hashable, Sendable, Codable {
  /// A piece of Lua that calls come through.
  package struct Step: Hashable, Sendable, Codable {
    /// The time at which a piece runs.
    package struct Kind: WireWord {
      package let rawValue: String

      package init(rawValue: String) { self.rawValue = rawValue }

      /// The piece runs in place of the function, to which it was assigned.
      package static let override = Kind(rawValue: "override")
      /// The piece runs in place of the function, as advice.
      static let instead = Kind(rawValue: "instead")
      /// The piece runs before the function.
      static let before = Kind(rawValue: "before")
      /// The piece runs after the function.
      package static let after = Kind(rawValue: "after")
    }

    /// The name of the patch.
    package let patch: String

    /// The version of the patch.
    package let version: Int

    /// When the piece runs.
    package let kind: Kind

    /// Where the patch declares it, `overdraft.lua:12`.
    package let place: String

    /// The restrictions of the piece: `once`, `one object`, …
    package let limits: [String]

    /// Calls that came to it.
    package let calls: UInt64

    /// Calls in which it failed.
    package let errors: UInt64

    /// The last failure; nil if there was none.
    package let lastError: ErrorReport?

    /// How long calls took, originals included; nil: they were never measured. All `before` and `after`
    /// of a patch are one override: its first step has the times.
    package var times: TimesReport?

    /// How long the originals took that it called; nil as before.
    package var originalTimes: TimesReport?

    /// Creates a step.
    package init(
      patch: String, version: Int, kind: Kind, place: String, limits: [String] = [],
      calls: UInt64 = 0, errors: UInt64 = 0, lastError: ErrorReport? = nil
    ) {
      self.patch = patch
      self.version = version
      self.kind = kind
      self.place = place
      self.limits = limits
      self.calls = calls
      self.errors = errors
      self.lastError = lastError
    }
  }

  /// The function's name, such as `Bank.Account.withdraw(_:memo:)`.
  package let name: String

  /// The pieces in the order in which a call reaches them.
  package let steps: [Step]

  /// The file whose code the original is.
  package let image: String

  /// Where in that file: the address that its symbol table has.
  package let offset: UInt64

  /// Whether the function's replacement entry holds its baseline word.
  package let isAtBaseline: Bool

  /// Where a closure is written, `Routes.swift:42`; nil if nothing tells.
  package var source: String?

  /// The variables that a closure has captured; nil if there are none, or nothing tells.
  package var captures: String?

  /// Creates a status.
  package init(
    name: String, steps: [Step], image: String, offset: UInt64, isAtBaseline: Bool
  ) {
    self.name = name
    self.steps = steps
    self.image = image
    self.offset = offset
    self.isAtBaseline = isAtBaseline
  }
}
