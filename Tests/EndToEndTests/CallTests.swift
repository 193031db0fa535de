// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// Messages to patches over the control socket.
@Suite struct CallTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.write(
      """
      patch { version = 1 }
      on("message", function(name, text, reply)
        if name == "echo" then
          reply("at once: " .. text)
          reply("too late")
          return true
        elseif name == "later" then
          task(function() sleep(0.05) reply("later: " .. text) end)
          return true
        elseif name == "never" then
          return true
        elseif name == "refuses" then
          reply(nil, "not today")
          return true
        elseif name == "fails" then
          error("a mistake")
        end
        return false
      end)
      """, to: "listener.lua")
    _ = try stage.waxwing(["apply", "listener.lua"])
  }

  @Test func `a message is answered at once, or later`() throws {
    #expect(try stage.waxwing(["call", "echo", "[1]"]) == "  at once: [1]")
    #expect(try stage.waxwing(["call", "later"]) == "  later: null")
  }

  @Test func `what goes wrong is said`() throws {
    #expect(
      try stage.waxwing(["call", "refuses"])
        == "  waxwing: error: refuses did not reply: not today\n  exited(3)")
    #expect(try stage.waxwing(["call", "fails"]).contains("listener.lua:16: a mistake"))
    #expect(
      try stage.waxwing(["call", "nobody"]).contains("no live patch takes messages for 'nobody'"))
    let late = try stage.waxwing(["call", "never", "--timeout", "0.4"])
    #expect(late.contains("never has taken the message, and did not reply within 0.2 seconds"))
    #expect(late.hasSuffix("exited(5)"))
  }

  @Test func `a call waits for its patch, and ends with it`() throws {
    _ = try stage.waxwing(["restore"])
    #expect(try stage.waxwing(["call", "echo", "--wait", "0.1"]).contains("no live patch takes"))
    let waiting = try stage.tool(["call", "echo", "1", "--wait", "20"]).start()
    let ending = try stage.tool(["call", "never", "--wait", "20"]).start()
    _ = try stage.waxwing(["apply", "listener.lua"])
    #expect(try waiting.waitForExit() == .exited(0))
    #expect(waiting.standardOutput.contains("at once: 1"))
    _ = try stage.waxwing(["revert", "listener"])
    #expect(try ending.waitForExit() != .exited(0))
    #expect(ending.standardError.contains("the patch has ended"))
  }
}
