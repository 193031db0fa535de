// SPDX-License-Identifier: MIT

/// Says when an override has failed too often. It stays so: code does not heal.
package struct Breaker: Sendable {
  /// How often is too often.
  package struct Limits: Hashable, Sendable {
    /// The number of failures within `seconds` that switches an override off.
    var faults: Int
    /// The seconds within which `faults` failures switch an override off.
    var seconds: Int
    /// The number of calls in a row of which half must fail to switch an override off.
    var calls: Int

    package init(faults: Int = 5, seconds: Int = 60, calls: Int = 20) {
      self.faults = faults
      self.seconds = seconds
      self.calls = calls
    }
  }

  private struct Fault {
    let at: ContinuousClock.Instant
    let call: Int
  }

  private let limits: Limits
  /// The newest last, as many as can matter.
  private var faults: [Fault] = []
  /// Why the override is off; nil: it is not.
  private(set) var reason: String?

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Says it without any failure.
  /// - Returns: False: it has been said already.
  mutating func open(_ reason: String) -> Bool {
    guard self.reason == nil else { return false }
    self.reason = reason
    return true
  }

  /// Notes a failure.
  /// - Parameter call: The number of the call that failed, among all that came.
  /// - Returns: Why the override is to be switched off now; nil: it is not, or is already.
  mutating func record(
    call: Int, at now: ContinuousClock.Instant = .now
  ) -> String? {
    guard reason == nil, limits.faults > 0 else { return nil }
    faults.append(Fault(at: now, call: call))
    let half = max((limits.calls + 1) / 2, 1)
    if faults.count > max(limits.faults, half) { faults.removeFirst() }
    let recent = faults.count { now - $0.at <= .seconds(limits.seconds) }
    let last = faults.count { $0.call > call - limits.calls }
    if recent >= limits.faults {
      reason = "\(recent) errors in \(limits.seconds) seconds"
    } else if last >= half {
      reason = "\(last) errors in \(limits.calls) calls"
    }
    return reason
  }
}
