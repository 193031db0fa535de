// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

@Suite struct CommandTests {
  @Test func `a result holds both streams and the exit code`() throws {
    let result = try Command("sh", ["-c", "echo out; echo bad >&2; exit 3"]).run()
    #expect(
      result
        == CommandResult(status: .exited(3), standardOutput: "out\n", standardError: "bad\n"))
  }

  @Test func `the environment is added to`() throws {
    let result = try Command("sh", ["-c", "echo $WORD ${PATH:+path}"], environment: ["WORD": "hi"])
      .run()
    #expect(result.standardOutput == "hi path\n")
  }

  @Test func `output larger than a pipe does not block the command`() throws {
    let result = try Command("sh", ["-c", "head -c 300000 /dev/zero | tr '\\0' x"]).run()
    #expect(result.standardOutput.utf8.count == 300_000)
  }

  @Test func `a command that takes too long is killed`() throws {
    #expect(throws: TestSupportError.self) {
      try Command("sleep", ["60"]).run(timeout: .milliseconds(100))
    }
  }

  @Test func `a command that does not exist is an error that names it`() throws {
    let error = #expect(throws: TestSupportError.self) {
      try Command("/no/such/program").run()
    }
    #expect(error?.message == "cannot start /no/such/program: No such file or directory")
  }
}
