// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// Turns all overrides of a session on or off, those of several sessions together, each time by one
/// store.
///
/// Unchecked: the C side is atomic; the pointer never changes and outlives every layer that has
/// it, as layers keep their switch.
package final class SessionSwitch: @unchecked Sendable {
  let pointer: OpaquePointer

  /// A switch that is off.
  package init() throws(InterceptionError) {
    guard let pointer = wax_runtime_session_switch_create() else {
      throw InterceptionError(.outOfMemory, "no memory is left for a session's switch")
    }
    self.pointer = pointer
  }

  deinit {
    wax_runtime_session_switch_destroy(pointer)
  }

  /// Makes every override of the session live at once.
  package func activate() { SessionSwitch.flip(on: [self]) }

  /// Lets no further call into an override of the session. Those that are in one go on.
  package func deactivate() { SessionSwitch.flip(off: [self]) }

  /// Makes every override of some sessions live and ends those of others: a call sees all of it or
  /// nothing.
  package static func flip(on: [SessionSwitch] = [], off: [SessionSwitch] = []) {
    let on = on.map { Optional($0.pointer) }
    let off = off.map { Optional($0.pointer) }
    wax_runtime_session_switches_flip(on, on.count, off, off.count)
  }

  package var isActive: Bool { wax_runtime_session_switch_is_on(pointer) }

  /// The calls that are in an override of the session now, including calls that it made.
  package func callsInFlight() -> [CallInFlight] {
    wax_runtime_calls_barrier()
    return CallInFlight.inSwitch(pointer)
  }

  /// The calls in flight for an observer that looks from time to time. A call that has just begun
  /// may be missing.
  package func callsSeenInFlight() -> [CallInFlight] { CallInFlight.inSwitch(pointer) }

  /// Whether no call is in an override of any of these sessions now: calls are looked at once for all.
  package static func areIdle(_ switches: [SessionSwitch]) -> Bool {
    if switches.isEmpty { return true }
    wax_runtime_calls_barrier()
    let entered = CallInFlight.switches
    return entered.isEmpty || !switches.contains { entered.contains($0.pointer) }
  }

  /// Waits until no call is in an override of the session, at most `duration`.
  ///
  /// Returns the calls that are left. Those of the calling thread cannot end while it waits: when
  /// only they are left it returns at once.
  /// - Precondition: The switch is off; else calls may come as fast as they go.
  package func waitUntilIdle(atMost duration: Duration) -> [CallInFlight] {
    let thread = CallInFlight.currentThread
    var waiting = Waiting(for: duration)
    wax_runtime_calls_barrier()
    while true {
      let calls = CallInFlight.inSwitch(pointer)
      if calls.allSatisfy({ $0.thread == thread }) || !waiting.pause() { return calls }
    }
  }
}
