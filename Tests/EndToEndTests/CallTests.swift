// SPDX-License-Identifier: MIT

import Expectations
import Glibc
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
          print("never has come")
          return true
        elseif name == "refuses" then
          reply(nil, "not today")
          return true
        elseif name == "fails" then
          error("a mistake")
        end
        return false, "echo", "later", "never", "refuses", "fails"
      end)
      """, to: "listener.lua")
    _ = try stage.waxwing(["apply", "listener.lua"])
  }

  @Test func `a message is answered at once, or later`() throws {
    try expectEqual(stage.waxwing(["call", "echo", "[1]"]), "  at once: [1]")
    try expectEqual(stage.waxwing(["call", "later"]), "  later: null")
  }

  @Test func `what goes wrong is said`() throws {
    try expectEqual(
      stage.waxwing(["call", "refuses"]),
      "  waxwing: error: refuses did not reply: not today\n  exited(3)")
    try expectContains(stage.waxwing(["call", "fails"]), "listener.lua:17: a mistake")
    try expectContains(
      stage.waxwing(["call", "nobody"]), "no live patch takes messages for 'nobody'")
    let near = try stage.waxwing(["call", "refuse"])
    expectContains(near, "did you mean 'refuses'?")
    let late = try stage.waxwing(["call", "never", "--timeout", "1.2"])
    expectContains(late, "never has taken the message, and did not reply within 0.6 seconds")
    #expect(late.hasSuffix("exited(5)"))
  }

  @Test func `a call waits for its patch, and ends with it`() throws {
    _ = try stage.waxwing(["restore"])
    try expectContains(stage.waxwing(["call", "echo", "--wait", "0.1"]), "no live patch takes")
    let waiting = try stage.tool(["call", "echo", "1", "--wait", "20"]).start()
    let ending = try stage.tool(["call", "never", "--wait", "20"]).start()
    _ = try stage.waxwing(["apply", "listener.lua"])
    try expectEqual(waiting.waitForExit(), .exited(0))
    expectContains(waiting.standardOutput, "at once: 1")
    // It waits for a reply only when the patch has its message.
    waitUntil("the message has come", seen: (stage.log, ending.standardError)) {
      stage.log.contains("never has come") || !ending.isRunning
    }
    _ = try stage.waxwing(["revert", "listener"])
    #expect(try ending.waitForExit() != .exited(0))
    expectContains(ending.standardError, "the patch has ended")
  }

  // MARK: From a patch to a client

  /// Its handler `ask` asks the client `owner`, for as long as it is told to.
  private func applyAsking() throws {
    try stage.write(
      """
      local bridge = require "bridge"
      bridge.handle("ask", function(message)
        return bridge.call("owner", message.say, message.seconds)
      end)
      bridge.handle("tell", function(message, reply)
        bridge.send("owner", message, function(answer, failure)
          reply({ answer = answer, failure = failure })
        end)
      end)
      bridge.handle("whole", function() return (bridge.call("owner", nil)) end)
      """, to: "asking.lua")
    _ = try stage.waxwing(["apply", "asking.lua"])
  }

  @Test func `a patch asks a client, whether it comes early or late`() throws {
    try applyAsking()
    let asking = try stage.tool(["call", "ask", #"{"say":{"a":[1,"é"]}}"#]).start()
    try expectEqual(
      stage.waxwing(
        [
          "handle", "--count", "1", "owner", "sh", "-c",
          "printf '[\"'$WAXWING_PATCH'\",'; cat; echo ]",
        ]), "")
    try expectEqual(asking.waitForExit(), .exited(0))
    expectEqual(asking.standardOutput, #"["asking",{"a":[1,"é"]}]"# + "\n")
    let client = try stage.tool(["handle", "--count", "2", "owner", "cat"]).start()
    try expectEqual(stage.waxwing(["call", "tell", "[2]"]), #"  {"answer":[2]}"#)
    try expectEqual(stage.waxwing(["call", "whole"]), "  null")
    try expectEqual(client.waitForExit(), .exited(0))
  }

  @Test func `without a command a client prints the messages`() throws {
    try applyAsking()
    let client = try stage.tool(["handle", "--count", "1", "owner"]).start()
    try expectEqual(stage.waxwing(["call", "tell", #""x""#]), #"  {"answer":null}"#)
    try expectEqual(client.waitForExit(), .exited(0))
    expectEqual(client.standardOutput, #""x""# + "\n")
  }

  @Test func `what goes wrong with a client is the reply`() throws {
    try applyAsking()
    let client = try stage.tool(
      [
        "handle", "--count", "2", "owner", "sh", "-c",
        "read x; case $x in 1) exit 3;; *) echo no JSON;; esac",
      ]
    ).start()
    try expectContains(
      stage.waxwing(["call", "ask", #"{"say":1}"#]), "ask did not reply: sh ended with exit code 3")
    try expectContains(
      stage.waxwing(["call", "ask", #"{"say":2}"#]),
      "ask did not reply: sh printed something that is not JSON")
    try expectEqual(client.waitForExit(), .exited(0))
    try expectContains(
      stage.waxwing(["call", "ask", #"{"say":1,"seconds":0.05}"#]),
      "no client has handled 'owner' within 0.05 s")
  }

  @Test func `messages end with their patch, and clients with their patience`() throws {
    try applyAsking()
    let asking = try stage.tool(["call", "ask", #"{"say":1}"#]).start()
    _ = try stage.waxwing(["call", "ask", #"{"say":1,"seconds":0.05}"#])
    _ = try stage.waxwing(["revert", "asking"])
    try expectEqual(asking.waitForExit(), .exited(3))
    let late = try stage.waxwing(["handle", "--idle", "0.1", "owner"])
    expectContains(late, "no message came for 'owner' within 0.1 seconds")
    #expect(late.hasSuffix("exited(5)"))
    try expectContains(
      stage.waxwing(["handle", "--count", "none", "owner"]), "'--count' needs a number above 0")
  }
}
