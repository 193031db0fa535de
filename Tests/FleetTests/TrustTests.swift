// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingTestSupport

extension FleetSuite {
  @Suite("Who can write to etcd cannot change a program")
  struct TrustTests {
    @Test("A patch that was changed in etcd is not applied")
    func forgedPatch() throws {
      let stage = try FleetStage(["a"])
      let set = try stage.publish(1)
      let blob = try #require(stage.published[set]?.patches.first?.blob)
      let key = stage.keys.key(.blob(blob))
      let entry = try #require(try stage.backend.get(key))
      let text = String(decoding: entry.value, as: UTF8.self)
      try stage.backend.put(key, Array(text.replacing("return 1", with: "return 6").utf8))
      try stage.start(set)
      try expectTrouble(stage, "its hash is wrong")
      // Put back, it is applied when the agent looks again, which any change makes it do.
      try stage.backend.put(key, entry.value)
      try stage.fleet("pause")
      try stage.waitFor(set, on: "a")
    }

    @Test(
      "A set that nobody may sign, or that was changed, is not applied", arguments: [false, true])
    func forgedSet(isSigned: Bool) throws {
      let stage = try FleetStage(["a"])
      let real = try stage.publish(1)
      let set = try #require(stage.published[real])
      let bytes = DocumentCoder.encode(
        FleetSet(program: "bankd", patches: set.patches, note: "forged"))
      let stored = try #require(try stage.backend.get(stage.keys.key(.set(real))))
      let document = SignedDocument(
        bytes: bytes,
        signature: isSigned
          ? try signature(of: bytes, by: "other", stage)
          : try SignedDocument(stored: stored.value, id: real).signature)
      try stage.backend.put(stage.keys.key(.set(document.id)), DocumentCoder.encode(document))
      // The rollout is signed as it should be: its set is not.
      try startBySomebody(stage, Rollout.sample(set: document.id, serial: 1), by: "key")
      try expectTrouble(stage, isSigned ? "the key is not in it" : "has not signed these bytes")
    }

    @Test("A rollout that nobody may sign is not followed")
    func forgedRollout() throws {
      let stage = try FleetStage(["a"])
      let set = try stage.publish(1)
      try startBySomebody(stage, Rollout.sample(set: set, serial: 1), by: "other")
      try expectTrouble(stage, "the key is not in it")
    }

    @Test("The daemon itself refuses a patch without a signature, whoever has signed its set")
    func unsignedPatch() throws {
      let stage = try FleetStage(["a"])
      try stage.writePatch(1, signedBy: nil)
      let text = try String(contentsOfFile: "\(stage.path)/fees.lua", encoding: .utf8)
      let bundle = BundleCoder.encode(
        PatchBundle(files: [PatchFile(name: "fees.lua", bytes: Array(text.utf8))]))
      let hash = ContentHash(of: bundle).hex
      try stage.backend.put(stage.keys.key(.blob(hash)), bundle)
      let bytes = DocumentCoder.encode(
        FleetSet(
          program: "bankd", patches: [.init(name: "fees", version: 1, serial: 1, blob: hash)]))
      let document = SignedDocument(
        bytes: bytes, signature: try signature(of: bytes, by: "key", stage))
      try stage.backend.put(stage.keys.key(.set(document.id)), DocumentCoder.encode(document))
      try startBySomebody(stage, Rollout.sample(set: document.id, serial: 1), by: "key")
      try expectTrouble(stage, "not signed")
    }

    @Test("A rollout of old does not come back")
    func replayed() throws {
      let stage = try FleetStage(["a"])
      let (first, second) = (try stage.publish(1), try stage.publish(2))
      try stage.settle(first, on: ["a"])
      let old = try #require(try stage.backend.get(stage.keys.key(.state)))
      try stage.settle(second, on: ["a"])
      try stage.backend.put(stage.keys.key(.state), old.value)
      try stage.wait("the agent says so") {
        try stage.report("a")?.trouble?.contains("this node has acted on 2") == true
      }
      #expect(try stage.live("a").map(\.version) == [2])
      // Also by an agent that was started anew.
      stage.agents["a"] = nil
      try stage.startAgent("a")
      try stage.wait("the new agent says so") {
        stage.agents["a"]?.standardError.contains("this node has acted on 2") == true
      }
      #expect(try stage.live("a").map(\.version) == [2])
      try stage.checkAll()
    }

    @Test("A rollout that has expired is not followed")
    func expired() throws {
      let stage = try FleetStage(["a"])
      let set = try stage.publish(1)
      try startBySomebody(stage, Rollout.sample(set: set, serial: 1, lifetime: -1), by: "key")
      try expectTrouble(stage, "expired")
    }

    @Test("Roles of etcd: an agent writes about its own node only, and an observer nothing")
    func roles() throws {
      let stage = try FleetStage([])
      let set = try stage.publish(1)
      try stage.start(set, ["--canaries", "a", "--unseen"])
      let user = try stage.enableUsers()("agent")
      try stage.startDaemon("a")
      try stage.startAgent("a", environment: user)
      try stage.wait("the set is live") { try stage.live("a").map(\.version) == [1] }
      try stage.wait("the node reports") {
        let nodes = try stage.fleet("nodes", environment: user).standardOutput
        return nodes.contains(set.prefix(12))
      }
      for command in [["halt"], ["abort"]] {
        let result = try stage.fleet(command[0], environment: user, fails: true)
        #expect(result.status == .exited(8), "\(result)")
      }
      let nobody = try stage.fleet("nodes", fails: true)
      #expect(nobody.status == .exited(8), "\(nobody)")
      try stage.checkAll()
    }

    /// The agent says why, and the daemon stays as it was.
    private func expectTrouble(_ stage: FleetStage, _ text: String) throws {
      try stage.wait("the report says: \(text)") {
        try stage.report("a")?.trouble?.contains(text) == true
      }
      #expect(try stage.live("a").isEmpty)
      try stage.checkAll()
    }

    private func startBySomebody(_ stage: FleetStage, _ rollout: Rollout, by key: String) throws {
      let bytes = DocumentCoder.encode(rollout)
      let document = SignedDocument(
        bytes: bytes, signature: try signature(of: bytes, by: key, stage))
      try stage.backend.put(
        stage.keys.key(.rollout(document.id)), DocumentCoder.encode(document))
      let state = RolloutState(rollout: document.id, phase: .rolling, stage: 0, epoch: 1)
      try stage.backend.put(stage.keys.key(.state), DocumentCoder.encode(state))
    }

    /// By a key that is made if it is not there: nobody knows it then.
    private func signature(
      of bytes: [UInt8], by key: String, _ stage: FleetStage
    ) throws -> String {
      try stage.directory.write(String(decoding: bytes, as: UTF8.self), to: "document")
      try stage.bash("[ -e \(key) ] || ssh-keygen -q -t ed25519 -N '' -C '' -f \(key)")
      try stage.bash("ssh-keygen -q -Y sign -n waxwing-fleet -f \(key) < document > document.sig")
      return try String(contentsOfFile: "\(stage.path)/document.sig", encoding: .utf8)
    }
  }
}

extension Rollout {
  /// A rollout to the node `a` at once.
  static func sample(set: String, serial: Int, lifetime: Int = 3600) -> Rollout {
    Rollout(
      serial: serial, set: set, previous: nil, selector: "all", canaries: ["a"],
      stages: [RolloutStage(basisPoints: 0, bakeSeconds: 1)],
      expires: Timestamp(secondsSince1970: Timestamp.now().secondsSince1970 + lifetime))
  }
}
