// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingControl

@testable import WaxwingFleet

/// Where nodes are, and where they should be, after whatever has happened to their fleet.
@Suite struct FleetPlanTests {
  private enum Event: CaseIterable {
    case toFirst, toSecond, halt, lift, newNode, lostNode, agentRestart, daemonRestart
  }

  private func fleet() -> ModelFleet {
    var fleet = ModelFleet()
    for index in 0..<4 { fleet.add("e\(index)", region: "eu") }
    for index in 0..<3 { fleet.add("u\(index)", region: "us") }
    return fleet
  }

  private func happen(_ event: Event, to fleet: inout ModelFleet, all: Bool) throws {
    switch event {
    case .toFirst:
      try fleet.start(to: "eu")
      fleet.finish()
    case .toSecond:
      try fleet.start(to: all ? nil : "us")
      fleet.finish()
    case .halt: fleet.halt()
    case .lift: fleet.isHalted = false
    case .newNode: fleet.add("e9", region: "eu")
    case .lostNode: fleet.nodes["e1"] = nil
    case .agentRestart: for name in fleet.nodes.keys { fleet.nodes[name]?.restartAgent() }
    case .daemonRestart: for name in fleet.nodes.keys { fleet.nodes[name]?.restartDaemon() }
    }
  }

  @Test(arguments: [false, true])
  func `two rollouts, a halt, its end, a new node, a lost one and restarts, in every order`(
    all: Bool
  ) throws {
    for order in orders(of: Event.allCases.filter { $0 != .daemonRestart }) {
      var fleet = fleet()
      for event in order {
        try happen(event, to: &fleet, all: all)
        let wrong = fleet.settle()
        if !wrong.isEmpty {
          Issue.record("\(order): \(wrong)")
          return
        }
      }
    }
  }

  private func orders(of events: [Event]) -> [[Event]] {
    guard events.count > 1 else { return [events] }
    return events.indices.flatMap { index in
      var rest = events
      let first = rest.remove(at: index)
      return orders(of: rest).map { [first] + $0 }
    }
  }

  @Test(arguments: TestSeed.each(1...6))
  func `whatever happens, nodes come to where the plainest reading of the rollouts says`(
    seed: TestSeed
  ) throws {
    var random = seed.generator
    for _ in 0..<80 {
      var (fleet, told) = (fleet(), [String]())
      for step in 0..<40 {
        let name = fleet.nodes.keys.sorted().randomElement(using: &random) ?? ""
        let event = Int.random(in: 0..<14, using: &random)
        told.append("\(event) \(name)")
        switch event {
        case 0, 1: try fleet.start(to: "eu")
        case 2: try fleet.start(to: "us", stages: "50%,100%")
        case 3: try fleet.start(to: nil)
        case 4, 5: fleet.advance()
        case 6: fleet.finish()
        case 7: fleet.abort()
        case 8: fleet.halt()
        case 9: fleet.isHalted = false
        case 10: fleet.nodes[name]?.restartAgent()
        case 11: fleet.nodes[name]?.restartDaemon()
        case 12: fleet.nodes[name]?.endTrial()
        default:
          // There has to be one to be lost.
          fleet.add("n\(step)", region: Bool.random(using: &random) ? "eu" : "us")
          if fleet.nodes.count > 9 { fleet.nodes[name] = nil }
        }
        // Not every agent is awake all the time.
        if Bool.random(using: &random) { continue }
        let wrong = fleet.settle()
        if !wrong.isEmpty {
          Issue.record("\(seed): \(told): \(wrong)")
          return
        }
      }
    }
  }

  @Test func `a finished rollout that cannot be read leaves those open that it may be for`() throws
  {
    var fleet = fleet()
    try fleet.start(to: "eu")
    fleet.finish()
    try fleet.start(to: "us")
    fleet.finish()
    let plan = try #require(fleet.plan)
    let blind = FleetPlan(
      state: plan.state, newest: plan.newest,
      finished: plan.finished?.map { .init(id: $0.id, rollout: nil) })
    let (eu, us) = (try #require(fleet.nodes["e0"]?.info), try #require(fleet.nodes["u0"]?.info))
    #expect(blind.place(of: eu) == .unknown(rollout: "rollout1"))
    #expect(blind.place(of: us) == .set("set2", rollout: "rollout2", isOnTrial: false))
  }

  @Test func `a rollout to the same nodes, or to all, leaves nothing of those before`() throws {
    var fleet = fleet()
    for region in ["eu", "us", "eu", nil, "us"] as [String?] {
      try fleet.start(to: region)
      fleet.finish()
    }
    #expect(fleet.newest?.base == ["rollout4"])
  }
}
