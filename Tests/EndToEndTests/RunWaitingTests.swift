// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing run` with scripts that wait.
@Suite struct RunWaitingTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
  }

  @Test func `a script waits, in coroutines too, and its tasks are waited for`() throws {
    let result = try run(
      """
      task(function() sleep(0.8) print("second") end)
      after(1.8, task, function() sleep(0.05) print("last") end)
      local numbers = coroutine.wrap(function()
        for i = 1, 2 do sleep(0.001) coroutine.yield(i) end
      end)
      print(numbers() + numbers(), ...)
      print(all{ function() sleep(0.01) return "a" end, function() return "b" end })
      print(pcall(timeout, 0.01, sleep, 60))
      sleep(1.5)
      print("third")
      """, "x", "y")
    expectEqual(
      result,
      CommandResult(
        status: .exited(0),
        standardOutput: """
          3\tx\ty
          a\tb
          false\ttimed out after 0.01 s
          second
          third
          last

          """, standardError: ""))
  }

  @Test func `the script and main run on the main thread, global elsewhere`() throws {
    let result = try run(
      """
      local own = thread()
      sleep(0.01)
      local there = main(thread):wait()
      local other = global(function() sleep(0.001) return thread() end):wait()
      print(own == thread(), own == there, own == other)
      """)
    expectEqual(
      result,
      CommandResult(
        status: .exited(0), standardOutput: "true\ttrue\tfalse\n", standardError: ""))
  }

  @Test func `a failure after waiting is reported as one before`() throws {
    let result = try run(
      """
      task(function() sleep(60) end)
      local function check(text) return text.length.width end
      sleep(0.01)
      check({})
      """)
    expectEqual(
      result,
      CommandResult(
        status: .exited(3), standardOutput: "",
        standardError: """
          waxwing: error: script.lua:2: attempt to index a nil value (field 'length') with 'width'
            script.lua:2: in function 'check'
            script.lua:4: in main chunk

          """))
  }

  @Test func `a task that fails makes the script fail, unless somebody waits for it`() throws {
    let result = try run(
      """
      task(function() sleep(0.01) error("alone") end)
      local t = task(function() error("noticed", 0) end)
      print(pcall(t.wait, t))
      """)
    expectEqual(result.status, .exited(3))
    expectEqual(result.standardOutput, "false\tnoticed\n")
    #expect(result.standardError.hasPrefix("waxwing: error: script.lua:1: alone\n"))
    #expect(!result.standardError.contains("noticed"))
  }

  @Test func `a piece of a shell's input cannot wait, but begin tasks`() throws {
    let result = try shell.bash(
      """
      (
        echo 't = task(sleep, 0) print(pcall(sleep, 0))'
        echo 'for i = 1, 6000 do if t.finished then break end Thread.sleep_forTimeInterval(0.01) end'
        echo 'print(t.finished)'
      ) | waxwing run
      """)
    expectContains(result.standardOutput, "sleep waits, and that is for")
    #expect(result.standardOutput.hasSuffix("true\n"))
  }

  @Test func `Ctrl-C ends a script that waits`() throws {
    try shell.directory.write("print('waits') io.flush() sleep(600)", to: "script.lua")
    let process = try shell.tool(["run", "script.lua"]).start()
    waitUntil("the script waits", seen: process.standardOutput + process.standardError) {
      process.standardOutput == "waits\n" || !process.isRunning
    }
    process.send(signal: SIGINT)
    try expectEqual(process.waitForExit(), .signalled(SIGINT))
    expectEqual(process.standardOutput, "waits\n")
  }

  private func run(_ script: String, _ arguments: String...) throws -> CommandResult {
    try shell.directory.write(script, to: "script.lua")
    return try shell.waxwing(["run", "script.lua"] + arguments)
  }
}
