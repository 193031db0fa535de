// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe
import Expectations
import Foundation
import Testing

private func point(
  _ entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> wax_runtime_point {
  wax_runtime_point(
    kind: WAX_RUNTIME_ENTRY_REPLACEMENT, is_async: false, entry: entry, function: nil,
    stack_bytes: 0, code_size: 0)
}

@Suite(.enabled(if: wax_runtime_cpu_supported()))
struct SlotTests {
  @Test func `stubs that run out are reported and those in use stay found`() async {
    await #expect(processExitsWith: .success) {
      let entries = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(
        capacity: wax_runtime_slot_capacity() + 1)
      entries.initialize(repeating: nil, count: wax_runtime_slot_capacity() + 1)
      var first: OpaquePointer?
      var slot: OpaquePointer?
      for index in 0..<wax_runtime_slot_capacity() {
        expectEqual(wax_runtime_slot_claim(point(entries + index), &slot), WAX_RUNTIME_CLAIM_OK)
        if index == 0 { first = slot }
      }
      let more = wax_runtime_slot_claim(point(entries + wax_runtime_slot_capacity()), &slot)
      expectEqual(more, WAX_RUNTIME_CLAIM_EXHAUSTED)
      #expect(slot == nil)
      expectEqual(wax_runtime_slots_claimed(), wax_runtime_slot_capacity())
      expectEqual(wax_runtime_slot_claim(point(entries), &slot), WAX_RUNTIME_CLAIM_OK)
      expectEqual(slot, first)
    }
  }

  /// Forced unwinding goes by the unwind information of stub and dispatch.
  @Test func `a thread that ends inside an override leaves no call in flight`() throws {
    let entry = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    entry.initialize(to: nil)
    var claimed: OpaquePointer?
    try #require(wax_runtime_slot_claim(point(entry), &claimed) == WAX_RUNTIME_CLAIM_OK)
    let slot = try #require(claimed)
    let session = try #require(wax_runtime_session_switch_create())
    let layer = wax_runtime_layer_create(
      slot, session, wax_runtime_rank(), { _, _ in pthread_exit(nil) }, nil)
    try #require(wax_runtime_layer_install(layer) == WAX_RUNTIME_CLAIM_OK)
    wax_runtime_session_switch_set(session, true)

    var thread = pthread_t()
    let stub = UnsafeMutableRawPointer(mutating: wax_runtime_slot_stub(slot))
    pthread_create(
      &thread, nil,
      { stub in
        var registers = probe_registers()
        registers.mxcsr = 0x1F80
        var after = probe_registers()
        probe_call(stub, &registers, &after)
        return nil
      }, stub)
    pthread_join(thread, nil)

    wax_runtime_calls_barrier()
    expectEqual(wax_runtime_slot_calls(slot, nil, 0), 0)
    wax_runtime_layer_remove(layer)
    wax_runtime_layer_destroy(layer)
    expectEqual(wax_runtime_slot_restore(slot), WAX_RUNTIME_RESTORE_DONE)
    wax_runtime_session_switch_destroy(session)
  }
}
