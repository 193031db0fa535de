// SPDX-License-Identifier: MIT

import ByteTrials
import Testing
import WaxwingControl
import WaxwingTestSupport

/// Who has signed what, as the tool shows and sends it.
@Suite struct SignerTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func patch(_ name: String, _ origin: PatchStatus.Origin?) -> PatchStatus {
    PatchStatus(
      name: name, version: 1, file: "\(name).lua", state: .active,
      appliedAt: Timestamp(secondsSince1970: 1_700_000_000), overrides: [], origin: origin)
  }

  @Test func `the list has signers once a patch is signed, and says where one is missing`()
    throws
  {
    let daemon = try FakeDaemon(tool) { _ in
      .to(
        ListRequest.self,
        [
          patch("a", .init(kind: .signed, signer: "alice@ops", key: "SHA256:x")),
          patch("b", .init(kind: .unsigned)), patch("c", .init(kind: .program)), patch("d", nil),
        ])
    }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("list").output == """
        PATCH  VERSION  STATE   SIGNER         OVERRIDE  CALLS  ERRORS
        a            1  active  alice@ops      (none)
        b            1  active  (none)         (none)
        c            1  active  (the program)  (none)
        d            1  active                 (none)

        """)
  }

  @Test func `the status is loud where patches need no signature`() throws {
    for (allows, isLoud) in [(true, true), (false, false), (nil, false)] as [(Bool?, Bool)] {
      let daemon = try FakeDaemon(tool) { _ in
        .to(
          StatusRequest.self,
          DaemonStatus(daemon: FakeDaemon.info(), patches: [], allowsUnsigned: allows))
      }
      defer { daemon.server.stop() }
      let output = try tool.run("status").output
      #expect(output.contains("INSECURE, patches are applied without a signature") == isLoud)
    }
  }

  @Test func `the bytes and the signature beside them are sent, and nothing is verified here`()
    throws
  {
    let received = Received()
    let daemon = try FakeDaemon(tool) { request in
      received.add(request)
      return .to(ApplyRequest.self, ApplyReport(applied: [.init(patch: FakeDaemon.overdraft)]))
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "a.lua")
    try tool.folder.write("return 1".utf8, to: "b/main.lua")
    for name in ["a.lua.minisig", "b/SHA256SUMS.sig"] { try tool.folder.write("s".utf8, to: name) }
    #expect(try tool.run("apply", "a.lua").exitCode == 0)
    try tool.folder.write("t".utf8, to: "a.lua.sig")
    #expect(try tool.run("apply", "a.lua").exitCode == 0)
    #expect(try tool.run("apply", "b").exitCode == 0)
    let signatures = received.requests.map { request -> PatchFilePayload? in
      guard let apply = request as? ApplyRequest else { return nil }
      return apply.patches[0].signature
    }
    #expect(
      signatures == [
        PatchFilePayload(name: "a.lua.minisig", bytes: Array("s".utf8)),
        PatchFilePayload(name: "a.lua.sig", bytes: Array("t".utf8)),
        PatchFilePayload(name: "SHA256SUMS.sig", bytes: Array("s".utf8)),
      ])
  }

  @Test func `verify needs a list, and names what it looked for`() throws {
    try tool.folder.write("return 1".utf8, to: "a.lua")
    try tool.folder.write("s".utf8, to: "a.lua.sig")
    let result = try tool.run("verify", "a.lua", "--signers", "/nonexistent/list")
    #expect(
      result
        == Tool.Result(
          exitCode: 3,
          errors: """
            waxwing: error: /nonexistent/list: there is no list of authorised keys
            waxwing: hint: create it, with one line for each person: NAME, and the key from their id_ed25519.pub

            """))
  }
}
