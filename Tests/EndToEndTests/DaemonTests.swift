// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The control socket, whoever comes to it.
@Suite struct DaemonTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
  }

  @Test func `a socket path that is too long is an error at both ends`() throws {
    let folder = "/tmp/" + String(repeating: "x", count: 120)
    let daemon = try Bankd.command(["--port", "0"], socketDirectory: folder).run()
    expectEqual(daemon.status, .exited(1))
    expectEqual(
      daemon.standardError,
      """
      bankd: the socket path has 136 bytes; the limit is 107: \(folder)/bankd.sock
      use a shorter path, or set WAXWING_SOCKET_DIR to a shorter folder

      """)
    try stage.plays(
      """
      waxwing list --socket \(folder)/bankd.sock
        waxwing: error: the socket path has 136 bytes; the limit is 107: \(folder)/bankd.sock
        waxwing: hint: use a shorter path, or set WAXWING_SOCKET_DIR to a shorter folder
        exited(2)
      """)
  }

  @Test func `a daemon that is not there, or has died, is exit code 7`() throws {
    try stage.plays(
      """
      waxwing list shopd
        waxwing: error: no daemon: nothing listens at FOLDER/shopd.sock; running are
          bankd (pid PID)
        waxwing: hint: start the program, or name one of these
        exited(7)
      """)
    stage.bankd.process.send(signal: SIGKILL)
    try stage.bankd.process.waitForExit()
    #expect(FileManager.default.fileExists(atPath: stage.socket))
    try stage.plays(
      """
      waxwing list
        waxwing: error: no daemon: nothing listens in FOLDER
        waxwing: hint: start the program, or name its socket with --socket
        exited(7)
      waxwing list --socket FOLDER/bankd.sock
        waxwing: error: no daemon: the process that made FOLDER/bankd.sock is gone
        waxwing: hint: start the program again; it replaces the socket
        exited(7)
      """)
  }

  @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
  func `another user's daemon is exit code 8`() throws {
    expectEqual(chmod(stage.folder, 0o755), 0)
    let tool = try BuiltProduct("waxwing").path
    let result = try Command(
      "/usr/bin/setpriv",
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", tool, "list", "--socket",
        stage.socket,
      ]
    ).run()
    expectEqual(
      result,
      CommandResult(
        status: .exited(8), standardOutput: "",
        standardError: """
          waxwing: error: not permitted: \(stage.socket) belongs to another user (uid 0)
          waxwing: hint: run waxwing as that user or as root

          """))
  }

  @Test func `garbage, half a frame and a huge frame are turned away, and the daemon serves on`()
    throws
  {
    let garbage = try UnixClient(path: stage.socket)
    try garbage.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    let answer = String(decoding: try garbage.receive().dropFirst(4), as: UTF8.self)
    expectContains(answer, "a frame of 1195725856 bytes is announced; the limit is 4194304")

    do {
      let leaving = try UnixClient(path: stage.socket)
      try leaving.send([0, 0, 0, 200] + Array(#"{"verb":"#.utf8))
    }
    let idle = try UnixClient(path: stage.socket)
    let noRequest = try UnixClient(path: stage.socket)
    try noRequest.send([0, 0, 0, 3] + Array("{!}".utf8))
    try expectService()
    try idle.send([0])
    expectContains(
      String(decoding: try noRequest.receive().dropFirst(4), as: UTF8.self),
      "the frame is not a request")
  }

  /// HTTP and the control socket both answer, in the process of the beginning.
  private func expectService() throws {
    try stage.plays(
      """
      GET /health
        200 {"accounts":0,"pid":PID,"status":"ok"}
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """)
  }
}
