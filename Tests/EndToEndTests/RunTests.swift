// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

@Suite struct RunTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
  }

  @Test func `a script gets its arguments and has the outputs to itself`() throws {
    try shell.directory.write(
      """
      print(#{...}, ...)
      io.write("written\\n")
      log.warn("careful", { of = "this" })
      """, to: "hello.lua")
    #expect(
      try run("hello.lua", "--from", "eur", "12")
        == CommandResult(
          status: .exited(0), standardOutput: "3\t--from\teur\t12\nwritten\n",
          standardError: "warn: hello.lua:3: careful of=this\n"))
  }

  @Test func `145 an error ends it with exit code 3, file, line and traceback`() throws {
    try shell.directory.write(
      """
      local function check(text) return text.length.width end
      check({})
      """, to: "wrong.lua")
    let result = try run("wrong.lua")
    #expect(
      result
        == CommandResult(
          status: .exited(3), standardOutput: "",
          standardError: """
            waxwing: error: wrong.lua:1: attempt to index a nil value with 'width'
              wrong.lua:1: in function 'check'
              wrong.lua:2: in main chunk

            """))
  }

  @Test func `code on the command line gets its arguments`() throws {
    #expect(
      try run("-e", "print(#{...}, ...)", "a", "-x")
        == CommandResult(status: .exited(0), standardOutput: "2\ta\t-x\n", standardError: ""))
    #expect(try run("-e", "os.exit(9)").status == .exited(9))
    let wrong = try run("-e", "local function f() return nope end f()")
    #expect(wrong.status == .exited(3))
    #expect(wrong.standardError.hasPrefix("waxwing: error: -e.lua:1: undefined variable `nope`\n"))
  }

  @Test func `what comes from a pipe runs piece by piece and goes on after an error`() throws {
    try shell.directory.write(
      """
      1 + 1
      x = {1, "two", {three = 3}}
      x

      for i = 1, 2 do
        print(i)
      end
      nope
      local function f() error("boom") end f()
      typeof(5), typeof("x"), typeof(nil), typeof({})
      x = = 2
      print("still here")
      """, to: "input")
    #expect(
      try bash("waxwing run < input")
        == CommandResult(
          status: .exited(3),
          standardOutput: """
            2
            {1, "two", {three = 3}}
            1
            2
            integer\tstring\tnil\ttable
            still here

            """,
          standardError: """
            shell:1: undefined variable `nope`
              shell:1: in main chunk
            shell:1: boom
              [C]: in function 'error'
              shell:1: in function 'f'
              shell:1: in main chunk
            shell:1: unexpected symbol near '='

            """))
    #expect(try bash("echo '1 + 1' | waxwing run").status == .exited(0))
    #expect(try bash("echo 'if true then' | waxwing run").status == .exited(3))
    #expect(
      try bash("echo 'x' | waxwing run -i -e 'x = 7'").standardOutput == "7\n")
  }

  @Test func `on a terminal it prompts, and ends with exit or the end of input`() throws {
    let session = try bash(
      "printf '%s\\n' '20 + 22' 'if true' 'then print(\"in\" .. \"side\") end' 'error(\"x\")' 'exit()' "
        + "| script -qec 'waxwing run' /dev/null")
    #expect(session.status == .exited(0))
    let text = session.standardOutput
    #expect(text.contains("help() explains; Ctrl-D or exit() ends"))
    #expect(text.contains("\n42\r") || text.contains("42\r\n"))
    #expect(text.contains(">> "))
    #expect(text.contains("inside"))
    #expect(text.contains("shell:1: x"))
  }

  private func bash(_ line: String) throws -> CommandResult { try shell.bash(line) }

  private func run(_ arguments: String...) throws -> CommandResult {
    try shell.waxwing(["run"] + arguments)
  }
}
