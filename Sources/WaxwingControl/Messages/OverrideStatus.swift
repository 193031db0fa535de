// SPDX-License-Identifier: MIT

/// One override of a loaded patch.
package struct OverrideStatus: Hashable, Sendable, Codable {
  /// The part of a patch that calls enter.
  package struct Kind: WireWord {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// A function that was assigned.
    package static let override = Kind(rawValue: "override")
    /// Advice in place of the function.
    static let instead = Kind(rawValue: "instead")
    /// All pieces `before` and `after` of the function.
    package static let advice = Kind(rawValue: "advice")
  }

  /// The Swift name with labels, `withdraw(_:memo:)`.
  package let selector: String

  /// The qualified type or module that it belongs to, `Bank.Account`; nil if the selector says it.
  let type: String?

  /// The part of the patch that calls enter.
  package let kind: Kind

  /// The place of the override in the order in which a call reaches the live overrides of the
  /// function, from 1; 0 if the patch has ended.
  package let order: Int

  /// How many live overrides the function has.
  package let stacked: Int

  /// Calls that went into the override.
  package let calls: UInt64

  /// Calls in which it failed.
  package let errors: UInt64

  /// Calls that the original answered because the override failed or was switched off.
  package let fallbacks: UInt64

  /// The last failure; nil if there was none.
  package let lastError: ErrorReport?

  /// The reason why the override was switched off; nil while it is on.
  package var switchedOff: String?

  /// Calls that went to the original without entering Lua; nil: an engine that does not count them.
  package var bypassed: UInt64?

  /// Why they did, each reason once; nil: none did.
  package var bypassReasons: [String]?

  /// How long its calls took, originals included; nil: they were never measured.
  package var times: TimesReport?

  /// How long the originals took that it called; nil as before.
  package var originalTimes: TimesReport?

  /// Creates a status.
  package init(
    selector: String, type: String? = nil, kind: Kind = .override, order: Int = 1,
    stacked: Int = 1, calls: UInt64 = 0, errors: UInt64 = 0,
    fallbacks: UInt64 = 0, lastError: ErrorReport? = nil
  ) {
    self.selector = selector
    self.type = type
    self.kind = kind
    self.order = order
    self.stacked = stacked
    self.calls = calls
    self.errors = errors
    self.fallbacks = fallbacks
    self.lastError = lastError
  }

  /// Type and selector in one name.
  package var qualifiedName: String {
    guard let type, !type.isEmpty else { return selector }
    return "\(type).\(selector)"
  }
}
