// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct NoDaemonTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `no daemon at all exits 7`() throws {
    let sockets = tool.folder.path + "/s"
    #expect(
      try tool.run("list")
        == Tool.Result(
          exitCode: 7,
          errors: """
            waxwing: error: no daemon: nothing listens in \(sockets)
            waxwing: hint: start the program, or name its socket with --socket

            """))
    #expect(
      try tool.run("list", "bankd")
        == Tool.Result(
          exitCode: 7,
          errors: """
            waxwing: error: no daemon: there is no socket at \(sockets)/bankd.sock
            waxwing: hint: start the program, and check that it calls WaxwingEngine.listen

            """))
  }

  @Test func `a dead socket exits 7`() throws {
    let dead = tool.folder.path + "/dead.sock"
    let maker = Command(
      "/usr/bin/perl",
      [
        "-MSocket", "-e", "socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0]))",
        dead,
      ])
    try #require(maker.run().isSuccess)
    #expect(
      try tool.run("status", "--socket", dead)
        == Tool.Result(
          exitCode: 7,
          errors: """
            waxwing: error: no daemon: the process that made \(dead) is gone
            waxwing: hint: start the program again; it replaces the socket

            """))
  }

  @Test func `a daemon that takes no connection is busy, and not away`() throws {
    let folder = tool.folder.path + "/s"
    #expect(mkdir(folder, 0o700) == 0)
    let path = folder + "/bankd.sock"
    let full = try Command(
      "/usr/bin/perl",
      [
        "-MSocket", "-MFcntl", "-e",
        """
        $| = 1; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])); listen(S, 0);
        my @c; while (1) { socket(my $c, PF_UNIX, SOCK_STREAM, 0); fcntl($c, F_SETFL, O_NONBLOCK);
          connect($c, sockaddr_un($ARGV[0])) or last; push @c, $c; }
        print "full\\n"; sleep 600;
        """, path,
      ]
    ).start()
    _ = try full.waitForLine(startingWith: "full")
    for arguments in [["list"], ["restore", "bankd"], ["status", "--socket", path]] {
      let result = try tool.run(list: arguments + ["--timeout", "1"])
      #expect(result.exitCode == 5)
      #expect(
        result.errors.hasPrefix(
          "waxwing: error: the daemon at \(path) is busy: it is there, but took"),
        "\(result)")
    }
  }

  @Test func `a name near a running daemon's is suggested`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("list", "bnkd")
        == Tool.Result(
          exitCode: 7,
          errors: """
            waxwing: error: no daemon: nothing listens at \(tool.folder.path)/s/bnkd.sock; running are
              bankd (pid \(getpid()))
            waxwing: hint: did you mean 'bankd'?

            """))
  }

  @Test func `several daemons are listed and one must be chosen`() throws {
    let bankd = try FakeDaemon(tool)
    let shopd = try FakeDaemon(tool, program: "shopd")
    defer {
      bankd.server.stop()
      shopd.server.stop()
    }
    #expect(
      try tool.run("restore")
        == Tool.Result(
          exitCode: 2,
          errors: """
            waxwing: error: 2 daemons are running
              bankd (pid \(getpid()))
              shopd (pid \(getpid()))
            waxwing: hint: choose one: waxwing restore … --program bankd

            """))
  }

  @Test func `a daemon that does not answer exits 5 in time`() throws {
    let gate = DispatchSemaphore(value: 0)
    let daemon = try FakeDaemon(tool) { _ in
      gate.waitInTime()
      return .to(ListRequest.self, [])
    }
    let result = try tool.run("list", "--timeout", "0.5")
    gate.signal()
    daemon.server.stop()
    #expect(result.exitCode == 5)
    #expect(
      result.errors.hasPrefix(
        "waxwing: error: the daemon (pid \(getpid())) did not answer within 0.5 s\n"))
  }

  @Test func `a socket path that is too long exits 2`() throws {
    let path = "/tmp/" + String(repeating: "x", count: 150)
    let result = try tool.run("list", "--socket", path)
    #expect(result.exitCode == 2)
    #expect(
      result.errors.hasPrefix(
        "waxwing: error: the socket path has 155 bytes; the limit is 107: \(path)\n"))
  }
}
