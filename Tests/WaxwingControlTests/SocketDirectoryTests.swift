// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct SocketDirectoryTests {
  @Test func `a program's socket is named for it`() throws {
    let directory = SocketDirectory(path: "/run/waxwing")
    #expect(try directory.socketPath(for: "bankd") == "/run/waxwing/bankd.sock")
  }

  @Test(arguments: ["", ".hidden", "a/b", "../a", "a\0b"])
  func `a name that is none is refused`(name: String) {
    #expect(throws: ControlError.self) {
      try SocketDirectory(path: "/run/waxwing").socketPath(for: name)
    }
  }

  @Test func `only live daemons are listed, by name`() throws {
    let folder = try TemporaryFolder()
    let directory = SocketDirectory(path: folder.path)
    #expect(try directory.liveDaemons().isEmpty)
    let servers = try ["shopd", "bankd"].map {
      ControlServer(path: try directory.socketPath(for: $0), handler: TestServer.answer)
    }
    for server in servers { try server.start() }
    makeStaleSocket(folder.path + "/dead.sock")
    try folder.write([], to: "file.sock")
    #expect(try directory.liveDaemons().map(\.program) == ["bankd", "shopd"])
    #expect(try directory.liveDaemons().map(\.pid) == [getpid(), getpid()])
    for server in servers { server.stop() }
    #expect(try directory.liveDaemons().isEmpty)
  }

  @Test func `a folder that is not there has no daemons, a forged one is refused`() throws {
    let folder = try TemporaryFolder()
    #expect(try SocketDirectory(path: folder.path + "/none").liveDaemons().isEmpty)
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(throws: ControlError.self) { try SocketDirectory(path: folder.path).liveDaemons() }
  }
}
