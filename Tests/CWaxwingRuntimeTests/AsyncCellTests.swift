// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Expectations
import Foundation
import Testing

@_silgen_name("wax_runtime_async_in_flight_begin")
private func beginCall(on slot: UnsafeRawPointer) -> UnsafeMutableRawPointer

@_silgen_name("wax_runtime_async_in_flight_end")
private func endCall(_ cell: UnsafeMutableRawPointer)

/// The cells in which async calls announce themselves.
@Suite struct AsyncCellTests {
  /// Runs `body` on a new thread, to its end.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.waitInTime()
  }

  /// Calls that are in flight on a slot that is none.
  private final class Calls: @unchecked Sendable {
    let slot = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    var cells: [UnsafeMutableRawPointer] = []

    deinit { slot.deallocate() }

    func begin(_ count: Int) { for _ in 0..<count { cells.append(beginCall(on: slot)) } }

    func end() {
      for cell in cells { endCall(cell) }
      cells = []
    }

    var count: Int { wax_runtime_slot_calls(OpaquePointer(slot), nil, 0) }
  }

  @Test func `calls that end on other threads than they begin on leave no more room each time`() {
    let calls = Calls()
    let many = 200
    onThread { calls.begin(many) }
    expectEqual(calls.count, many)
    onThread { calls.end() }
    expectEqual(calls.count, 0)
    let before = wax_runtime_async_in_flight_records()
    for _ in 0..<100 {
      onThread { calls.begin(many) }
      onThread { calls.end() }
    }
    // Other tests may run beside it.
    #expect(wax_runtime_async_in_flight_records() < before + 10 * many)
  }

  @Test func `no two calls in flight have one identity`() {
    let calls = Calls()
    for _ in 0..<4 { onThread { calls.begin(50) } }
    var found = [wax_runtime_call_in_flight](repeating: wax_runtime_call_in_flight(), count: 200)
    expectEqual(wax_runtime_slot_calls(OpaquePointer(calls.slot), &found, found.count), 200)
    expectEqual(Set(found.map(\.identity)).count, 200)
    calls.end()
  }
}
