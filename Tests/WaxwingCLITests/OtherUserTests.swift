// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// Needs root, which alone can become another user.
@Suite(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
struct OtherUserTests {
  let tool: Tool
  let daemon: FakeDaemon
  private let nobody = [
    "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
  ]

  init() throws {
    tool = try Tool()
    daemon = try FakeDaemon(tool)
  }

  @Test func `another user's daemon exits 8 and names the owner`() throws {
    #expect(chmod(tool.folder.path, 0o755) == 0)
    let path = daemon.server.path
    let closed = Tool.Result(
      exitCode: 8,
      errors: """
        waxwing: error: not permitted: \(path) belongs to another user (uid 0)
        waxwing: hint: run waxwing as that user or as root

        """)
    // First the folder is closed, then the socket alone.
    #expect(try tool.run("list", "--socket", path, through: nobody) == closed)
    #expect(chmod(tool.folder.path + "/s", 0o755) == 0)
    #expect(try tool.run("list", "--socket", path, through: nobody) == closed)
    daemon.server.stop()
  }

  @Test func `a daemon refuses another user even if the socket is open`() throws {
    #expect(chmod(tool.folder.path, 0o755) == 0)
    #expect(chmod(tool.folder.path + "/s", 0o755) == 0)
    #expect(chmod(daemon.server.path, 0o666) == 0)
    #expect(
      try tool.run("list", "--socket", daemon.server.path, through: nobody)
        == Tool.Result(
          exitCode: 8,
          errors: """
            waxwing: error: uid 65534 may not use this process, which belongs to uid 0
            waxwing: hint: run waxwing as that user or as root

            """))
    daemon.server.stop()
  }
}
