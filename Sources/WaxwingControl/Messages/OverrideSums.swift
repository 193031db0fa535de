// SPDX-License-Identifier: MIT

/// The overrides of a patch, added up.
package struct OverrideSums: Hashable, Sendable, Codable {
  /// The number of overrides.
  package private(set) var overrides = 0
  /// Calls that went into one of them.
  package private(set) var calls: UInt64 = 0
  /// Calls in which one failed.
  package private(set) var errors: UInt64 = 0
  /// Calls that the original answered because an override failed or was switched off.
  package private(set) var fallbacks: UInt64 = 0
  /// The number of overrides that were switched off.
  package private(set) var switchedOff = 0

  package init(overrides: Int, calls: UInt64, errors: UInt64, fallbacks: UInt64, switchedOff: Int) {
    self.overrides = overrides
    self.calls = calls
    self.errors = errors
    self.fallbacks = fallbacks
    self.switchedOff = switchedOff
  }

  /// Adds some overrides up.
  package init(of overrides: [OverrideStatus]) {
    self.overrides = overrides.count
    // Counters come off a socket: their sum may not fit.
    for override in overrides {
      calls &+= override.calls
      errors &+= override.errors
      fallbacks &+= override.fallbacks
      switchedOff += override.switchedOff == nil ? 0 : 1
    }
  }
}

extension PatchStatus {
  /// The sums over all of its overrides, listed or not.
  package var total: OverrideSums { sums ?? OverrideSums(of: overrides) }
}
