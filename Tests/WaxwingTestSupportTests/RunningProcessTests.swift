// SPDX-License-Identifier: MIT

import Expectations
import Glibc
import Testing
import WaxwingTestSupport

@Suite struct RunningProcessTests {
  @Test func `a line is waited for and found`() throws {
    let process = try Command("sh", ["-c", "echo no; sleep 0.1; echo ready 7; sleep 60"]).start()
    #expect(try process.waitForLine(startingWith: "ready") == "ready 7")
  }

  @Test func `waiting for a line of a process that ends says what it wrote instead`() throws {
    let process = try Command("sh", ["-c", "echo no; echo why >&2"]).start()
    let error = #expect(throws: TestSupportError.self) {
      try process.waitForLine(startingWith: "ready")
    }
    #expect(
      error?.message == """
        waited for a line 'ready…' of 'sh', but it ended (exited(0))
        standard output: no

        standard error: why

        """)
  }

  @Test func `the signal that ended a process is known`() throws {
    let process = try Command("sleep", ["60"]).start()
    process.send(signal: SIGTERM)
    #expect(try process.waitForExit() == .signalled(SIGTERM))
  }

  @Test func `what a dropped process leaves running is killed`() throws {
    let pid = try Command("sleep", ["60"]).start().pid
    expectEventually(kill(pid, 0), -1)
  }
}
