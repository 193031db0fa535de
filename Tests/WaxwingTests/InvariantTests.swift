// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import SeededRandom
import Synchronization
import Testing
import Waxwing
import WaxwingInterception

@testable import WaxwingCore

extension EngineSuite {
  /// The rules for sessions and overrides: they hold after any operations, and what breaks one is noticed.
  @Suite struct InvariantTests {
    private static let patch = """
      local A = class "Bank.Account"
      function A:describe() return "patched" end
      function A:factorial(n) return n end
      """

    /// Does something to a copy of what the registry contains.
    struct Damage: CustomTestStringConvertible, Sendable {
      let testDescription: String
      /// Of the only session, which is live.
      let record: @Sendable (inout OverrideRegistry.Record) -> Void
      let contents: @Sendable (inout OverrideRegistry.Contents) -> Void
      let sentence: String

      init(
        _ description: String, _ sentence: String,
        record: @escaping @Sendable (inout OverrideRegistry.Record) -> Void = { _ in },
        contents: @escaping @Sendable (inout OverrideRegistry.Contents) -> Void = { _ in }
      ) {
        (testDescription, self.sentence) = (description, sentence)
        (self.record, self.contents) = (record, contents)
      }

      func happen(to contents: inout OverrideRegistry.Contents) {
        for session in contents.records.keys.sorted() {
          guard var damaged = contents.records[session] else { continue }
          record(&damaged)
          contents.records[session] = damaged
        }
        self.contents(&contents)
      }
    }

    static let damages = [
      Damage("live and ended", "is live and has ended", record: { $0.hasEnded = true }),
      Damage(
        "not live, but on", "is not live, but its switch is on", record: { $0.isLive = false }),
      Damage(
        "an override without layers", "has 2 overrides, but layers of others",
        record: { $0.layers[ObjectIdentifier($0.overrides[0])] = nil }),
      Damage(
        "layers without an override", "has 1 overrides, but layers of others",
        record: { $0.overrides.removeLast() }),
      Damage(
        "a version that is too high",
        "the class version of Bank.Account is 2, but 1 live sessions change it",
        contents: { $0.versions["Bank.Account"] = 2 }),
      Damage(
        "a version that is missing",
        "the class version of Bank.Account is 0, but 1 live sessions change it",
        contents: { $0.versions["Bank.Account"] = nil }),
      Damage(
        "a version of what nobody changes",
        "the class version of Bank.Prey is 1, but 0 live sessions change it",
        contents: { $0.versions["Bank.Prey"] = 1 }),
      Damage(
        "layers that are not known by entry", "0 layers are known by entry, but records have 2",
        contents: { $0.stacks = EntryStacks() }),
      Damage(
        "an entry that counts as vacant", "have no layer",
        contents: { $0.vacant.insert(1) }),
    ]

    /// The sentences about a copy that `damage` has been done to.
    private func brokenRules(
      ended: [Int] = [], isInstalled: (InstalledOverride) -> Bool = { _ in true },
      after damage: (inout OverrideRegistry.Contents) -> Void = { _ in }
    ) -> [String] {
      Engine.shared.registry.contents.withLock { contents in
        var copy = contents
        damage(&copy)
        return copy.brokenRules(ended: ended, isInstalled: isInstalled)
      }
    }

    @Test(arguments: damages) func `a broken rule is noticed`(_ damage: Damage) throws {
      try withPatch(Self.patch) {
        expectEqual(brokenRules(), [])
        let found = brokenRules(after: damage.happen)
        #expect(found.contains { $0.hasSuffix(damage.sentence) }, "\(found)")
      }
    }

    @Test func `a switch that somebody else has turned is noticed`() throws {
      try withPatch(Self.patch) {
        let session = try #require(Engine.shared.sessions.all.first)
        session.gate.deactivate()
        let found = Engine.shared.lifecycle.brokenRules
        session.gate.activate()
        expectEqual(found, ["session \(session.number) is live, but its switch is off"])
        expectEqual(Engine.shared.lifecycle.brokenRules, [])
      }
    }

    @Test func `layers that are not installed, or not taken out, are noticed`() throws {
      try withPatch(Self.patch) {
        let number = try #require(Engine.shared.sessions.all.first).number
        expectEqual(
          brokenRules(isInstalled: { _ in false }),
          ["session \(number) has 2 layers that are not installed"])
        expectEqual(
          brokenRules(ended: [number]),
          ["session \(number) has ended, but has overrides in the program"])
      }
    }

    @Test func `sessions out of order, and numbers twice, are noticed`() {
      expectEqual(PatchSessions.brokenRules([(1, 1), (1, 4), (2, 2), (3, 3)]), [])
      expectEqual(
        PatchSessions.brokenRules([(2, 2), (1, 4)]), ["session 4 comes after session 2"])
      expectEqual(
        PatchSessions.brokenRules([(1, 1), (2, 1)]), ["two sessions have the same number"])
    }

    // MARK: A random walk

    /// What the walk applies: overrides of the same functions, advice, a class with objects, a method, and
    /// patches that are refused.
    private static let scripts = [
      patch,
      """
      local A = class "Bank.Account"
      A:before("describe", function() end)
      function A:factorial(n) return 1 + self:ORIGfactorial(n) end
      """,
      """
      local P = class "Bank.Prey"
      function P:other(n) return 7 end
      function P:shout() return "shout" end
      """,
      """
      local Late = class("Late", "Bank.Sketch")
      function Late:area() return 1 + self.super:area() end
      local Book = class "Bank.SketchBook"
      function Book:run(n) self:add(Late("late")) return n end
      """,
      "local P = class 'Bank.Prey'\nfunction P:other(n) return 8 end\nerror 'no'",
      """
      local P = class "Bank.Prey"
      function P:other(n) return 9 end
      on("starting", function() error "no" end)
      """,
    ]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `they hold after each step of a random walk`(seed: UInt64) throws {
      WaxwingEngine.setLogHandler { _ in }
      var random = SeededGenerator(seed: seed)
      var books: [SketchBook] = []
      var version = 0
      for step in 0..<60 {
        let live = patches().filter { $0.state == .active }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: _ = try WaxwingEngine.restore()
        case 1, 2:
          try live.randomElement(using: &random).map { _ = try WaxwingEngine.revert($0.name) }
        case 3:
          let book = SketchBook()
          _ = book.run(1)
          books.append(book)
        case 4: if !books.isEmpty { books.removeFirst() }
        default:
          version += 1
          let count = Int.random(in: 1...3, using: &random)
          let names = Array(Self.scripts.indices).shuffled(using: &random).prefix(count)
          let texts = names.map {
            (text: "patch { version = \(version) }\n" + Self.scripts[$0], name: "walk\($0)")
          }
          let replacingAll = Int.random(in: 0..<4, using: &random) == 0
          // Some are refused.
          _ = try? WaxwingEngine.apply(texts: texts, replacingAll: replacingAll)
        }
        let broken = try Engine.shared.operation { Engine.shared.lifecycle.brokenRules }
        try #require(broken == [], "step \(step)")
      }
      books = []
      _ = try WaxwingEngine.restore()
      _ = try WaxwingEngine.liveObjects()
      #expect(patches().isEmpty)
    }
  }
}
