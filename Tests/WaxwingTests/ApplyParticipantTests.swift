// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing
import WaxwingCore
import WaxwingPatches

extension EngineSuite {
  /// What the core lets others do about one apply, without any of the operations.
  @Suite struct ApplyParticipantTests {
    private enum Step: Equatable {
      case begin
      case prepare([String])
      case commit([String])
      case undo([String])
    }

    private struct Refusal: Error {}

    private final class Participant: ApplyParticipant {
      private(set) var steps: [Step] = []
      private let refuses: (Step) -> Bool

      init(refuses: @escaping (Step) -> Bool = { _ in false }) {
        self.refuses = refuses
      }

      private func take(_ step: Step) throws {
        steps.append(step)
        if refuses(step) { throw Refusal() }
      }

      func begin() throws { try take(.begin) }

      func prepare(_ plan: ApplyPlan) throws { try take(.prepare(plan.fresh.map(\.name))) }

      func commit(_ plan: inout ApplyPlan) {
        steps.append(.commit(plan.fresh.map(\.name)))
        for index in plan.patches.indices { plan.patches[index].warnings.append("a warning") }
      }

      func undo(_ plan: ApplyPlan) { steps.append(.undo(plan.fresh.map(\.name))) }
    }

    private static let patched = """
      local A = class "Bank.Account"
      function A:describe() return "patched" end
      """

    private func patch(_ name: String, _ text: String = patched) throws -> AdmittedPatch {
      let file = PatchFile(name: "\(name).lua", bytes: Array(text.utf8))
      return AdmittedPatch(source: try PatchSource(files: [file]), origin: .program)
    }

    private func apply(_ patches: [AdmittedPatch], _ participant: Participant) throws -> Application
    {
      let options = ApplyOptions(.sameName, waitAtMost: .zero)
      return try Engine.shared.apply(patches, options, with: participant)
    }

    private let account = Account(id: 1, owner: "Ada")

    private func expectNothingLive(_ description: String) throws {
      expectEqual(account.describe(), description)
      #expect(try Engine.shared.operation { Engine.shared.sessions.live.isEmpty })
      #expect(Engine.shared.inspection.differences().isEmpty)
    }

    @Test func `parameters that no call fills are a warning`() throws {
      let text = """
        local A, B = class "Bank.Account", module "Bank"
        function A:describe(one, two) return "patched" end
        function B.branchFee(amount, more) return original(amount) end
        function A:deposit(amount, memo) return original(self, amount, memo) end
        A:before("deposit(_:memo:)", function(self, amount, memo, more) end)
        A:after("deposit(_:memo:)", function(self, result, amount, memo, more) end)
        A:after("deposit(_:memo:)", function(self, result, amount, memo) end)
        B:before("fee(_:)", function(amount, more) end)
        """
      let application = try apply([patch("many", text)], Participant())
      expectEqual(
        application.applied[0].warnings.filter { $0 != "a warning" },
        [
          "many.lua:2: the override of Bank.Account.describe() has 2 parameters besides self, but the function has 0: "
            + "the others are always nil",
          "many.lua:3: the override of Bank.branchFee(_:) has 2 parameters, but the function has 1: the others are "
            + "always nil",
          "many.lua:5: the `before` of Bank.Account.deposit(_:memo:) has 3 parameters besides self, but the function "
            + "has 2: the others are always nil",
          "many.lua:6: the `after` of Bank.Account.deposit(_:memo:) has 4 parameters besides self, but gets 3: the "
            + "others are always nil",
          "many.lua:8: the `before` of Bank.fee(_:) has 2 parameters, but the function has 1: the others are always nil",
        ])
      let engine = Engine.shared
      _ = try engine.operation {
        engine.lifecycle.end(engine.sessions.live, waitAtMost: .zero, now: false) {}
      }
    }

    @Test func `it is asked before anything is loaded, then before anything is live`() throws {
      let before = account.describe()
      let participant = Participant()
      let application = try apply([patch("one")], participant)
      expectEqual(participant.steps, [.begin, .prepare(["one"]), .commit(["one"])])
      expectEqual(application.applied.map(\.warnings), [["a warning"]])
      expectEqual(account.describe(), "patched")
      let engine = Engine.shared
      var describedWhenOff = ""
      let restoration = try engine.operation {
        engine.lifecycle.end(engine.sessions.live, waitAtMost: .zero, now: false) {
          describedWhenOff = account.describe()
        }
      }
      expectEqual(describedWhenOff, before)
      #expect(restoration.isComplete)
      try expectNothingLive(before)
    }

    @Test func `what it refuses at the beginning is not loaded`() throws {
      let before = account.describe()
      let participant = Participant { $0 == .begin }
      #expect(throws: Refusal.self) {
        try apply([patch("one", "error('this runs')")], participant)
      }
      expectEqual(participant.steps, [.begin])
      try expectNothingLive(before)
    }

    @Test func `what it refuses at the end leaves no trace, and it may take its part back`() throws
    {
      let before = account.describe()
      let participant = Participant { $0 == .prepare(["one", "two"]) }
      #expect(throws: Refusal.self) { try apply([patch("one"), patch("two")], participant) }
      expectEqual(participant.steps, [.begin, .prepare(["one", "two"]), .undo(["one", "two"])])
      try expectNothingLive(before)
    }

    @Test func `a patch that does not load undoes those before it`() throws {
      let before = account.describe()
      let participant = Participant()
      #expect(throws: WaxwingError.self) {
        try apply([patch("one"), patch("two", "error('no')")], participant)
      }
      expectEqual(participant.steps, [.begin, .undo(["one"])])
      try expectNothingLive(before)
    }
  }
}
