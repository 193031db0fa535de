// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

@Suite struct ObjectsTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func table(accounts: String) -> String {
    """
    PATCH      HOLDS         COUNT
    overdraft  \(accounts)
    rounding   (nothing)         0

    """
  }

  @Test func `objects shows what each patch holds, the most frequent first`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let collected = table(
      accounts: """
        Bank.Money       12
                   Bank.Account      2
                   (errors)          1
                   Bank.Ledger       1
        """)
    #expect(try tool.run("objects") == Tool.Result(exitCode: 0, output: collected))
    #expect(try tool.run("objects", "bankd") == Tool.Result(exitCode: 0, output: collected))
    let all = try tool.run("objects", "--uncollected")
    #expect(all.output.contains("overdraft  Bank.Account   1200\n"))
  }

  @Test func `objects as JSON is the daemon and its patches`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    struct Document: Decodable {
      let daemon: DaemonInfo
      let patches: [HeldObjects]
    }
    let result = try tool.run("objects", "--json")
    let document = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    #expect(result.exitCode == 0)
    #expect(document.daemon.program == "bankd")
    #expect(document.patches == [FakeDaemon.held(true), FakeDaemon.nothing])
  }

  @Test func `objects says so when nothing is patched`() throws {
    let daemon = try FakeDaemon(tool) { request in
      if request is HelloRequest { return FakeDaemon.answer(request) }
      return .to(ObjectsRequest.self, [])
    }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("objects")
        == Tool.Result(exitCode: 0, output: "bankd (pid 4711) is at baseline: no patches\n"))
  }
}
