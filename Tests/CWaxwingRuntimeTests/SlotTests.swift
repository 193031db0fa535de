// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe
import Foundation
import Testing

@Suite(.enabled(if: waxwing_cpu_supported()))
struct SlotTests {
  @Test func `stubs that run out are reported and those in use stay found`() async {
    await #expect(processExitsWith: .success) {
      let entries = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(
        capacity: waxwing_slot_capacity() + 1)
      entries.initialize(repeating: nil, count: waxwing_slot_capacity() + 1)
      var first: OpaquePointer?
      var slot: OpaquePointer?
      for index in 0..<waxwing_slot_capacity() {
        #expect(waxwing_slot_claim(entries + index, nil, 0, false, &slot) == WAXWING_CLAIM_OK)
        if index == 0 { first = slot }
      }
      let more = waxwing_slot_claim(entries + waxwing_slot_capacity(), nil, 0, false, &slot)
      #expect(more == WAXWING_CLAIM_EXHAUSTED)
      #expect(slot == nil)
      #expect(waxwing_slots_claimed() == waxwing_slot_capacity())
      #expect(waxwing_slot_claim(entries, nil, 0, false, &slot) == WAXWING_CLAIM_OK)
      #expect(slot == first)
    }
  }

  /// Forced unwinding goes by the unwind information of stub and dispatch.
  @Test func `a thread that ends inside an override leaves no call in flight`() throws {
    let entry = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    entry.initialize(to: nil)
    var claimed: OpaquePointer?
    try #require(waxwing_slot_claim(entry, nil, 0, false, &claimed) == WAXWING_CLAIM_OK)
    let slot = try #require(claimed)
    let session = try #require(waxwing_switch_create())
    let layer = waxwing_layer_create(
      slot, session, waxwing_rank(), { _, _ in pthread_exit(nil) }, nil)
    try #require(waxwing_layer_install(layer))
    waxwing_switch_set(session, true)

    var thread = pthread_t()
    let stub = UnsafeMutableRawPointer(mutating: waxwing_slot_stub(slot))
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

    waxwing_calls_barrier()
    #expect(waxwing_slot_calls(slot, nil, 0) == 0)
    waxwing_layer_remove(layer)
    waxwing_layer_destroy(layer)
    #expect(waxwing_slot_restore(slot) == WAXWING_RESTORE_DONE)
    waxwing_switch_destroy(session)
  }
}
