// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A daemon that demands signatures, from the key to the revocation.
@Suite struct SigningTests {
  let stage: Stage

  init() throws {
    stage = try Stage(isSigned: true)
    try stage.write(Self.patch(serial: 4), to: "fees.lua")
    try bash("ssh-keygen -q -t ed25519 -N '' -C '' -f key")
    try allow("key", as: "alice@ops")
  }

  private static func patch(serial: Int, fee: Int = 7, _ more: String = "") -> String {
    """
    patch { name = "fees", program = "bankd", serial = \(serial)\(more) }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount) return \(fee) end
    """
  }

  @discardableResult
  private func bash(_ line: String) throws -> String {
    let result = try Command("/bin/bash", ["-c", line], directory: stage.folder).run()
    expectSuccess(result)
    return result.standardOutput
  }

  private func allow(_ key: String, as name: String, options: String = "") throws {
    try bash("echo \"\(name) \(options)$(cat \(key).pub)\" >> allowed_signers")
  }

  private func apply(_ patch: String = "fees.lua") throws -> String {
    try stage.waxwing(["apply", patch])
  }

  private func sign(_ patch: String = "fees.lua", key: String = "key") throws {
    let answer = try stage.waxwing(["sign", patch, "--key", "\(stage.folder)/\(key)"])
    #expect(answer.hasPrefix("  signed "), "\(answer)")
  }

  @Test func `a patch without a signature is refused, with one applied, and shown as such`()
    throws
  {
    try stage.plays(
      """
      waxwing apply fees.lua
        waxwing: error: fees.lua: the patch is not signed, and this daemon applies signed patches only
        waxwing: hint: sign it with `waxwing sign`; `waxwing sign --help` says how
        exited(3)
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """)
    try sign()
    try stage.plays(
      """
      waxwing apply fees.lua
        applied fees version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":7}
      waxwing status
        bankd (pid PID), engine 0.1.0
        build: BUILD
        audit log: none
        state: patched, 1 patch, 1 override, 1 call, 0 errors
        current: ID
          fees version 0: active since TIME, signed by alice@ops
        exited(9)
      waxwing list
        PATCH  VERSION  STATE   SIGNER     OVERRIDE                    CALLS  ERRORS
        fees         0  active  alice@ops  bankd.FeeSchedule.fee(on:)      1       0
      waxwing restore
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended fees
      """)
    expectContains(stage.log, "signer=alice@ops key=SHA256:")
  }

  @Test func `a patch that was changed, or is signed by another, is refused`() throws {
    try sign()
    try stage.write(Self.patch(serial: 4, fee: 8), to: "fees.lua")
    let changed = try apply()
    expectContains(changed, "has not signed these bytes: the patch or the signature was changed")
    #expect(changed.hasSuffix("exited(3)"))
    try bash("ssh-keygen -q -t ed25519 -N '' -C '' -f mallory")
    try sign(key: "mallory")
    let unknown = try apply()
    expectContains(unknown, "FOLDER/allowed_signers: the key is not in it: SHA256:")
    try bash("ssh-keygen -q -Y sign -n git -f key < fees.lua > fees.lua.sig")
    try expectContains(apply(), "it is for the namespace 'git'")
    try expectContains(stage.waxwing(["list"]), "baseline")
    expectContains(stage.log, "waxwing warning apply.refused: fees.lua.sig: ")
  }

  @Test func `a key that is revoked, or has expired, is so from the next patch on`() throws {
    try sign()
    #expect(try apply().hasPrefix("  applied fees"))
    try bash("cp key.pub revoked_signers")
    try expectContains(apply(), "which is revoked in FOLDER/revoked_signers")
    // What is live stays, and goes without any signature.
    try expectContains(stage.waxwing(["list"]), "alice@ops")
    try bash("rm revoked_signers allowed_signers")
    try expectContains(apply(), "there is no list of authorised keys")
    try expectContains(stage.waxwing(["restore"]), "restored baseline: 1 patch ended")
    try allow("key", as: "alice@ops", options: "valid-before=\\\"20200101\\\" ")
    try expectContains(apply(), "the key has expired (line 1)")
  }

  @Test func `an older serial is refused, the same patch is not`() throws {
    try sign()
    try stage.write(Self.patch(serial: 5, fee: 8), to: "newer.lua")
    try sign("newer.lua")
    #expect(try apply().hasPrefix("  applied fees"))
    #expect(try apply("newer.lua").hasPrefix("  applied fees"))
    let older = try apply()
    expectContains(
      older, "fees.lua: its serial 4 is below 5, the last that alice@ops has signed for `bankd`")
    #expect(older.hasSuffix("exited(3)"))
    #expect(try apply("newer.lua").hasPrefix("  unchanged: fees"))
    #expect(try stage.waxwing(["revert", "fees"]).hasPrefix("  reverted"))
    #expect(try apply("newer.lua").hasPrefix("  applied fees"))
  }

  @Test func `a serial far ahead, a patch that has expired and one that says too little`()
    throws
  {
    try stage.write(Self.patch(serial: .max), to: "fees.lua")
    try sign()
    try expectContains(apply(), "is more than 10000000000 above 0, the last of this key")
    try stage.write(Self.patch(serial: 1, ", expires = \"2020-01-01T00:00:00Z\""), to: "fees.lua")
    try sign()
    #expect(
      try apply().contains("fees.lua: the patch expired 2020-01-01T00:00:00Z; it is TIME now")
        || (try apply()).contains("fees.lua: the patch expired TIME; it is TIME now"))
    try stage.write("patch { name = \"fees\" }", to: "fees.lua")
    let signed = try stage.waxwing(["sign", "fees.lua", "--key", "\(stage.folder)/key"])
    expectContains(signed, "daemons that require signatures will reject this")
    try expectContains(apply(), "the manifest of a signed patch needs program, serial")
  }

  @Test func `a folder is signed by its list of files`() throws {
    try stage.write(Self.patch(serial: 1) + "\nrequire 'other'", to: "deep/main.lua")
    try stage.write("return 1", to: "deep/other.lua")
    try sign("deep")
    try expectEqual(
      bash("cd deep && sha256sum -c --strict SHA256SUMS"), "main.lua: OK\nother.lua: OK\n")
    #expect(try apply("deep").hasPrefix("  applied fees"))
    try stage.write("return 2", to: "deep/other.lua")
    try expectContains(apply("deep"), "the list does not match the files: other.lua differs")
    // The daemon makes the list itself.
    try bash("rm deep/SHA256SUMS")
    try expectContains(apply("deep"), "has not signed these bytes")
  }

  @Test func `minisign's signature is as good`() throws {
    try bash(
      "minisign -G -W -p m.pub -s m.key && minisign -S -s m.key -t waxwing-patch -m fees.lua")
    try bash("echo \"carol@ops minisign $(tail -n 1 m.pub)\" >> allowed_signers")
    #expect(try apply().hasPrefix("  applied fees"))
    try expectContains(stage.waxwing(["list"]), "carol@ops")
  }

  @Test func `a list that others can write trusts nobody`() throws {
    try sign()
    try bash("chmod 666 allowed_signers")
    let answer = try apply()
    expectContains(
      answer, "FOLDER/allowed_signers: it can be written by other users, so nobody is trusted")
  }

  @Test func `the operator can let unsigned patches in, and is told what that means`() throws {
    let stage = try Stage(isSigned: true, environment: ["WAXWING_UNSIGNED": "allow"])
    try stage.write(Self.patch(serial: 1), to: "fees.lua")
    let result = try stage.tool(["apply", "fees.lua"]).run()
    expectSuccess(result)
    expectEqual(
      result.standardError,
      "waxwing: warning: fees: INSECURE: not signed; this daemon accepts unsigned patches\n")
    try expectContains(
      stage.waxwing(["status"]), "  security: INSECURE, patches are applied without a signature\n")
    let log = Bankd.untimed(stage.bankd.process.standardError)
    #expect(log.hasPrefix(Bankd.insecureLine) && log.contains("signer=none security=INSECURE"))
    let document = try stage.waxwing(["list", "--json"])
    expectContains(document, "\"kind\" : \"unsigned\"")
  }

  @Test func `where signatures are not needed, a wrong one is refused all the same`() throws {
    let stage = try Stage(isSigned: true, environment: ["WAXWING_UNSIGNED": "allow"])
    try stage.write(Self.patch(serial: 1), to: "fees.lua")
    try stage.write("nothing", to: "fees.lua.sig")
    let unchecked = try stage.waxwing(["apply", "fees.lua"])
    expectContains(unchecked, "its signature was not checked: there is no FOLDER/allowed_signers")
    try stage.write("# nobody\n", to: "allowed_signers")
    try expectContains(
      stage.waxwing(["apply", "fees.lua"]), "it does not begin with -----BEGIN SSH")
  }

  @Test
  func
    `a patch that overrides what its manifest does not list, or not what it lists, is refused`()
    throws
  {
    let list = ", overrides = { \"bankd.FeeSchedule.fee(on:)\" }"
    try stage.write(Self.patch(serial: 1, list), to: "fees.lua")
    try sign()
    #expect(try apply().hasPrefix("  applied fees"))
    try stage.write(Self.patch(serial: 2, ", overrides = {}"), to: "fees.lua")
    try sign()
    try expectContains(
      apply(),
      "fees.lua: the patch overrides bankd.FeeSchedule.fee(on:), which its `overrides` does not list"
    )
    let longer = ", overrides = { \"bankd.FeeSchedule.fee(on:)\", \"bankd.FeeSchedule.fee(of:)\" }"
    try stage.write(Self.patch(serial: 3, longer), to: "fees.lua")
    try sign()
    let answer = try apply()
    expectContains(
      answer,
      "fees.lua: `overrides` lists bankd.FeeSchedule.fee(of:), which the patch does not override")
    expectContains(answer, "did you mean 'bankd.FeeSchedule.fee(on:)'?")
  }

  @Test func `a capability that the host does not give is refused`() throws {
    try stage.write(Self.patch(serial: 1, ", capabilities = { \"files\" }"), to: "fees.lua")
    try sign()
    try expectContains(
      apply(), "fees.lua: the patch asks for the capability `files`, which this host does not grant"
    )
  }

  @Test func `verify says who signed, and its own commands say so too`() throws {
    try sign()
    let list = "\(stage.folder)/allowed_signers"
    let result = try stage.tool(["verify", "fees.lua", "--signers", list]).run()
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    #expect(result.isSuccess && lines.count == 7, "\(result)")
    expectEqual(lines[at: 0], "fees version 0 is signed by alice@ops")
    try #expect(bash("ssh-keygen -l -f key.pub").contains(lines[at: 1].dropFirst(11)))
    expectEqual(Array(lines[2...4]), ["  program  bankd", "  serial   4", "  expires  never"])
    #expect(try bash(lines[at: 6]).hasPrefix("Good \"waxwing-patch\" signature for alice@ops"))
    try bash("cp fees.lua.sig elsewhere.sig && rm fees.lua.sig")
    try expectEqual(
      stage.waxwing(["verify", "fees.lua", "--signers", list]),
      "  waxwing: error: fees.lua: the patch is not signed\n"
        + "  waxwing: hint: sign it with `waxwing sign`\n  exited(3)")
    let named = ["verify", "fees.lua", "--signature", "elsewhere.sig", "--signers", list]
    try expectContains(stage.waxwing(named), "signed by alice@ops")
    try bash("cp key.pub revoked")
    let revoked = try stage.waxwing(named + ["--revoked", "\(stage.folder)/revoked"])
    #expect(revoked.contains("is revoked in") && revoked.hasSuffix("exited(3)"))
  }

  @Test func `sign refuses a key that daemons refuse, and leaves nothing behind`() throws {
    try bash("ssh-keygen -q -t ecdsa -N '' -f other")
    let answer = try stage.waxwing(["sign", "fees.lua", "--key", "other"])
    expectContains(answer, "it is made with a key of type ecdsa-sha2-nistp256")
    try expectContains(
      stage.waxwing(["sign", "fees.lua", "--key", "none"]), "ssh-keygen did not sign")
    try expectEqual(bash("ls fees.lua*"), "fees.lua\n")
  }

  @Test func `a key in ssh-agent signs by its public half, and the usual key needs no naming`()
    throws
  {
    let tool = try BuiltProduct("waxwing").path
    try bash(
      """
      mkdir -p .ssh && cp key.pub .ssh/id_ed25519.pub && eval "$(ssh-agent -s)" > /dev/null
      trap 'kill $SSH_AGENT_PID' EXIT
      ssh-add -q key && HOME=$PWD '\(tool)' sign fees.lua
      """)
    #expect(try apply().hasPrefix("  applied fees"))
  }
}
