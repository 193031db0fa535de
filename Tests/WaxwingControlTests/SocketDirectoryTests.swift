// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct SocketDirectoryTests {
  private func server(_ directory: SocketDirectory, _ instance: String?) throws -> ControlServer {
    let path = try directory.socketPath(for: "bankd", instance: instance)
    let server = ControlServer(path: path, handler: TestServer.answer)
    try server.start()
    return server
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

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

  @Test func `an instance's socket has its name behind the program's`() throws {
    let directory = SocketDirectory(path: "/run/waxwing")
    let path = try directory.socketPath(for: "bankd", instance: "blue")
    #expect(path == "/run/waxwing/bankd@blue.sock")
    #expect(SocketName(file: "bankd@blue.sock")?.program == "bankd")
    #expect(SocketName(file: "bankd@blue.sock")?.instance == "blue")
    #expect(SocketName(file: "a@b@4711.sock")?.text == "a@b@4711")
    #expect(SocketName(file: "@blue.sock")?.instance == nil)
    #expect(SocketName(file: "bankd@.sock")?.program == "bankd@")
    #expect(SocketName(file: ".sock") == nil && SocketName(file: "bankd.sock.lock") == nil)
  }

  @Test(arguments: ["", "-a", ".a", "a/b", "a@b", "a b", "ä", String(repeating: "x", count: 65)])
  func `an instance's name that is none is refused`(instance: String) {
    #expect(throws: ControlError.self) {
      try SocketDirectory(path: "/run/waxwing").socketPath(for: "bankd", instance: instance)
    }
  }

  @Test func `instances are listed with their names, and meant by name, program and process id`()
    throws
  {
    let folder = try TemporaryFolder()
    let directory = SocketDirectory(path: folder.path)
    let servers = try [nil, "blue", "4711"].map { try server(directory, $0) }
    let daemons = try directory.liveDaemons()
    #expect(daemons.map(\.name.text) == ["bankd", "bankd@4711", "bankd@blue"])
    #expect(daemons.map(\.uid) == [geteuid(), geteuid(), geteuid()])
    #expect(daemons.filter { $0.isMeant(by: "bankd") } == daemons)
    #expect(daemons.filter { $0.isMeant(by: "bankd@blue") } == [daemons[2]])
    #expect(daemons.filter { $0.isMeant(by: "bankd@\(getpid())") } == daemons)
    for server in servers { server.stop() }
  }

  @Test func `an instance called by its process id takes its lock along, others leave theirs`()
    throws
  {
    let folder = try TemporaryFolder()
    let directory = SocketDirectory(path: folder.path)
    for server in try [nil, "blue", "4711"].map({ try server(directory, $0) }) { server.stop() }
    #expect(try names(folder) == ["bankd.sock.lock", "bankd@blue.sock.lock"])
  }

  @Test func `what a killed instance left is removed, and what lives stays`() throws {
    let folder = try TemporaryFolder()
    let directory = SocketDirectory(path: folder.path)
    for name in ["bankd@1.sock", "bankd@blue.sock", "bankd@2.sock"] {
      makeStaleSocket("\(folder.path)/\(name)")
    }
    for name in ["bankd@1.sock.lock", "bankd@blue.sock.lock", "bankd@3.sock.lock"] {
      try folder.write([], to: name)
    }
    let live = try server(directory, "4711")
    // It has lost its lock, and somebody else has made that file: the socket still is somebody's.
    #expect(unlink(live.path + ".lock") == 0)
    try folder.write([], to: "bankd@4711.sock.lock")
    let held = open("\(folder.path)/bankd@5.sock.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    #expect(try directory.liveDaemons().map(\.name.text) == ["bankd@4711"])
    let left = [
      "bankd@2.sock", "bankd@4711.sock", "bankd@4711.sock.lock", "bankd@5.sock.lock",
      "bankd@blue.sock", "bankd@blue.sock.lock",
    ]
    #expect(try names(folder) == left)
    live.stop()
  }

  @Test func `a lock whose file was removed meanwhile is taken again`() throws {
    let folder = try TemporaryFolder()
    let directory = SocketDirectory(path: folder.path)
    try folder.write([], to: "bankd@1.sock.lock")
    directory.removeDeadInstances()
    let first = try server(directory, "1")
    #expect(try names(folder) == ["bankd@1.sock", "bankd@1.sock.lock"])
    directory.removeDeadInstances()
    #expect(try directory.liveDaemons().count == 1)
    first.stop()
  }

  @Test func `a folder that is not there has no daemons, a forged one is refused`() throws {
    let folder = try TemporaryFolder()
    #expect(try SocketDirectory(path: folder.path + "/none").liveDaemons().isEmpty)
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(throws: ControlError.self) { try SocketDirectory(path: folder.path).liveDaemons() }
  }
}
