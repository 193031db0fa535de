// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization
internal import WaxwingInterception

extension Override {
  /// Why a call did not enter Lua, though the override was for it.
  package enum Bypass: Int, CaseIterable, Sendable {
    /// The thread is in too many overrides already, one called by the other.
    case depth
    /// The thread's stack is too short for Lua code.
    case stack
    /// The call is not on its thread's own stack: nothing tells how long that is.
    case foreignStack
    /// Another thread stays in the patch's Lua code for too long.
    case stuck

    /// The reason as one clause of a message.
    package var text: String {
      switch self {
      case .depth: "the thread is in too many nested overrides"
      case .stack: "the thread's stack is too small for Lua code"
      case .foreignStack:
        "the call is on a stack that does not belong to its thread, as with fibres"
      case .stuck: "another thread does not come out of the patch's Lua code"
      }
    }

    /// Whether the stack that this runs on has no place for Lua code.
    static var ofStack: Bypass? {
      switch wax_process_stack_room_here() {
      case WAX_PROCESS_STACK_SHORT: .stack
      case WAX_PROCESS_STACK_FOREIGN: .foreignStack
      default: nil
      }
    }
  }

  /// The override itself, or that of which it is a replica.
  var whole: Override { primary ?? self }

  /// The reason why the override was switched off after too many failures; nil while it is on.
  package var switchedOff: String? { whole.pastHistory?.switchedOff }

  /// Whether no call has failed in it or passed it by, and it is not switched off.
  package var isUneventful: Bool {
    if pastHistory == nil, replicas == nil { return true }
    return faults == 0 && bypassed == 0 && switchedOff == nil
  }

  private func withBreaker<Result>(_ body: (inout Breaker) -> Result) -> Result {
    history.withBreaker(options.breaker, body)
  }

  /// Counts a call that goes to the program's own code.
  func bypass(_ reason: Bypass) {
    let whole = primary ?? self
    if whole.history.countBypass(reason) { options.host.overrideWasBypassed(whole, for: reason) }
  }

  /// A call did not run the original, and nothing tells whether that takes over its `self`. The state is left.
  func noteKeptReceiver() {
    let whole = primary ?? self
    if whole.history.noteKeptReceiver() { options.host.overrideMayKeepSelf(whole) }
  }

  /// Lets all calls go to the original from now on, without counting a failure.
  /// - Parameter reason: The text after "switched off after …".
  /// - Returns: False if the override is off already.
  package func switchOff(after reason: String) -> Bool {
    let whole = primary ?? self
    guard whole.withBreaker({ $0.open(reason) }) else { return false }
    whole.switchOff()
    return true
  }

  /// Counts and reports a failure; the one too many switches the override off. The state is left.
  func fail(_ fault: OverrideFault) {
    history.countFault(fault)
    let whole = primary ?? self
    whole.activeRecorder?.noteFailure()
    options.host.overrideFailed(whole, fault)
    guard let reason = whole.withBreaker({ $0.record(call: whole.calls) }) else { return }
    whole.switchOff()
    options.host.overrideWasSwitchedOff(whole, after: reason)
  }
}
