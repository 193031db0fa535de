// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Back to the baseline, whatever has happened meanwhile.
  @Suite struct RestoreTests {
    init() { WaxwingEngine.setLogHandler { _ in } }

    /// Functions of all kinds, as a caller sees them: the same before and after.
    private func probe() -> [String] {
      let greeter = PoliteGreeter(name: "p")
      let machine = Windmill(name: "m")
      machine.title = "abc"
      machine[0] = 3
      var badge = Badge(title: "b", level: 2)
      badge.level += 1
      return [
        greeter.word(), Greeter.kind(), greeter.name, "\(machine.level) \(machine[0])",
        machine.title, "\(machine.start())", badge.stars(), "\(callsFileFunction())",
        "\(machine.wrap(7))", Windmill.standard().name, Bank.present(badge: badge),
      ]
    }

    private let everything = """
      local bank = module "Bank"
      local G, P, M, B = class "Bank.Greeter", class "Bank.PoliteGreeter", class "Bank.Windmill",
        class "Bank.Badge"
      G:field("seen", 0)
      G:method("extra", function() return 1 end)
      G.static:method("made", function(self) return self("made") end)
      function G:word() return "lua" end
      function P:word() self.seen = self.seen + 1 return "lua " .. self.super:word() end
      function G.static:kind() return "lua kind" end
      function G:init_name(name) self:ORIGinit_name(name .. "+") end
      function M.get:title() return "lua title" end
      function M.set:title(text) self:ORIGtitle(text .. "longer") end
      M.get["subscript(_:)"] = function(self, i) return 77 end
      function M:start() return 78 end
      function M:wrap(part) return { part, part } end
      function M.static:standard() return M("lua standard") end
      function M:farewell() return "lua" end
      function B:stars() return "***" .. self.level end
      function bank.fileFunction() return 79 end
      bank["present(badge:)"] = function(badge) return badge.title end
      """

    @Test func `restore leaves nothing of overrides of every kind`() throws {
      let before = probe()
      try WaxwingEngine.start(text: everything, name: "one")
      try WaxwingEngine.start(text: everything, name: "two")
      let patched = probe()
      #expect(zip(before, patched).allSatisfy { $0 != $1 }, "\(before)\n\(patched)")
      expectEqual(faults(), [])
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete && restoration.differences == [])
      expectEqual(restoration.endedPatches, ["two", "one"])
      #expect(restoration.entriesVerified >= 15)
      #expect(patches().isEmpty)
      expectEqual(probe(), before)
      #expect(throws: WaxwingError.self) {
        let _: Int = try WaxwingEngine.call("extra", on: Greeter(name: "g"))
      }
      let again = try WaxwingEngine.restore()
      #expect(again.isComplete && again.endedPatches == [])
    }

    @Test func `overrides of one function, ended in every order, over and over`() throws {
      let greeter = Greeter(name: "g")
      func patch(_ name: String) throws -> Session {
        try WaxwingEngine.start(
          text: """
            local G = class "Bank.Greeter"
            function G:word() return "\(name)" .. self:ORIGword() end
            """, name: name)
      }
      for turn in 0..<20 {
        let (a, b) = (try patch("A"), try patch("B"))
        expectEqual(greeter.word(), "BAhello")
        try WaxwingEngine.end(turn % 2 == 0 ? a : b)
        #expect(greeter.word() == (turn % 2 == 0 ? "Bhello" : "Ahello"))
        let c = try patch("C")
        #expect(greeter.word() == (turn % 2 == 0 ? "CBhello" : "CAhello"))
        if turn % 3 == 0 {
          #expect(try WaxwingEngine.restore().isComplete)
        } else {
          for session in [turn % 2 == 0 ? b : a, c] { try WaxwingEngine.end(session) }
        }
        #expect(greeter.word() == "hello" && patches().isEmpty)
      }
    }

    @Test func `what was never there, or has gone, is no work`() throws {
      let clean = try WaxwingEngine.restore()
      #expect(clean.isComplete && clean.endedPatches == [] && clean.laggards.isEmpty)
      for _ in 0..<2 {
        do {
          try WaxwingEngine.revert("never")
          Issue.record("there was one")
        } catch let error as WaxwingError {
          #expect(error.code == .notFound && error.remedy == "no patch is loaded at all")
        }
      }
      let quiet = try WaxwingEngine.start(text: "local x = 1", name: "quiet")
      let end = try WaxwingEngine.end(quiet)
      #expect(end.isComplete && end.endedPatches == ["quiet"])
      let again = try WaxwingEngine.end(quiet)
      #expect(again.isComplete && again.endedPatches == [])
      #expect(refusal("class('Bank.Greeter').ORIGnothing()").contains("has no function `nothing`"))
    }

    @Test func `two threads that end the same session end it once`() throws {
      for _ in 0..<20 {
        let session = try WaxwingEngine.start(text: everything, name: "one")
        let ended = Mutex<[String]>([])
        let threads = (0..<3).map { _ in
          StartedThread {
            let names = (try? WaxwingEngine.end(session))?.endedPatches ?? ["failed"]
            ended.withLock { $0 += names }
          }
        }
        #expect(threads.allSatisfy { $0.join() })
        #expect(ended.withLock { $0 } == ["one"] && patches().isEmpty)
      }
    }

    @Test func `every call that begins after the start is in the patch, on all threads`()
      throws
    {
      let isLive = Atomic(false)
      let isOver = Atomic(false)
      let wrong = Atomic(0)
      let calls = Atomic(0)
      let threads = (0..<3).map { _ in
        StartedThread {
          let greeter = Greeter(name: "g")
          while !isOver.load(ordering: .sequentiallyConsistent) {
            let wasLive = isLive.load(ordering: .sequentiallyConsistent)
            let word = greeter.word()
            if wasLive, word != "lua", isLive.load(ordering: .sequentiallyConsistent) {
              wrong.add(1, ordering: .relaxed)
            }
            calls.add(1, ordering: .relaxed)
          }
        }
      }
      for _ in 0..<100 {
        let session = try WaxwingEngine.start(
          text: "local G = class 'Bank.Greeter'\nfunction G:word() return 'lua' end", name: "now")
        isLive.store(true, ordering: .sequentiallyConsistent)
        let word = Greeter(name: "x").word()
        expectEqual(word, "lua")
        letOthersRun(for: .microseconds(300))
        isLive.store(false, ordering: .sequentiallyConsistent)
        try WaxwingEngine.end(session)
        let after = Greeter(name: "x").word()
        expectEqual(after, "hello")
      }
      isOver.store(true, ordering: .sequentiallyConsistent)
      #expect(threads.allSatisfy { $0.join() })
      #expect(wrong.load(ordering: .relaxed) == 0 && calls.load(ordering: .relaxed) > 0)
    }

    @Test func `a hundred patches come and go under a caller`() throws {
      let isOver = Atomic(false)
      let wrong = Mutex<Set<String>>([])
      let caller = StartedThread {
        while !isOver.load(ordering: .relaxed) {
          let machine = Windmill(name: "m")
          let title = machine.title
          if title != "machine m", title != "lua title" { wrong.withLock { _ = $0.insert(title) } }
        }
      }
      for _ in 0..<100 {
        let session = try WaxwingEngine.start(text: everything, name: "passing")
        #expect(try WaxwingEngine.end(session).isComplete)
      }
      isOver.store(true, ordering: .relaxed)
      #expect(caller.join())
      // The initializer of another class is overridden too, not this one's.
      expectEqual(wrong.withLock { $0 }, [])
      expectEqual(Windmill(name: "m").title, "machine m")
    }

    @Test func `of three patches on disjoint functions any one can go`() throws {
      let texts = [
        "local G = class 'Bank.Greeter'\nfunction G:word() return 'lua' end",
        "local G = class 'Bank.Greeter'\nfunction G.static:kind() return 'lua' end",
        "local B = class 'Bank.Badge'\nfunction B:stars() return 'lua' end",
      ]
      func state() -> [Bool] {
        [
          Greeter(name: "g").word() == "lua", Greeter.kind() == "lua",
          Badge(title: "b", level: 1).stars() == "lua",
        ]
      }
      for first in 0..<3 {
        let sessions = try texts.enumerated().map { index, text in
          try WaxwingEngine.start(text: text, name: "p\(index)")
        }
        var expected = [true, true, true]
        for index in [first, (first + 1) % 3, (first + 2) % 3] {
          expectEqual(state(), expected)
          #expect(try WaxwingEngine.end(sessions[index]).isComplete)
          expected[index] = false
        }
        expectEqual(state(), [false, false, false])
      }
    }

    @Test func `a patch that is ended from inside its own override`() throws {
      let session = try WaxwingEngine.start(
        text: """
          local bank = module "Bank"
          local G = class "Bank.Greeter"
          function G:word()
            local report = bank.runMeddler()
            return "lua " .. report .. " " .. self:ORIGword()
          end
          """, name: "leaving")
      Meddler.shared.action = {
        // Waiting for itself it would be no end.
        let end = try WaxwingEngine.end(session, waitAtMost: .seconds(3600))
        return end.laggards.map(\.function).joined()
      }
      defer { Meddler.shared.action = nil }
      let greeter = Greeter(name: "g")
      let word = greeter.word()
      expectEqual(word, "lua Bank.Greeter.word() hello")
      expectEqual(greeter.word(), "hello")
      #expect(try WaxwingEngine.restore().isComplete && patches().isEmpty)
    }

    /// It is in a patch's state from time to time, and runs none of its code.
    @Test func `the garbage collector is not named as a call that is still inside`() throws {
      let session = try WaxwingEngine.start(
        text: """
          local kept
          local F = class "Bank.ClosureForms"
          function F:run()
            kept = not kept and self.words or nil
            return kept and "kept" or "dropped"
          end
          """, name: "collected")
      let (dies, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let forms = ClosureForms()
      forms.words = LastWords(1) { _ in
        dies.signal()
        _ = goesOn.wait(timeout: .now() + 20)
      }
      expectEqual(forms.run(), "kept")
      forms.words = nil
      expectEqual(forms.run(), "dropped")
      expectEqual(dies.wait(timeout: .now() + 20), .success)
      let end = Result { try WaxwingEngine.end(session, waitAtMost: .milliseconds(50)) }
      goesOn.signal()
      try expectEqual(end.get().laggards.map(\.function), [])
      #expect(try end.get().isComplete)
      expectEqual(forms.run(), "original")
    }

    @Test func `a patch that is ended from inside its own method`() throws {
      let session = try WaxwingEngine.start(
        text: """
          class("Bank.Greeter"):method("leave", function(self)
            local report = (module "Bank").runMeddler()
            return "lua " .. report .. " " .. self:word()
          end)
          """, name: "leaving")
      Meddler.shared.action = {
        // Waiting for itself it would be no end.
        let end = try WaxwingEngine.end(session, waitAtMost: .seconds(3600))
        return end.laggards.map(\.function).joined()
      }
      defer { Meddler.shared.action = nil }
      let text: String = try WaxwingEngine.call("leave", on: Greeter(name: "g"))
      expectEqual(text, "lua Bank.Greeter.leave hello")
      #expect(try WaxwingEngine.restore().isComplete && patches().isEmpty)
    }
  }
}
