// SPDX-License-Identifier: MIT

import Testing
import WaxwingControl

@testable import WaxwingConsole
@testable import WaxwingFleet

/// What the page says of a rollout and of each node.
@Suite struct ConsoleDocumentTests {
  private static let (old, new) = (hash("a"), hash("b"))
  private static let (finished, newest) = (hash("c"), hash("d"))

  private static func hash(_ digit: String) -> String { String(repeating: digit, count: 64) }

  /// The old set is rolled out to `region=eu`; the new one is at its canary, of two nodes in `region=us`.
  private static func sample() throws -> FleetView {
    func rollout(_ serial: Int, _ set: String, _ base: [String], _ region: String) throws -> Rollout
    {
      Rollout(
        serial: serial, set: set, base: base, selector: "region=\(region)",
        canaries: ["\(region)-1"], stages: try RolloutStage.list("canary,100%", bakeSeconds: 60),
        expires: Timestamp(secondsSince1970: 2_000_000_000))
    }
    var view = FleetView()
    view.rollout = try rollout(2, new, [finished], "us")
    view.finished = [.init(id: finished, rollout: try rollout(1, old, [], "eu"))]
    view.program = "bankd"
    view.state = .init(
      document: RolloutState(
        rollout: newest, phase: .rolling, epoch: 1, why: "started", by: "alice"),
      revision: 1)
    for (name, set) in [("eu-1", old), ("us-1", new), ("us-2", nil)] {
      view.infos[name] = NodeInfo(
        node: name, program: "bankd", builds: ["b"], labels: ["region": String(name.prefix(2))],
        version: "1")
      var report = NodeReport(node: name)
      report.set = set
      report.isBaseline = set == nil
      report.isConverged = true
      view.reports[name] = report
    }
    return view
  }

  private static func nodes(
    _ change: (inout FleetView) -> Void = { _ in }
  ) throws -> [String: ConsoleDocument.Node] {
    var view = try sample()
    change(&view)
    return Dictionary(uniqueKeysWithValues: ConsoleNodes(view).all.map { ($0.name, $0) })
  }

  @Test func `a node's goal is what the rollouts say together`() throws {
    let nodes = try Self.nodes()
    #expect(nodes.mapValues(\.goal) == ["eu-1": Self.old, "us-1": Self.new, "us-2": "baseline"])
    #expect(nodes.mapValues(\.set) == nodes.mapValues(\.goal))
    #expect(nodes.mapValues(\.state) == ["eu-1": .baseline, "us-1": .treated, "us-2": .baseline])
    #expect(nodes.values.allSatisfy { $0.why == nil })
  }

  @Test func `a halt makes baseline the goal of all, and says whom it has not reached`() throws {
    let nodes = try Self.nodes { $0.halt = Halt(why: "smoke", by: "bob") }
    #expect(nodes.values.allSatisfy { $0.goal == "baseline" })
    #expect(nodes["eu-1"]?.why == "the halt has not reached it")
    #expect(nodes["us-2"]?.why == nil)
  }

  @Test func `a node that is not well says why`() throws {
    let nodes = try Self.nodes { view in
      view.reports["eu-1"]?.isConverged = false
      view.reports["eu-1"]?.trouble = "the disk is full"
      view.reports["us-1"]?.set = nil
      view.reports["us-2"] = nil
    }
    #expect(nodes.mapValues(\.state) == ["eu-1": .harmed, "us-1": .waiting, "us-2": .silent])
    #expect(
      nodes.mapValues(\.why) == [
        "eu-1": "the disk is full", "us-1": "it is not at its goal yet",
        "us-2": "its agent is there, and does not report",
      ])
  }

  @Test func `a goal that is not known is none`() throws {
    let nodes = try Self.nodes { $0.finished = [.init(id: Self.finished, rollout: nil)] }
    #expect(nodes.mapValues(\.goal) == ["eu-1": "?", "us-1": Self.new, "us-2": "?"])
    #expect(
      nodes["eu-1"]?.why == "rollout cccccccccccc, which may be for it, cannot be read")
  }

  @Test(
    arguments: [
      (.rolling, "a controller that records how the stage began"),
      (.paused, "waxwing-fleet resume, since alice has paused it: started"),
      (.rollingBack, "nodes that are not back yet: 1"), (.done, nil), (.rolledBack, nil),
    ] as [(RolloutState.Phase, String?)])
  func `what the stage waits for`(phase: RolloutState.Phase, first: String?) throws {
    var view = try Self.sample()
    let state = try #require(view.state?.document)
    view.state = .init(document: state.changed(to: phase, why: "started", by: "alice"), revision: 2)
    var document = ConsoleDocument(fleet: "shop")
    document.show(view)
    #expect(document.waits.first == first)
    #expect(document.plan?.selector == "region=us")
    #expect(document.plan?.selected == 2)
    #expect(document.before == "baseline")
  }
}
