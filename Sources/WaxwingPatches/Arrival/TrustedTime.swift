// SPDX-License-Identifier: MIT

/// The time by which validity and expiry are judged. A clock that is set back does not bring back what
/// has expired; one that leaps is not believed.
package struct TrustedTime: Hashable, Sendable {
  /// The jump above which a clock is considered wrong: ten years.
  package static let insaneJump = 10 * 365 * 86_400

  /// The time in seconds since 1970.
  package let seconds: Int

  /// Whether the clock was not believed: the time is the last that was seen.
  package let isClockInsane: Bool

  /// - Parameters:
  ///   - now: The time of the system's clock.
  ///   - lastSeen: The latest time that was ever seen; nil if none is known.
  package init(now: Int, lastSeen: Int?) {
    guard let lastSeen else {
      (seconds, isClockInsane) = (now, false)
      return
    }
    let (jump, overflow) = now.subtractingReportingOverflow(lastSeen)
    isClockInsane = jump > Self.insaneJump || (overflow && now > 0)
    seconds = isClockInsane ? lastSeen : max(now, lastSeen)
  }

  /// The time now, which the floors remember if it is sane.
  package init(now: Int, _ floors: any RollbackProtection) {
    self.init(now: now, lastSeen: floors.lastSeen)
    if !isClockInsane { floors.see(seconds) }
  }
}
