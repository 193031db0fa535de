// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// `on(event, f)`.
  @Suite struct CallbackTests {
    /// What patches log, and what the engine says of callbacks.
    private func recording() -> LogLines {
      let lines = LogLines()
      WaxwingEngine.setLogHandler { event in
        guard ["patch.log", "callback.failed"].contains(event.event) else { return }
        let function = event.fields.first { $0.name == "function" }?.value.description
        let place = event.fields.first { $0.name == "at" }?.value.description ?? ""
        lines.add(event.message + (function.map { " in \($0) at \(place)" } ?? ""))
      }
      return lines
    }

    private let trace = """
      local G = class "Bank.Greeter"
      local probe = G("probe")
      function G:word() return "lua" end
      for _, event in ipairs { "ended", "started", "ending", "starting" } do
        on(event, function() log.info(event .. " " .. probe:word()) end)
      end
      on("started", function() log.info("again") end)
      """

    @Test func `each runs once, in order, before and after the overrides are live`() throws {
      let lines = recording()
      let session = try WaxwingEngine.start(text: trace, name: "turns")
      expectEqual(lines.all, ["starting hello", "started lua", "again"])
      let end = try WaxwingEngine.end(session)
      #expect(end.isComplete)
      try WaxwingEngine.end(session)
      try WaxwingEngine.restore()
      expectEqual(
        lines.all, ["starting hello", "started lua", "again", "ending lua", "ended hello"])
    }

    @Test func `one that fails before the patch is live refuses it, without a trace`() throws {
      let lines = recording()
      let alive = Mayfly.record.withLock(\.alive)
      let greeter = Greeter(name: "a")
      do {
        try WaxwingEngine.start(
          text: """
            local G = class "Bank.Greeter"
            local fly = class "Bank.Mayfly"("m")
            function G:word() return "lua" end
            G:method("greeting", function() return "lua" end)
            local function check() error("not ready") end
            on("starting", function() log.info("first") end)
            on("starting", function() check() end)
            for _, event in ipairs { "starting", "started", "ending", "ended" } do
              on(event, function() log.info(event) end)
            end
            """, name: "failing")
        Issue.record("it was not refused")
      } catch let error as WaxwingError {
        #expect(error.code == .refused && error.message == "failing.lua:5: not ready")
        expectEqual(
          error.details,
          [
            "in a callback of on(\"starting\")", "[C]: in function 'error'",
            "failing.lua:5: in function 'check'", "failing.lua:7: in function <anonymous>",
          ])
      }
      expectEqual(lines.all, ["first"])
      #expect(patches().isEmpty && greeter.word() == "hello")
      #expect(throws: WaxwingError.self) {
        let _: String = try WaxwingEngine.call("greeting", on: greeter)
      }
      expectEqual(Mayfly.record.withLock(\.alive), alive)
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete && restoration.endedPatches == [])
    }

    @Test func `errors in the others are logged and stop nothing`() throws {
      let lines = recording()
      let session = try WaxwingEngine.start(
        text: """
          local G = class "Bank.Greeter"
          function G:word() return "lua" end
          for _, event in ipairs { "started", "ending", "ended" } do
            on(event, function() error("no " .. event) end)
            on(event, function() log.info(event) end)
          end
          """, name: "failing")
      expectEqual(Greeter(name: "a").word(), "lua")
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(Greeter(name: "a").word() == "hello" && patches().isEmpty)
      expectEqual(
        lines.all,
        ["started", "ending", "ended"].flatMap {
          ["no \($0) in on(\"\($0)\") at failing.lua:4", $0]
        })
    }

    @Test func `ended comes after a call that lagged behind, once`() throws {
      let lines = recording()
      let session = try WaxwingEngine.start(
        text: """
          local L = class "Bank.Latch"
          function L:wait() self:ORIGwait() log.info("the call returns") end
          on("ending", function() log.info("ending") end)
          on("ended", function() log.info("ended") end)
          """, name: "lagging")
      let latch = Latch()
      let thread = StartedThread { latch.wait() }
      latch.waitUntilHeld()
      let end = try WaxwingEngine.end(session, waitAtMost: .milliseconds(20))
      expectEqual(end.laggards.map(\.function), ["Bank.Latch.wait()"])
      expectEqual(lines.all, ["ending"])
      try WaxwingEngine.end(session, waitAtMost: .milliseconds(20))
      expectEqual(lines.all, ["ending"])
      latch.open()
      #expect(thread.join())
      #expect(patches().isEmpty)
      _ = try WaxwingEngine.restore()
      expectEqual(lines.all, ["ending", "the call returns", "ended"])
    }

    @Test func `a patch that replaces one takes over between that one's ending and its end`() throws
    {
      let lines = recording()
      let folder = try PatchFolder()
      for number in 1...2 {
        try folder.write(
          """
          for _, event in ipairs { "starting", "started", "ending", "ended" } do
            on(event, function() log.info(event .. " \(number)") end)
          end
          """, "turns.lua")
        try WaxwingEngine.apply(folder.path("turns.lua"))
      }
      try WaxwingEngine.revert("turns")
      expectEqual(
        lines.all,
        [
          "starting 1", "started 1", "starting 2", "ending 1", "started 2", "ended 1", "ending 2",
          "ended 2",
        ])
    }

    @Test func `what a callback calls cannot start or end patches`() throws {
      let lines = recording()
      let session = try WaxwingEngine.start(
        text: """
          for _, event in ipairs { "starting", "started", "ending", "ended" } do
            on(event, function()
              class "Bank.Greeter"("g"):welcome(function() return "" end)
              local ok, message = pcall(function() return (module "Bank").runMeddler() end)
              log.info(event .. ": " .. tostring(message))
            end)
          end
          """, name: "meddling")
      try WaxwingEngine.end(session)
      expectEqual(lines.all.count, 4)
      for line in lines.all { #expect(line.hasSuffix(": baseline")) }
      Meddler.shared.action = { try WaxwingEngine.restore() }
      defer { Meddler.shared.action = nil }
      let other = try WaxwingEngine.start(
        text: """
          for _, event in ipairs { "starting", "started", "ending", "ended" } do
            on(event, function()
              log.info(event .. ": " .. tostring((module "Bank").runMeddler()))
            end)
          end
          """, name: "meddling")
      try WaxwingEngine.end(other)
      expectEqual(lines.all.count, 8)
      for line in lines.all.dropFirst(4) {
        #expect(line.contains("while one is being started or ended"))
      }
    }

    @Test func `an event that there is not, and one that comes too late, are errors`() throws {
      expectEqual(
        refusal("on('startng', print)"),
        "refused.lua:1: there is no event `startng`; did you mean `starting`?")
      expectEqual(
        refusal("on('x', print)"),
        "refused.lua:1: there is no event `x`; there are `starting`, `started`, `ending`, "
          + "`ended`, `message`")
      try withPatch(
        """
        local G = class "Bank.Greeter"
        function G:word() return select(2, pcall(on, "ended", function() end)) end
        """
      ) {
        #expect(
          Greeter(name: "a").word().hasSuffix(
            "`on` works while the patch loads; `ended` comes too late"))
      }
    }
  }
}
