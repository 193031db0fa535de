// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import TortureFixture
import Waxwing

extension EngineSuite {
  /// Patches that are loaded into several Lua states.
  @Suite struct ParallelTests {
    private static let heading = "patch { name = 'wide', parallel = true }\n"

    @Test func `calls of many threads give the right results, in several states`() throws {
      let subject = TortureSubject()
      let states = Mutex<Set<String>>([])
      let wrong = Atomic<Int>(0)
      let text = """
        local S, own = class "TortureFixture.TortureSubject", tostring({})
        function S:text(s) return self:ORIGtext(s) .. own end
        """
      try withPatch(Self.heading + text) {
        onThreads(8) { thread in
          for n in 0..<500 {
            let result = subject.text("\(thread) \(n)")
            guard result.hasPrefix("[\(thread) \(n)]table: ") else {
              wrong.add(1, ordering: .relaxed)
              continue
            }
            states.withLock { _ = $0.insert(String(result.drop { $0 != "]" })) }
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        let used = states.withLock { $0.count }
        #expect(used >= 2)
        expectEqual(patches().map(\.name), ["wide"])
        expectEqual(patches().flatMap(\.overrides).map(\.calls), [4000])
        expectEqual(faults(), [])
      }
    }

    @Test func `it stacks on a patch with one state, and under one`() throws {
      let subject = TortureSubject()
      func patch(_ digit: Int) -> String {
        """
        local S = class "TortureFixture.TortureSubject"
        function S:number(n) return self:ORIGnumber(n) * 10 + \(digit) end
        """
      }
      try WaxwingEngine.start(text: patch(1), name: "below")
      try WaxwingEngine.start(text: Self.heading + patch(2), name: "wide")
      try WaxwingEngine.start(text: patch(3), name: "above")
      let wrong = Atomic<Int>(0)
      onThreads(4) { _ in
        for _ in 0..<500 where subject.number(0) != 123 { wrong.add(1, ordering: .relaxed) }
      }
      expectEqual(wrong.load(ordering: .relaxed), 0)
      try WaxwingEngine.revert("wide")
      expectEqual(subject.number(0), 13)
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete && subject.number(0) == 0)
    }

    @Test func `before and after run in the state of their call`() throws {
      let subject = TortureSubject()
      let wrong = Atomic<Int>(0)
      let text = """
        local S = class "TortureFixture.TortureSubject"
        local depth = 0
        S:before("number", function() depth = depth + 1 end)
        S:after("number", function() depth = depth - 1 return depth end)
        """
      try withPatch(Self.heading + text) {
        onThreads(4) { _ in
          for _ in 0..<500 where !(0...8).contains(subject.number(0)) {
            wrong.add(1, ordering: .relaxed)
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        expectEqual(faults(), [])
        expectEqual(patches().flatMap(\.overrides).map(\.calls), [2000])
      }
    }

    @Test func `failures of all states are counted together`() throws {
      let subject = TortureSubject()
      let text = """
        local S = class "TortureFixture.TortureSubject"
        function S:number(n) error("on purpose") end
        """
      try withPatch(Self.heading + text) {
        onThreads(4) { _ in _ = subject.number(0) }
        expectEqual(patches().flatMap(\.overrides).map(\.errors), [4])
        expectEqual(faults(), ["test.lua:3: on purpose"])
      }
    }

    @Test func `objects and functions of every state are let go when it ends`() throws {
      let alive = TortureToken.alive
      let subject = TortureSubject()
      let text = """
        local S, kept = class "TortureFixture.TortureSubject", {}
        function S:token(token)
          kept[#kept + 1] = token
          return self:ORIGtoken(token)
        end
        function S:apply(body, n)
          return self:ORIGapply(function(x) return body(x) + 1 end, n)
        end
        """
      try withPatch(Self.heading + text) {
        onThreads(4) { _ in
          for n in 0..<50 {
            _ = subject.token(TortureToken(nil))
            let result = subject.apply({ $0 * 2 }, n)
            if result != n * 2 + 1 { Issue.record("apply gave \(result)") }
          }
        }
        let held = try WaxwingEngine.liveObjects().map(\.objects)
        expectEqual(held, [["TortureFixture.TortureToken": 200]])
      }
      expectEqual(TortureToken.alive, alive)
    }

    @Test
    func `ending waits for calls in all states, and names them`() throws {
      let subject = TortureSubject()
      let text = """
        local S = class "TortureFixture.TortureSubject"
        function S:blocks(gate) return self:ORIGblocks(gate) + 7 end
        """
      let session = try WaxwingEngine.start(text: Self.heading + text, name: "wide")
      let gate = TortureGate()
      let results = Mutex<[Int]>([])
      let ended = Mutex<(first: Restoration?, second: Restoration?)>((nil, nil))
      onThreads(4) { index in
        guard index == 3 else {
          let result = subject.blocks(gate)
          return results.withLock { $0.append(result) }
        }
        for _ in 0..<3 where !gate.waitForCall(seconds: 30) { Issue.record("no call came") }
        let first = try? WaxwingEngine.end(session, waitAtMost: .milliseconds(10))
        ended.withLock { $0.first = first }
        for _ in 0..<3 { gate.open() }
        let second = try? WaxwingEngine.restore()
        ended.withLock { $0.second = second }
      }
      let (first, second) = ended.withLock { $0 }
      expectEqual(first?.laggards.count, 3)
      #expect(second?.isComplete == true)
      expectEqual(results.withLock { $0 }, [7, 7, 7])
      #expect(patches().isEmpty)
    }

    @Test func `callbacks run in the first state only`() throws {
      let before = TortureLedger.overrides(.late, 1)
      let text = """
        local Ledger = class "TortureFixture.TortureLedger"
        on("started", function() Ledger.note(9, 1) end)
        local S = class "TortureFixture.TortureSubject"
        function S:number(n) return 1 end
        """
      try withPatch(Self.heading + text) {
        expectEqual(TortureLedger.overrides(.late, 1), before + 1)
      }
    }

    @Test func `what its states would have to share is refused`() {
      let first = refusal(
        Self.heading + """
          local S = class "TortureFixture.TortureSubject"
          S:before("number", function() end, { once = true })
          """)
      #expect(first.contains("a parallel patch cannot use `once`"))
      let second = refusal(
        Self.heading + """
          local S = class "TortureFixture.TortureSubject"
          local Ledger = class "TortureFixture.TortureLedger"
          Ledger.note(9, 2)
          if Ledger.overrides("late", 2) % 2 == 1 then
            function S:number(n) return 1 end
          end
          """)
      #expect(second.contains("declares other overrides when its script runs again"))
    }

    @Test func `advice cannot be added or removed while it runs`() throws {
      let subject = TortureSubject()
      let text = """
        local S = class "TortureFixture.TortureSubject"
        local token = S:before("number", function() end)
        function S:text(s)
          local _, added = pcall(function() S:before("number", function() end) end)
          local _, removed = pcall(function() token:remove() end)
          return added .. "|" .. removed
        end
        """
      try withPatch(Self.heading + text) {
        let said = subject.text("")
        #expect(said.contains("advice of a parallel patch is added while the patch loads|"))
        #expect(said.hasSuffix("advice of a parallel patch stays until the patch ends"))
      }
    }
  }
}
