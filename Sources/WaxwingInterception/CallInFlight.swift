// SPDX-License-Identifier: MIT

import CWaxwingProcess
import CWaxwingRuntime
import Glibc

/// A call of an overridden function that has not returned.
/// Unchecked: a copy; the entry that it names is there as long as the process.
package struct CallInFlight: Hashable, @unchecked Sendable {
  /// An identifier of the call, which is unique. A call seen twice has lasted for the time between.
  package let identity: UInt64
  /// The kernel's id of the thread, as `ps -L` shows it.
  package let thread: UInt64
  /// The patch point's entry.
  package let entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The time at which the call entered an override; nil if it passes through, or is the original
  /// under an override.
  package let since: CoarseTime?
}

extension CallInFlight {
  /// Whether it is of an async function: it belongs to no thread.
  package var isAsync: Bool { thread == 0 }

  /// The kernel's id of the calling thread.
  package static var currentThread: UInt64 { wax_process_current_thread() }

  private init(_ call: wax_runtime_call_in_flight) {
    identity = call.identity
    thread = call.thread
    entry = wax_runtime_slot_point(call.slot).entry
    since = call.since == 0 ? nil : CoarseTime(nanoseconds: call.since)
  }

  /// The identities of all calls in flight, by their slots: all records are read once, however many
  /// slots are asked for.
  static func identitiesBySlot() -> [OpaquePointer: Set<UInt64>] {
    collect { wax_runtime_slot_calls(nil, $0, $1) }.reduce(into: [:]) { found, call in
      found[call.slot, default: []].insert(call.identity)
    }
  }

  /// The switches of the overrides that calls are in.
  static var switches: Set<OpaquePointer> {
    Set(collect { wax_runtime_slot_calls(nil, $0, $1) }.compactMap(\.in_switch))
  }

  static func inSwitch(_ session: OpaquePointer) -> [CallInFlight] {
    collect { wax_runtime_session_switch_calls(session, $0, $1) }.map(CallInFlight.init)
  }

  /// Asks again with more room while there are more than fit.
  private static func collect(
    _ fill: (UnsafeMutablePointer<wax_runtime_call_in_flight>?, Int) -> Int
  ) -> [wax_runtime_call_in_flight] {
    // An array of no capacity would be the one that all threads share, and its count be written.
    var capacity = 8
    while true {
      var count = 0
      let calls = [wax_runtime_call_in_flight](unsafeUninitializedCapacity: capacity) {
        buffer, initialized in
        count = fill(buffer.baseAddress, capacity)
        initialized = min(count, capacity)
      }
      if count <= capacity { return calls }
      capacity = count + 8
    }
  }
}
