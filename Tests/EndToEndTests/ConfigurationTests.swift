// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What the operator's file makes of a daemon.
@Suite struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stage(_ configuration: String) throws -> Stage {
    try configuration.write(
      toFile: "\(folder.path)/bankd.conf", atomically: false, encoding: .utf8)
    let stage = try Stage(environment: ["WAXWING_CONFIG_DIR": folder.path])
    try stage.write(Self.patch, to: "fees.lua")
    return stage
  }

  private static let patch = """
    patch { name = "fees" }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount) return 7 end
    """

  private func apply(_ stage: Stage) throws -> String { try stage.waxwing(["apply", "fees.lua"]) }

  @Test func `a configuration that does not hold: nothing is applied, and it is said loudly`()
    throws
  {
    let stage = try stage("protcet bankd.*\nlimits.memry = 5\n")
    let refused = try apply(stage)
    for part in [
      "waxwing: error: this program's configuration has mistakes, so patching is disabled",
      "/bankd.conf:1: the line is neither `key = value` nor a rule; did you mean 'protect'?",
      "/bankd.conf:2: there is no key `limits.memry`; did you mean 'limits.memory'",
      "waxwing: hint: fix it and run `waxwing config reload`; patches can be reverted",
      "exited(3)",
    ] {
      expectContains(refused, part)
    }
    let status = try stage.waxwing(["status"])
    expectContains(status, "configuration: REFUSED, so patching is disabled; restore works")
    expectContains(status, "bankd.conf:1: the line is neither")
    #expect(status.hasSuffix("exited(10)"))
    expectContains(stage.log, "waxwing error config.error: the configuration has mistakes")
    try expectContains(stage.waxwing(["restore"]), "nothing to do")
    try expectContains(stage.bankd.ask("GET", "/health"), "ok")
    try expectContains(stage.waxwing(["metrics"]), "waxwing_configuration_errors 2")
  }

  @Test func `what is protected is not patched, and a refused patch leaves no trace`() throws {
    let stage = try stage("protect bankd.FeeSchedule\n")
    try expectEqual(
      apply(stage),
      """
        waxwing: error: fees.lua: bankd.FeeSchedule.fee(on:) may not be patched here: the host \
      protects `bankd.FeeSchedule`
        waxwing: hint: leave it out of the patch, or ask the program's operator to change the rules
        exited(3)
      """)
    try expectContains(stage.waxwing(["list"]), "is at baseline")
    try expectContains(stage.waxwing(["restore"]), "nothing to do")
  }

  @Test func `the operator's word against unsigned patches counts more than the program's`()
    throws
  {
    let stage = try stage("unsigned = refuse\n")
    try expectContains(apply(stage), "the patch is not signed")
    #expect(try !stage.waxwing(["status"]).contains("INSECURE"))
    try expectContains(stage.waxwing(["metrics"]), "waxwing_insecure 0")
  }

  @Test func `a signer may override what the operator says`() throws {
    let stage = try stage(
      """
      unsigned = refuse
      signers = \(folder.path)/allowed_signers
      signer alice@ops may override bankd.Account.*

      """)
    func bash(_ line: String) throws {
      let result = try Command("/bin/bash", ["-c", line], directory: stage.folder).run()
      expectSuccess(result)
    }
    try stage.write(
      Self.patch.replacing(
        "name = \"fees\"", with: "name = \"fees\", program = \"bankd\", serial = 1"),
      to: "fees.lua")
    for name in ["alice", "bob"] {
      try bash(
        "ssh-keygen -q -t ed25519 -N '' -C '' -f \(name) && "
          + "echo \"\(name)@ops $(cat \(name).pub)\" >> \(folder.path)/allowed_signers")
    }
    _ = try stage.waxwing(["sign", "fees.lua", "--key", "\(stage.folder)/alice"])
    let refused = try apply(stage)
    expectContains(
      refused,
      "patches by alice@ops may not override bankd.FeeSchedule.fee(on:) here: the host allows only "
        + "bankd.Account.*")
    try bash("rm fees.lua.sig")
    _ = try stage.waxwing(["sign", "fees.lua", "--key", "\(stage.folder)/bob"])
    let applied = try apply(stage)
    expectContains(applied, "applied fees")
  }

  @Test func `the stricter limit holds, unless the file allows more`() throws {
    var stage = try stage("limits.overrides = 1\n")
    try stage.write(
      Self.patch + "\nlocal Account = class \"bankd.Account\"\nfunction Account:deposit(a) end\n",
      to: "fees.lua")
    try expectContains(apply(stage), "the patch has 2 overrides; the host allows 1")
    stage = try self.stage("limits.overrides = allow 10k\n")
    try expectContains(apply(stage), "applied fees")
  }

  @Test func `a rule that means nothing is told at the start, and by status`() throws {
    let stage = try stage(
      "protect bankd.FeeShedule, bankd.Account\nsigner a@b may override bankd.*.nothing\n")
    let status = try stage.waxwing(["status"])
    let sentence =
      "`protect bankd.FeeShedule` names no function of this program; did you mean 'bankd.FeeSchedule'"
    expectContains(status, "warning: \(sentence)")
    expectContains(
      status, "`signer a@b may override bankd.*.nothing` names no function of this program")
    #expect(!status.contains("`protect bankd.Account`"))
    // A thread of its own finds that out.
    waitUntil("the warning", seen: stage.log) {
      stage.log.contains("waxwing warning config.unmatched: \(sentence)")
    }
  }

  private func write(_ configuration: String) throws {
    try configuration.write(
      toFile: "\(folder.path)/bankd.conf", atomically: false, encoding: .utf8)
  }

  @Test
  func `a reload with mistakes changes nothing and prints them; one without holds at once`()
    throws
  {
    let stage = try stage("protect bankd.FeeSchedule\n")
    try expectContains(apply(stage), "may not be patched here")
    try write("protect bankd.Account\nlimits.memry = 5\n")
    let refused = try stage.waxwing(["config", "reload"])
    expectContains(refused, "the configuration has 1 mistake and was not reloaded")
    expectContains(refused, "bankd.conf:2: there is no key `limits.memry`")
    #expect(refused.hasSuffix("exited(3)"), "\(refused)")
    try expectContains(apply(stage), "may not be patched here")
    try expectContains(stage.waxwing(["status"]), "configuration: /")

    try write("protect bankd.Account\nunsigned = allow\n")
    let reloaded = try stage.waxwing(["config", "reload"])
    expectContains(reloaded, "reloaded bankd (pid PID): /")
    try expectContains(apply(stage), "applied fees")
    expectContains(stage.log, "waxwing info config.reloaded: ")

    try write("protect bankd.FeeSchedule\nunsigned = refuse\nstore = \(folder.path)/other\n")
    let strict = try stage.waxwing(["config", "reload"])
    expectContains(strict, "`store` takes effect at the program's next start")
    expectContains(
      strict, "warning: fees is live: bankd.FeeSchedule.fee(on:) may not be patched here")
    // What the file allowed before is allowed no more.
    try expectContains(apply(stage), "the patch is not signed")
    try expectContains(stage.waxwing(["restore"]), "restored baseline")
  }

  @Test func `a program that started with a mistake takes patches after a reload`() throws {
    let stage = try stage("nonsense\n")
    try expectContains(apply(stage), "configuration has mistakes")
    try write("limits.overrides = 5\n")
    try expectContains(stage.waxwing(["config", "reload"]), "reloaded bankd")
    try expectContains(apply(stage), "applied fees")
  }

  @Test func `a log that is required and not there: nothing is applied`() throws {
    let stage = try stage("audit-required = yes\n")
    try expectContains(apply(stage), "this host requires an audit log to apply patches")
    try expectContains(stage.waxwing(["restore"]), "nothing to do")
    let attempted = try self.stage("audit-required = no\naudit = \(folder.path)/none/a.audit\n")
    try expectContains(apply(attempted), "applied fees")
    expectContains(attempted.log, "audit.error")
    let kept = try self.stage("audit = \(folder.path)/none/a.audit\n")
    try expectContains(apply(kept), "nothing is applied without an audit record")
  }
}
