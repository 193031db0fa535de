// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

extension FleetSuite {
  /// TLS, and users whose tokens end.
  @Suite struct AccessTests {
    @Test func `etcd's certificate has to be of the authority that is named`() throws {
      let other = try EtcdCertificates()
      let stage = try FleetStage(etcd: try Etcd(certificates: try EtcdCertificates()))
      let set = try stage.publish(1)
      try stage.settle(set)
      let second = try stage.publish(2)

      for (authority, reason) in [
        (other.authority, "certificate"), ("/nowhere.pem", "/nowhere.pem"),
      ] {
        let refused = try stage.fleet("status", "--ca", authority, fails: true)
        #expect(refused.status == .exited(5), "\(refused)")
        #expect(refused.standardError.contains(reason), "\(refused)")
        #expect(refused.standardError.contains("hint: name with --ca"), "\(refused)")
      }
      // The right authority, and an address that the certificate is not for.
      let elsewhere = stage.etcd.endpoints[0].replacing("127.0.0.1", with: "localhost")
      let refused = try stage.fleet("status", "--etcd", elsewhere, fails: true)
      #expect(refused.standardError.contains("hint: name with --ca"), "\(refused)")
      let plain = stage.etcd.endpoints[0].replacing("https:", with: "http:")
      let unencrypted = try stage.fleet("status", "--etcd", plain, fails: true)
      #expect(unencrypted.standardError.contains("hint: check the address"), "\(unencrypted)")

      // An agent that does not know etcd leaves its daemon as it is, and says why.
      stage.agents["b"] = nil
      try stage.startAgent("b", ["--ca", other.authority])
      try stage.start(second)
      try stage.move(to: .rolling, stage: 1)
      try stage.waitFor(second, on: "a")
      try stage.wait("the agent says why") {
        stage.agents["b"]?.standardError.contains("certificate") == true
      }
      #expect(try stage.live("b").map(\.version) == [1])
      try stage.checkAll()
      try expectEqual(stage.history(), ["published", "started", "published", "started"])
    }

    @Test func `where etcd demands a certificate, programs have one or say what they need`() throws
    {
      let certificates = try EtcdCertificates()
      let etcd = try Etcd(certificates: certificates, demandsCertificates: true)
      let stage = try FleetStage(etcd: etcd)
      try stage.settle(try stage.publish(1))
      let other = try EtcdCertificates()
      for (certificate, key) in [
        ("", ""), (other.certificate, other.key), ("/nowhere.pem", "/nowhere.pem"),
        (certificates.certificate, other.key),
      ] {
        let refused = try stage.fleet(
          "status", "--cert", certificate, "--cert-key", key, fails: true)
        #expect(refused.status == .exited(5), "\(refused)")
        #expect(
          refused.standardError.contains("hint: name with --cert and --cert-key"), "\(refused)")
      }
      try stage.checkAll()
    }

    /// Tokens that etcd forgets, and such that it does not know: these are of a revision of its users.
    @Test(arguments: [nil, "2s", "1h"])
    func `tokens that end are asked for again, also where etcd has forgotten all`(
      signedFor: String?
    ) throws {
      let keys = try EtcdCertificates()
      let jwt = "jwt,pub-key=\(keys.certificate),priv-key=\(keys.key),sign-method=ES256,ttl="
      let etcd = try Etcd(
        options: ["--bcrypt-cost", "4", "--auth-token"]
          + (signedFor.map { [jwt + $0] } ?? ["simple", "--auth-token-ttl", "1"]))
      let stage = try FleetStage([], etcd: etcd)
      let set = try stage.publish(1)
      let user = try stage.enableUsers()
      let controller = try stage.startController("one", environment: user("controller"))
      try stage.startDaemon("a")
      // Its token ends between two reports.
      try stage.startAgent("a", ["--report", "4s"], environment: user("agent"))
      try stage.wait("the agent is there") { try stage.report("a")?.daemons == 1 }
      try stage.start(
        set, ["--stages", "canary@6s,100%@5s", "--min-calls", "0"], environment: user("root"))
      try stage.waitFor(set, on: "a")
      try etcd.kill(0)
      try etcd.restart(0)
      try stage.wait("the rollout is done") { try stage.state()?.phase == .done }
      try stage.waitFor(set, on: "a")
      // Roles that change are another revision of etcd's users, which a token may be of.
      try etcd.etcdctl(["role", "add", "another"])
      try stage.fleet("halt", environment: user("root"))
      try stage.waitFor(nil, on: "a")
      try stage.fleet("halt", "--lift", environment: user("root"))
      try stage.waitFor(set, on: "a")
      try expectEqual(
        stage.history(), ["published", "started", "stage", "done", "halted", "lifted"])
      controller.send(signal: SIGTERM)
    }
  }
}
