// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingInterception
package import WaxwingValues

/// The history of an override's calls beyond their number, and the names in it. It has memory of
/// its own, because most overrides never fail, are not measured, and are not asked for. All that
/// changes is atomic or under a lock.
package final class OverrideHistory: Sendable {
  /// Whether its calls are measured, and what that has given.
  struct MeasuredTimes {
    /// Made when it is needed.
    var recorder: TimeRecorder?
    var isOn = false
  }

  let functionName = LazyText()
  /// The name that the engine shows for the override. The engine makes it.
  package let displayedName = LazyText()

  private let faultCount = Atomic<Int>(0)
  private let lastFaultStorage = Mutex<OverrideFault?>(nil)
  /// The breaker of the override; nil for a replica, whose primary counts failures.
  private let breaker = Mutex<Breaker?>(nil)
  private let bypassCount = Atomic<Int>(0)
  private let bypassReasonBits = Atomic<UInt8>(0)
  private let isKeptReceiverNoted = Atomic<Bool>(false)
  let measuring = Mutex(MeasuredTimes())

  init() {}

  /// How many calls failed.
  var faults: Int { faultCount.load(ordering: .relaxed) }
  var lastFault: OverrideFault? { lastFaultStorage.withLock(\.self) }

  func countFault(_ fault: OverrideFault) {
    faultCount.add(1, ordering: .relaxed)
    lastFaultStorage.withLock { $0 = fault }
  }

  /// Why the override was switched off; nil: it was not.
  var switchedOff: String? { breaker.withLock { $0?.reason } }

  /// - Parameter limits: Of the breaker, if there is none yet.
  func withBreaker<Result>(
    _ limits: Breaker.Limits, _ body: (inout Breaker) -> Result
  ) -> Result {
    breaker.withLock { kept in
      var breaker = kept ?? Breaker(limits)
      defer { kept = breaker }
      return body(&breaker)
    }
  }

  /// Calls that went to the program's own code without entering Lua.
  var bypassed: Int { bypassCount.load(ordering: .relaxed) }

  /// The reasons why calls did not enter Lua.
  var bypassReasons: [Override.Bypass] {
    let known = bypassReasonBits.load(ordering: .relaxed)
    return Override.Bypass.allCases.filter { known & (1 << UInt8($0.rawValue)) != 0 }
  }

  /// - Returns: Whether it is the first for this reason.
  func countBypass(_ reason: Override.Bypass) -> Bool {
    bypassCount.add(1, ordering: .relaxed)
    let known = bypassReasonBits.bitwiseOr(1 << UInt8(reason.rawValue), ordering: .relaxed)
    return known.oldValue & (1 << UInt8(reason.rawValue)) == 0
  }

  /// - Returns: Whether it is the first call after which `self` may have no owner.
  func noteKeptReceiver() -> Bool {
    if isKeptReceiverNoted.load(ordering: .relaxed) { return false }
    return !isKeptReceiverNoted.exchange(true, ordering: .relaxed)
  }
}
