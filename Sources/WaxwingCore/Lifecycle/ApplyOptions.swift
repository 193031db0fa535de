// SPDX-License-Identifier: MIT

/// The effect of applied patches on live ones.
package enum Replacement: Sendable {
  /// A patch whose name is live is refused.
  case none
  /// A patch takes the place of the one of its name.
  case sameName
  /// The patches take the place of all.
  case everything
}

/// How patches are applied, and on which conditions.
package struct ApplyOptions: Sendable {
  let replacement: Replacement

  /// How long to wait for calls in those that end.
  let duration: Duration

  /// The expected value of ``PatchSessions/currentID``; nil for any.
  package var ifCurrent: String?

  /// Whether the patches may replace patches with a higher version, or with the same version and
  /// other content.
  package var acceptsAnyVersion = true

  package init(_ replacement: Replacement, waitAtMost duration: Duration) {
    self.replacement = replacement
    self.duration = duration
  }
}
