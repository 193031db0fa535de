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

  private func run(_ arguments: String...) throws -> CommandResult {
    try shell.waxwing(["run"] + arguments)
  }
}
