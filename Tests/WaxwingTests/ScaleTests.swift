// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import WaxwingControl

@testable import Waxwing
@testable import WaxwingCore

extension EngineSuite {
  /// What operators ask for costs what it is about, whatever else is live. Work is counted: a clock would tell of the
  /// machine.
  @Suite struct ScaleTests {
    /// The layers that are looked at while `body` runs.
    private func visits(_ body: () throws -> Void) rethrows -> Int {
      let before = EntryStacks.visits
      try body()
      return EntryStacks.visits - before
    }

    private func start(_ function: String, _ name: String) throws {
      try WaxwingEngine.start(
        text:
          "local A = class 'Bank.Account' function A:\(function)(...) return original(self, ...) end",
        name: name)
    }

    @Test func `describing a patch looks at the layers of its own functions`() throws {
      try start("describe", "first")
      let session = try #require(Engine.shared.sessions.live(named: "first"))
      let alone = visits { expectEqual(session.info.overrides.map(\.stacked), [1]) }
      for number in 1...20 { try start("factorial", "other\(number)") }
      expectEqual(visits { expectEqual(session.info.overrides.map(\.stacked), [1]) }, alone)
      expectEqual(try visits { _ = try Operations.shared.queries.list() }, alone + 20)
      try start("describe", "second")
      expectEqual(session.info.overrides.map(\.order), [2])
      expectEqual(session.info.overrides.map(\.stacked), [2])
      _ = try WaxwingEngine.restore()
      expectEqual(try visits { _ = try Operations.shared.queries.list() }, 0)
    }

    @Test func `a brief status describes no override that does nothing worth telling`() throws {
      try start("describe", "calm")
      try WaxwingEngine.start(
        text: "local A = class 'Bank.Account' function A:factorial(n) error 'no' end",
        name: "failing")
      let account = Account(owner: "A")
      _ = account.describe()
      _ = account.factorial(1)
      let patches = try Operations.shared.queries.list(isBrief: true).map(PatchStatus.init)
      expectEqual(patches.map(\.name), ["calm", "failing"])
      expectEqual(patches.map(\.overrides.count), [0, 1])
      expectEqual(patches.map(\.total.overrides), [1, 1])
      expectEqual(patches.map(\.total.calls), [1, 1])
      expectEqual(patches.map(\.total.errors), [0, 1])
      let whole = try Operations.shared.queries.list().map(PatchStatus.init)
      expectEqual(whole.map(\.total), patches.map(\.total))
      _ = try WaxwingEngine.restore()
    }

    @Test func `pages describe each function once`() throws {
      let queries = Operations.shared.queries
      let size = 100
      var (pages, points, first) = (0, 0, Int?(0))
      let before = ListedPoints.descriptions
      while let from = first {
        let page = try queries.points(matching: "Bank.", from: from, most: size)
        pages += 1
        points += page.points.count
        first = page.next
      }
      #expect(pages > 5)
      // Not those that cannot be overridden at all: they are few.
      #expect((points - 20...points).contains(ListedPoints.descriptions - before))
    }

    @Test func `a pattern that no function matches describes none`() throws {
      let before = ListedPoints.descriptions
      let page = try Operations.shared.queries.points(matching: "NoSuchFunction", from: 0)
      expectEqual(page.points, [])
      expectEqual(ListedPoints.descriptions - before, 0)
    }
  }
}
