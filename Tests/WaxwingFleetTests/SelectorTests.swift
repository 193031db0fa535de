// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingControl
import WaxwingFleet

@Suite("Selectors of nodes")
struct SelectorTests {
  private let node = NodeInfo(
    node: "web-7", program: "bankd", builds: ["4f2a11", "9c0f"],
    labels: ["region": "eu", "tier": "front"], version: "0")

  @Test(
    "A node is chosen if all terms hold",
    arguments: [
      ("all", true), ("region=eu", true), ("region=us", false), ("region!=us", true),
      ("region=eu,tier=front", true), ("region=eu,tier=back", false), ("node=web-*", true),
      ("node=*-7", true), ("node=w*b*7", true), ("node=*8", false), ("build=9c0f", true),
      ("build=4f2a*", true), ("build!=4f2a*", false), ("rack=*", false), ("rack!=1", true),
      ("region=", false), ("region=*", true),
    ])
  func terms(text: String, isChosen: Bool) throws {
    #expect(try NodeSelector(text).matches(node) == isChosen)
  }

  @Test("What is no selector is refused", arguments: ["", "region", "=eu", "region=eu,", "any"])
  func malformed(text: String) {
    #expect(throws: FleetError.self) { try NodeSelector(text) }
  }

  @Test("Stages grow, and have times of their own")
  func stages() throws {
    let stages = try RolloutStage.list("canary,0.25%,5%@20m,100%@0s", bakeSeconds: 600)
    #expect(stages.map(\.basisPoints) == [0, 25, 500, 10_000])
    #expect(stages.map(\.bakeSeconds) == [600, 600, 1200, 0])
    #expect(stages.map(\.name) == ["canary", "0.25%", "5%", "100%"])
  }

  @Test(
    "What is no list of stages is refused",
    arguments: [
      "", "5%,1%", "5%,5%", "1%,canary", "101%", "0%", "5", "5%@", "5%@x", "-1%", "1.234%",
    ])
  func malformedStages(text: String) {
    #expect(throws: FleetError.self) { try RolloutStage.list(text, bakeSeconds: 1) }
  }

  @Test("Buckets are where they always were, and a stage has its share of nodes")
  func buckets() {
    // By `printf 'r\0web-7' | sha256sum`, the first 16 digits modulo 10000.
    let names = (0..<2000).map { "web-\($0)" }
    let below = names.filter { NodeBucket.of($0, rollout: "r") < 500 }
    #expect((60...140).contains(below.count), "\(below.count) of 2000 nodes are in 5 %")
    #expect(NodeBucket.of("web-7", rollout: "r") == expectedBucket)
    #expect(
      names.map { NodeBucket.of($0, rollout: "s") } != names.map { NodeBucket.of($0, rollout: "r") }
    )
  }

  private let expectedBucket = 3311

  @Test(arguments: [
    ("region=eu", []), ("all", []), ("node=web-*,build=4f2a*", []),
    ("regoin=eu", ["'regoin=eu': no node has the label regoin"]),
    ("region=eu,tier!=tset", ["'tier!=tset': no node has such a value"]),
    ("rack!=1", ["'rack!=1': no node has the label rack"]),
    ("node=db-1", ["'node=db-1': no node has such a value"]),
  ])
  func `words that no node has are told`(text: String, unknown: [String]) throws {
    #expect(try NodeSelector(text).unknownTerms(among: [node]) == unknown)
  }

  private func rollout(_ stages: String, canaries: [String]) throws -> Rollout {
    Rollout(
      serial: 1, set: "", base: [], selector: "all", canaries: canaries,
      stages: try RolloutStage.list(stages, bakeSeconds: 1),
      expires: Timestamp(secondsSince1970: 0))
  }

  @Test(arguments: [
    ("50%,100%", 3, 0, [1, 3]), ("canary,50%,100%", 3, 1, [1, 1, 3]), ("1%,100%", 3, 0, [0, 3]),
    ("canary,1%,5%,25%,100%", 40, 1, [1, 1, 2, 10, 40]), ("33.33%,66.67%", 3, 0, [0, 2]),
    ("99.99%", 10_000, 0, [9999]), ("25%,100%", 4, 3, [1, 4]),
  ])
  func `a share is rounded down`(
    stages: String, nodes: Int, canaries: Int, counts: [Int]
  ) throws {
    let names = (0..<nodes).map { "web-\($0)" }
    let rollout = try rollout(stages, canaries: Array(names.prefix(canaries)))
    #expect(rollout.counts(id: "r", among: names) == counts)
  }

  @Test(arguments: TestSeed.each(1...4))
  func `no stage has more nodes than its share, whoever comes and goes before it`(
    seed: TestSeed
  ) throws {
    var random = seed.generator
    for _ in 0..<60 {
      let count = Int.random(in: 1...60, using: &random)
      var names = Set((0..<count).map { "n\($0)" })
      let stages = "canary,\(Int.random(in: 1...40, using: &random))%,70%,100%"
      let rollout = try rollout(
        stages, canaries: Bool.random(using: &random) ? ["n0"] : ["n1", "x"])
      var state = RolloutState(rollout: "r", phase: .rolling, epoch: 1)
      for stage in rollout.stages.indices {
        let before = names.filter { rollout.includes($0, in: state) }
        let chosen = rollout.choice(
          of: stage, id: "r", among: names.sorted(), before: state.chosen)
        state = state.changed(to: .rolling, stage: stage, chosen: chosen, why: "", by: "")
        let treated = names.filter { rollout.includes($0, in: state) }
        #expect(before.isSubset(of: treated), "\(seed)")
        let most = names.count * rollout.stages[stage].basisPoints / 10_000
        #expect(
          treated.count <= max(most, before.count, stage == 0 ? 2 : 0), "\(seed): \(stages)")
        let late = "late\(stage)"
        if rollout.stages[stage].basisPoints < 10_000 {
          #expect(!rollout.includes(late, in: state), "\(seed)")
        }
        names.insert(late)
        if let lost = names.randomElement(using: &random) { names.remove(lost) }
      }
    }
  }

  @Test func `chosen nodes are the same when they are read`() throws {
    let names = (0..<300).map { "n\($0)" }
    let chosen = ChosenNodes(names.prefix(100), rollout: "r")
    let read = try DocumentCoder.decode(
      [ChosenNodes].self, from: DocumentCoder.encode([chosen]), named: "nodes")
    #expect(read == [chosen])
    #expect(chosen.count == 100)
    #expect(names.filter { read[0].contains($0, rollout: "r") } == Array(names.prefix(100)))
    #expect(!names.contains { chosen.contains($0, rollout: "s") })
    #expect(throws: FleetError.self) {
      try DocumentCoder.decode([ChosenNodes].self, from: Array(#"["AAAA"]"#.utf8), named: "nodes")
    }
  }
}
