// SPDX-License-Identifier: MIT

import Glibc
import Testing
import WaxwingTestSupport

@Suite struct LifecycleTests {
  @Test func `help is printed and nothing started`() throws {
    #expect(
      try run("--help")
        == CommandResult(
          status: .exited(0),
          standardOutput: """
            bankd: a small bank over HTTP, on 127.0.0.1 only.

            Usage: bankd [--port N] [--signed [--signers FILE] [--revoked FILE]]

              --port N        TCP port to listen on; 0 takes any free one (default: 8080)
              --signed        apply signed patches only
              --signers FILE  who may sign them (default: /etc/waxwing/allowed_signers)
              --revoked FILE  whose keys are revoked (default: /etc/waxwing/revoked_signers)
              --help          show this text

            Stops on SIGTERM and SIGINT, after answering the requests under way.

            """, standardError: ""))
  }

  @Test(
    arguments: [
      (["--port"], "--port needs a number"),
      (["--port", "65536"], "--port needs a number from 0 to 65535, not '65536'"),
      (["--verbose"], "unknown argument '--verbose'"),
      (["--signers"], "--signers needs a path"),
    ])
  func `a wrong command line is refused with exit code 64`(arguments: [String], message: String)
    throws
  {
    #expect(
      try run(arguments)
        == CommandResult(
          status: .exited(64), standardOutput: "",
          standardError: "bankd: \(message)\nSee 'bankd --help'.\n"))
  }

  @Test func `a port that is taken is one clear error`() throws {
    let bankd = try Bankd()
    let port = "\(bankd.port)"
    #expect(
      try run("--port", port, "--signed")
        == CommandResult(
          status: .exited(1), standardOutput: "",
          standardError: "bankd: bind to port \(port): Address already in use\n"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends idle connections and the process, in order`(signal: Int32) throws {
    let bankd = try Bankd()
    var idle = try bankd.connect()
    _ = try idle.request("GET", "/health")
    bankd.process.send(signal: signal)
    #expect(try idle.isClosedByServer())
    #expect(try bankd.process.waitForExit(timeout: .seconds(4)) == .exited(0))
    #expect(bankd.process.standardOutput.hasSuffix("bankd stopped\n"))
    #expect(bankd.log == Bankd.insecureLine)
  }

  private func run(_ arguments: String...) throws -> CommandResult {
    try run(arguments)
  }

  private func run(_ arguments: [String]) throws -> CommandResult {
    let directory = try TemporaryDirectory()
    return try Bankd.command(arguments, socketDirectory: directory.path).run()
  }
}
