// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingControl

@testable import WaxwingFleet

/// What a controller does by what it reads.
@Suite struct ControllerDecisionTests {
  @Test func `without a rollout there is nothing to do`() throws {
    var sample = try FleetSample()
    sample.view.state = nil
    #expect(sample.actions().isEmpty)
    for phase in [RolloutState.Phase.done, .rolledBack] {
      sample.enter(phase, stage: 2)
      #expect(sample.actions().isEmpty)
    }
  }

  @Test func `first the beginning of a stage is recorded`() throws {
    var sample = try FleetSample()
    let actions = sample.actions()
    guard case .record(let record, revision: 0) = try #require(actions.first) else {
      Issue.record("\(actions)")
      return
    }
    #expect(record.nodes.count == 20)
    #expect(record.references["b"]?.requests == 100_000)
    #expect(actions.count == 2)
    sample.perform(actions)
    #expect(sample.actions().change == nil)
  }

  @Test func `a good rollout goes through all stages to its end`() throws {
    var sample = try FleetSample()
    var events: [String] = []
    for _ in 0..<3 {
      let change = try #require(sample.run(beats: 30).change)
      events.append("\(change.event) \(change.state.stage)")
    }
    #expect(events == ["stage 1", "stage 2", "done 2"])
    #expect(sample.view.state?.document.phase == .done)
  }

  @Test func `a stage lasts as long as it was watched, by whomever`() throws {
    var sample = try FleetSample()
    #expect(sample.run(beats: 5, elapsed: 0).change == nil)
    #expect(sample.view.watchedSeconds == 0)
    _ = sample.run(beats: 5)
    #expect(sample.view.watchedSeconds == 50)
    #expect(sample.run(beats: 3).change?.event == "stage")
  }

  @Test func `a canary that sets a patch aside ends the rollout at once`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    sample.view.reports["n0"]?.quarantined = ["greeting"]
    let actions = sample.actions()
    #expect(
      actions.first
        == .markBad(
          set: FleetSample.set, rollout: FleetSample.id,
          why: "1 of 1 treated nodes crashed or switched patches off (n0)"))
    let change = try #require(actions.change)
    #expect(change.event == "aborted")
    #expect(change.state.phase == .rollingBack)
    #expect(change.state.why.contains("n0"))
  }

  @Test func `a canary that was faster than the controller is judged by what it did`() throws {
    var sample = try FleetSample()
    sample.work()
    sample.view.reports["n0"]?.quarantined = ["greeting"]
    sample.perform(sample.actions())
    #expect(sample.actions().change?.event == "aborted")
  }

  @Test func `calls under the set before are no traffic of the new one`() throws {
    var sample = try FleetSample()
    sample.perform(sample.actions())
    sample.view.reports["n0"]?.counters.calls += 5000
    for _ in 0..<10 {
      sample.work(calls: 0)
      sample.perform(sample.actions(elapsed: 10_000))
    }
    #expect(sample.view.state?.document.stage == 0)
    #expect(sample.view.judgement?.reason.contains("too little traffic") == true)
    #expect(sample.run(beats: 3).change?.event == "stage")
  }

  @Test func `what was set aside before the rollout does not count`() throws {
    var sample = try FleetSample()
    sample.view.reports["n0"]?.quarantined = ["older"]
    sample.perform(sample.actions())
    sample.work()
    #expect(sample.actions().change == nil)
  }

  @Test func `harm ends a paused rollout, and nothing else moves it`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    sample.enter(.paused, stage: 0)
    #expect(sample.run(beats: 30).change == nil)
    #expect(sample.view.watchedSeconds == 10)
    sample.view.reports["n0"]?.counters.switchedOff = 1
    #expect(sample.actions().change?.event == "aborted")
  }

  @Test func `nothing moves under a halt`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    sample.view.halt = Halt(why: "test", by: "me")
    sample.view.reports["n0"]?.quarantined = ["greeting"]
    #expect(sample.actions().isEmpty)
  }

  @Test func `an expired rollout is paused, once`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    let change = try #require(sample.actions(at: 90_000).change)
    #expect(change.state.phase == .paused)
    #expect(change.state.why == "the rollout has expired")
    sample.enter(.paused, stage: 0)
    #expect(sample.actions(at: 90_000).change == nil)
  }

  @Test func `a rollout that cannot be read is paused`() throws {
    var sample = try FleetSample()
    sample.view.rollout = nil
    sample.view.trouble = "nobody has signed it"
    let change = try #require(sample.actions().change)
    #expect(change.state.phase == .paused)
    #expect(change.state.why == "nobody has signed it")
  }

  @Test func `nodes that come later are counted from then on`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    var late = NodeReport(node: "late", at: FleetSample.start)
    late.builds = ["b"]
    late.counters.faults = 500
    sample.view.infos["late"] = NodeInfo(
      node: "late", program: "bankd", builds: ["b"], labels: [:], version: "1")
    sample.view.reports["late"] = late
    sample.perform(sample.actions())
    #expect(sample.view.record?.document.nodes["late"]?.counters.faults == 500)
    #expect(sample.view.judged?.nodes.first { $0.name == "late" }?.delta?.faults == 0)
  }

  @Test func `a node that falls silent is not forgotten`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 2)
    sample.view.infos["n0"] = nil
    sample.view.reports["n0"] = nil
    let change = try #require(sample.actions().change)
    #expect(change.event == "aborted")
    #expect(change.state.why == "1 of 1 treated nodes are silent (n0)")
  }

  @Test func `a rollback is over when no node that answers has the set, or is on its way`() throws {
    var sample = try FleetSample()
    _ = sample.run(beats: 30)
    _ = sample.run(beats: 2)
    sample.enter(.rollingBack, stage: 1)
    #expect(sample.actions().change == nil)
    sample.work()
    sample.view.reports["n3"]?.isConverged = false
    #expect(sample.actions().change == nil)
    sample.view.reports["n3"] = nil
    sample.view.reports["n4"]?.isConverged = false
    sample.view.reports["n4"]?.trouble = "the serial number is too low"
    let change = try #require(sample.actions().change)
    #expect(change.event == "rolledBack")
    #expect(
      change.state.why == "18 nodes are back at the set before, 1 cannot (n4), 1 do not report")
  }

  @Test(arguments: TestSeed.each(1...4))
  func `whatever nodes report, stages only go up by one, and after an abort only back`(
    seed: TestSeed
  ) throws {
    var random = seed.generator
    for _ in 0..<40 {
      var sample = try FleetSample(nodes: 8)
      for _ in 0..<40 {
        let before = try #require(sample.view.state?.document)
        sample.perform(sample.actions(elapsed: Int.random(in: -5...40_000, using: &random)))
        let after = try #require(sample.view.state?.document)
        #expect(after.stage == before.stage || after.stage == before.stage + 1, "\(seed)")
        #expect(after.epoch == before.epoch || after.epoch == before.epoch + 1, "\(seed)")
        if !before.phase.isGoingOn { #expect(!after.phase.isGoingOn, "\(seed)") }
        sample.work()
        let name = "n\(Int.random(in: 0..<8, using: &random))"
        switch Int.random(in: 0..<12, using: &random) {
        case 0: sample.view.reports[name] = nil
        case 1: sample.view.reports[name]?.counters = StageSample.counters(&random)
        case 2: sample.view.reports[name]?.trouble = "no"
        default: break
        }
      }
    }
  }
}
