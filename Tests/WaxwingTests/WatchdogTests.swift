// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Calls that do not return.
  @Suite struct WatchdogTests {
    private let office = StubbornOffice()

    /// The lines of the watchdog while `body` runs with a patience of one second.
    private func watching(
      seconds: Int = 1, _ change: (inout Policy) -> Void = { _ in },
      _ body: (LogLines) throws -> Void
    ) rethrows {
      let before = WaxwingEngine.policy
      defer { WaxwingEngine.policy = before }
      WaxwingEngine.policy.limits.stuckSeconds = seconds
      // Five times this is how long a thread may stay in Lua code.
      WaxwingEngine.policy.limits.loadMilliseconds = 200
      change(&WaxwingEngine.policy)
      try body(LogLines())
    }

    private func log(_ lines: LogLines) {
      WaxwingEngine.setLogHandler { event in
        let names = ["stuck", "returned", "watchdog", "bypassed"]
        if names.contains(where: event.event.contains) { lines.add(event.line) }
      }
    }

    private func eventually(
      _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ isThere: () -> Bool
    ) {
      waitUntil(what, seen: patches(), sourceLocation: sourceLocation, isThere)
    }

    private static let queueing = """
      local O = class "Bank.StubbornOffice"
      function O:queue(latch)
        return self:ORIGqueue_at(latch) + 1
      end
      """

    @Test func `a call whose original waits is reported once, and goes on`() throws {
      try watching { lines in
        try withPatch(Self.queueing) {
          log(lines)
          let (latch, results) = (Latch(), LogLines())
          let thread = StartedThread { [office] in results.add("\(office.queue(at: latch))") }
          eventually("override.stuck") { !lines.all.isEmpty }
          let line = lines.all[0]
          #expect(line.contains("waxwing warning override.stuck: a call has not returned for "))
          #expect(line.contains(" patch=test function=Bank.StubbornOffice.queue(at:) thread="))
          #expect(line.contains("; test.lua:3: in function"))
          let stuck = try #require(patches().first?.stuckCalls)
          expectEqual(stuck.map(\.function), ["Bank.StubbornOffice.queue(at:)"])
          #expect(stuck.first.map { line.contains(" thread=\($0.threadID) ") } == true)
          #expect(stuck.first.map { $0.seconds > 1 } == true)
          // Looks go on, and others come through.
          eventually("another second") { (patches().first?.stuckCalls.first?.seconds ?? 0) > 3.5 }
          let open = Latch()
          open.open()
          expectEqual(office.queue(at: open), 2)
          expectEqual(patches().first?.overrides.first.map { $0.switchedOff ?? "on" }, "on")
          expectEqual(lines.all.count, 1)
          latch.open()
          #expect(thread.join() && results.all == ["2"])
          eventually("override.returned") { lines.all.count == 2 }
          #expect(
            lines.all[1].contains("override.returned: the stuck call has returned after"))
          #expect(patches().first?.stuckCalls.isEmpty == true && faults() == [])
        }
      }
    }

    @Test func `a Lua function that Swift has called and that waits has its own age`()
      throws
    {
      try watching { lines in
        log(lines)
        _ = try WaxwingEngine.start(
          text: """
            local O = class "Bank.StubbornOffice"
            function O:keep(call, latch)
              return self:ORIGkeep(function(latch) return O():queue(latch) end, latch)
            end
            """, name: "test")
        let latch = Latch()
        let thread = StartedThread { [office] in _ = office.keep({ _ in 5 }, latch) }
        eventually("both") { patches().flatMap(\.stuckCalls).count == 2 }
        let found = try WaxwingEngine.restore(waitAtMost: .milliseconds(10)).laggards
        expectEqual(
          found.map(\.function),
          [
            "Bank.StubbornOffice.keep(_:_:)", "a Lua function that Swift holds",
          ])
        #expect(found.allSatisfy { $0.seconds > 1 })
        #expect(lines.all.contains { $0.contains("closure.stuck: ") })
        latch.open()
        #expect(thread.join())
        #expect(try WaxwingEngine.restore().isComplete)
      }
    }

    @Test(arguments: [StubbornKey.Mood.busy, .asleep])
    func `a thread that stays in the Lua state: all other calls go to the original`(
      mood: StubbornKey.Mood
    ) throws {
      try watching { lines in
        try withPatch(
          """
          local O = class "Bank.StubbornOffice"
          function O:sort(keys)
            local sorted = {}
            for _, key in ipairs(keys) do sorted[key] = 3 end
            return sorted
          end
          function O:count() return 8 end
          """
        ) {
          log(lines)
          expectEqual(office.count(), 8)
          StubbornKey.mood = mood
          let results = LogLines()
          let inside = StartedThread { [office] in
            results.add("\(office.sort([StubbornKey(number: -1)]).count)")
          }
          eventually("a thread in the state") { StubbornKey.hashing == 1 }
          // This one waits for the state, and then does without.
          expectEqual(office.count(), 7)
          eventually("patch.stuck") { lines.all.contains { $0.contains("patch.stuck: ") } }
          let line = lines.all.first { $0.contains("patch.stuck: ") } ?? ""
          #expect(
            line.contains("waxwing error patch.stuck: a thread does not leave the patch's Lua code")
          )
          #expect(line.contains(" function=Bank.StubbornOffice.sort(_:) "))
          #expect(line.hasSuffix(" switched_off=2"))
          let reasons = patches().flatMap(\.overrides).map { $0.switchedOff ?? "" }
          #expect(
            reasons.count == 2
              && reasons.allSatisfy { $0.hasPrefix("a thread stayed in the patch's Lua code for ") }
          )
          #expect(office.sort([]) == [:] && office.count() == 7)
          StubbornKey.mood = .quick
          #expect(inside.join() && results.all == ["1"])
          expectEqual(office.count(), 7)
        }
        expectEqual(lines.all.filter { $0.contains("patch.stuck") }.count, 1)
      }
    }

    @Test func `where the host has set no limits a stay is only reported`() throws {
      try watching({
        $0.limits = .none
        $0.limits.stuckSeconds = 1
      }) { lines in
        try withPatch(
          """
          local O = class "Bank.StubbornOffice"
          function O:sort(keys) return { [keys[1]] = 3 } end
          """
        ) {
          log(lines)
          StubbornKey.mood = .busy
          let inside = StartedThread { [office] in _ = office.sort([StubbornKey(number: -1)]) }
          eventually("override.stuck") { !lines.all.isEmpty }
          eventually("some looks") { (patches().first?.stuckCalls.first?.seconds ?? 0) > 4.5 }
          #expect(lines.all[0].contains(" in=\"it is running Lua code of test\""))
          StubbornKey.mood = .quick
          #expect(inside.join())
          expectEqual(patches().first?.overrides.first.map { $0.switchedOff ?? "on" }, "on")
        }
        #expect(!lines.all.contains { $0.contains("patch.stuck") })
      }
    }

    @Test func `many calls that wait are all found, some at a time`() throws {
      try watching { lines in
        try withPatch(Self.queueing) {
          log(lines)
          let latch = Latch()
          let threads = (0..<25).map { _ in
            StartedThread { [office] in _ = office.queue(at: latch) }
          }
          eventually("25 events") { lines.all.count == 25 }
          expectEqual(patches().flatMap(\.stuckCalls).count, 25)
          expectEqual(Set(patches().flatMap(\.stuckCalls).map(\.threadID)).count, 25)
          latch.open()
          #expect(threads.allSatisfy { $0.join() })
        }
      }
    }

    @Test func `with a patience of 0 nobody looks`() throws {
      try watching(seconds: 0) { lines in
        try withPatch(Self.queueing) {
          log(lines)
          let latch = Latch()
          let thread = StartedThread { [office] in _ = office.queue(at: latch) }
          expectStays("no call is stuck", for: .seconds(3), seen: lines.all) {
            lines.all == [] && patches().first?.stuckCalls.isEmpty == true
          }
          latch.open()
          #expect(thread.join())
        }
      }
    }

    @Test func `the watchdog is there while patches are`() throws {
      func isThere() -> Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.contains { task in
          let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
          return name == "waxwing-watch\n"
        }
      }
      for _ in 0..<2 {
        try withPatch(Self.queueing) { eventually("a thread") { isThere() } }
        eventually("no thread") { !isThere() }
      }
    }
  }
}
