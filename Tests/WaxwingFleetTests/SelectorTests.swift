// SPDX-License-Identifier: MIT

import Testing
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
}
