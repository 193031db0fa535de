// SPDX-License-Identifier: MIT

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
      #expect(refused.contains(part), "\(refused)")
    }
    let status = try stage.waxwing(["status"])
    #expect(status.contains("configuration: REFUSED, so patching is disabled; restore works"))
    #expect(status.contains("bankd.conf:1: the line is neither"), "\(status)")
    #expect(status.hasSuffix("exited(10)"))
    #expect(stage.log.contains("waxwing error config.error: the configuration has mistakes"))
    #expect(try stage.waxwing(["restore"]).contains("nothing to do"))
    #expect(try stage.bankd.ask("GET", "/health").contains("ok"))
    #expect(try stage.waxwing(["metrics"]).contains("waxwing_configuration_errors 2"))
  }

  @Test func `what is protected is not patched, and a refused patch leaves no trace`() throws {
    let stage = try stage("protect bankd.FeeSchedule\n")
    #expect(
      try apply(stage) == """
          waxwing: error: fees.lua: bankd.FeeSchedule.fee(on:) may not be patched here: the host \
        protects `bankd.FeeSchedule`
          waxwing: hint: leave it out of the patch, or ask the program's operator to change the rules
          exited(3)
        """)
    #expect(try stage.waxwing(["list"]).contains("is at baseline"))
    #expect(try stage.waxwing(["restore"]).contains("nothing to do"))
  }

  @Test func `the operator's word against unsigned patches counts more than the program's`()
    throws
  {
    let stage = try stage("unsigned = refuse\n")
    #expect(try apply(stage).contains("the patch is not signed"))
    #expect(try !stage.waxwing(["status"]).contains("INSECURE"))
    #expect(try stage.waxwing(["metrics"]).contains("waxwing_insecure 0"))
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
      #expect(result.isSuccess, "\(line): \(result)")
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
    #expect(
      refused.contains(
        "patches by alice@ops may not override bankd.FeeSchedule.fee(on:) here: the host allows only "
          + "bankd.Account.*"), "\(refused)")
    try bash("rm fees.lua.sig")
    _ = try stage.waxwing(["sign", "fees.lua", "--key", "\(stage.folder)/bob"])
    let applied = try apply(stage)
    #expect(applied.contains("applied fees"), "\(applied)")
  }

  @Test func `the stricter limit holds, unless the file allows more`() throws {
    var stage = try stage("limits.overrides = 1\n")
    try stage.write(
      Self.patch + "\nlocal Account = class \"bankd.Account\"\nfunction Account:deposit(a) end\n",
      to: "fees.lua")
    #expect(try apply(stage).contains("the patch has 2 overrides; the host allows 1"))
    stage = try self.stage("limits.overrides = allow 10k\n")
    #expect(try apply(stage).contains("applied fees"))
  }

  @Test func `a rule that means nothing is told at the start, and by status`() throws {
    let stage = try stage(
      "protect bankd.FeeShedule, bankd.Account\nsigner a@b may override bankd.*.nothing\n")
    let status = try stage.waxwing(["status"])
    let sentence =
      "`protect bankd.FeeShedule` names no function of this program; did you mean 'bankd.FeeSchedule'"
    #expect(status.contains("warning: \(sentence)"), "\(status)")
    #expect(
      status.contains("`signer a@b may override bankd.*.nothing` names no function of this program")
    )
    #expect(!status.contains("`protect bankd.Account`"))
    #expect(stage.log.contains("waxwing warning config.unmatched: \(sentence)"), "\(stage.log)")
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
    #expect(try apply(stage).contains("may not be patched here"))
    try write("protect bankd.Account\nlimits.memry = 5\n")
    let refused = try stage.waxwing(["config", "reload"])
    #expect(refused.contains("the configuration has 1 mistake and was not reloaded"), "\(refused)")
    #expect(refused.contains("bankd.conf:2: there is no key `limits.memry`"), "\(refused)")
    #expect(refused.hasSuffix("exited(3)"), "\(refused)")
    #expect(try apply(stage).contains("may not be patched here"))
    #expect(try stage.waxwing(["status"]).contains("configuration: /"))

    try write("protect bankd.Account\nunsigned = allow\n")
    let reloaded = try stage.waxwing(["config", "reload"])
    #expect(reloaded.contains("reloaded bankd (pid PID): /"), "\(reloaded)")
    #expect(try apply(stage).contains("applied fees"))
    #expect(stage.log.contains("waxwing info config.reloaded: "), "\(stage.log)")

    try write("protect bankd.FeeSchedule\nunsigned = refuse\nstore = \(folder.path)/other\n")
    let strict = try stage.waxwing(["config", "reload"])
    #expect(strict.contains("`store` takes effect at the program's next start"), "\(strict)")
    #expect(
      strict.contains("warning: fees is live: bankd.FeeSchedule.fee(on:) may not be patched here"),
      "\(strict)")
    // What the file allowed before is allowed no more.
    #expect(try apply(stage).contains("the patch is not signed"))
    #expect(try stage.waxwing(["restore"]).contains("restored baseline"))
  }

  @Test func `a program that started with a mistake takes patches after a reload`() throws {
    let stage = try stage("nonsense\n")
    #expect(try apply(stage).contains("configuration has mistakes"))
    try write("limits.overrides = 5\n")
    #expect(try stage.waxwing(["config", "reload"]).contains("reloaded bankd"))
    #expect(try apply(stage).contains("applied fees"))
  }

  @Test func `a log that is required and not there: nothing is applied`() throws {
    let stage = try stage("audit-required = yes\n")
    #expect(try apply(stage).contains("this host requires an audit log to apply patches"))
    #expect(try stage.waxwing(["restore"]).contains("nothing to do"))
    let attempted = try self.stage("audit-required = no\naudit = \(folder.path)/none/a.audit\n")
    #expect(try apply(attempted).contains("applied fees"))
    #expect(attempted.log.contains("audit.error"))
    let kept = try self.stage("audit = \(folder.path)/none/a.audit\n")
    #expect(try apply(kept).contains("nothing is applied without an audit record"))
  }
}
