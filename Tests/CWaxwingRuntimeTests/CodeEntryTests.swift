// SPDX-License-Identifier: MIT

import CWaxwingCodeProbe
import CWaxwingRuntime
import Expectations
import Testing

private func text(_ problem: UnsafePointer<CChar>?) -> String? {
  problem.map { String(cString: $0) }
}

/// Each in a process of its own: code that is changed is changed for all tests, and some need a process in which
/// nothing was overridden yet.
@Suite(.enabled(if: wax_runtime_cpu_supported()))
struct CodeEntryTests {
  @Test
  func `a function of any beginning is overridden and is as before afterwards, or is refused`()
    async
  {
    await #expect(processExitsWith: .success) {
      #expect(code_probe_case_count() > 30)
      for _ in 0..<2 {
        for index in 0..<code_probe_case_count() {
          expectEqual(text(code_probe_go_round(index)), nil)
        }
      }
    }
  }

  @Test func `the same where pages of code are mapped anew`() async {
    await #expect(processExitsWith: .success) {
      wax_runtime_code_write_by_mapping(true)
      for index in 0..<code_probe_case_count() {
        expectEqual(text(code_probe_go_round(index)), nil)
      }
    }
  }

  @Test func `threads in the code, and signals that hold them up, never see half of a change`()
    async
  {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_storm(3000, 3, true)), nil)
      // Threads were inside the jump's bytes.
      let traps = wax_runtime_code_traps_handled()
      #expect(traps.inner > 0)
    }
  }

  @Test func `threads in the code never see half of a page`() async {
    await #expect(processExitsWith: .success) {
      wax_runtime_code_write_by_mapping(true)
      expectEqual(text(code_probe_storm(500, 3, true)), nil)
    }
  }

  @Test(arguments: [false, true])
  func `no memory has to be writable and executable, nor be made executable`(byMapping: Bool) async
  {
    await #expect(processExitsWith: .success) { [byMapping] in
      expectEqual(text(code_probe_in(CODE_PROBE_PLAIN, byMapping)), nil)
      expectEqual(text(code_probe_in(CODE_PROBE_MDWE, byMapping)), nil)
      expectEqual(text(code_probe_in(CODE_PROBE_SECCOMP, byMapping)), nil)
      expectEqual(text(code_probe_in(CODE_PROBE_NOT_DUMPABLE, byMapping)), nil)
    }
  }

  @Test func `a child and its parent each write into their own code`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_fork(false)), nil)
      expectEqual(text(code_probe_fork(true)), nil)
    }
  }

  @Test func `a write that is refused is told, and the function runs as before`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_failing_writes()), nil)
      expectEqual(text(code_probe_without_barrier()), nil)
    }
  }

  @Test func `code that something else has changed is refused`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(code_probe_claim_changed(0xCC), WAX_RUNTIME_CLAIM_CODE_BREAKPOINT)
      expectEqual(code_probe_claim_changed(0x90), WAX_RUNTIME_CLAIM_CODE_CHANGED)
    }
  }

  @Test func `a jump that something else has changed is left alone`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_foreign()), nil)
    }
  }

  @Test func `a thread that a trap would end the program in is named`() async {
    await #expect(processExitsWith: .success) {
      var isNamed = false
      expectEqual(
        code_probe_install_blocked(&isNamed), WAX_RUNTIME_CLAIM_CODE_SIGNAL_BLOCKED)
      #expect(isNamed)
    }
  }

  @Test func `threads of the kernel's in the program are in nobody's way`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_beside_kernel_thread()), nil)
    }
  }

  @Test func `the program's handlers of SIGILL get what they would get without us`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_handler_before()), nil)
      expectEqual(text(code_probe_handler_after()), nil)
      expectEqual(text(code_probe_handler_once()), nil)
    }
  }

  @Test func `a program that runs into an invalid instruction ends by it`() async {
    await #expect(processExitsWith: .success) {
      expectEqual(text(code_probe_crash()), nil)
    }
  }

  @Test func `jumps over short distances are found, and nothing that looks like them`() throws {
    for index in 0..<code_probe_case_count() {
      let (probe, point) = (code_probe_case_at(index), code_probe_point(index))
      let code = try #require(point.function)
      let name = String(cString: probe.name)
      let size = Int(probe.size)
      let jumps = name == "loop_first" || name == "loop_window"
      #expect(wax_runtime_code_jumps_short(code, size, code) == jumps, "\(name)")
      #expect(!wax_runtime_code_jumps_short(code, size, code - 200), "\(name)")
      #expect(!wax_runtime_code_jumps_short(code, 1, code - 200), "\(name)")
    }
  }

  @Test func `addresses that are no code are refused`() async {
    await #expect(processExitsWith: .success) {
      let memory = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 8)
      memory.initialize(repeating: nil, count: 8)
      var slot: OpaquePointer?
      let point = wax_runtime_point(
        kind: WAX_RUNTIME_ENTRY_CODE, is_async: false, entry: memory, function: memory,
        stack_bytes: 0, code_size: 64)
      expectEqual(wax_runtime_slot_claim(point, &slot), WAX_RUNTIME_CLAIM_NO_CODE)
    }
  }
}
