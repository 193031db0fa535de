// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `waxwing doctor` on sockets.
@Suite struct DoctorTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// The lines about sockets, without what stands in front.
  private func sockets(_ result: Tool.Result) -> [String] {
    result.output.split(separator: "\n").map(String.init).filter { $0.contains("  sockets  ") }
      .map { $0.replacing("\(tool.folder.path)/s", with: "FOLDER") }
  }

  @Test func `a folder that is not there is no failure`() throws {
    let result = try tool.run("doctor")
    #expect(sockets(result) == ["ok       sockets  FOLDER is not there: the first daemon makes it"])
  }

  @Test func `daemons that answer, of this version and of another one`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let other = try ControlServer(
      path: SocketDirectory(path: tool.folder.path + "/s").socketPath(for: "shopd")
    ) { _ in
      .to(HelloRequest.self, DaemonInfo(program: "shopd", pid: 12, version: "0.0.1", buildID: nil))
    }
    try other.start()
    defer { other.stop() }
    let version = ControlProtocol.engineVersion
    let info = FakeDaemon.info()
    let bankd =
      info.version == version
      ? "ok       sockets  FOLDER/bankd.sock: bankd (pid 4711) answers"
      : "warning  sockets  FOLDER/bankd.sock: bankd (pid 4711) has Waxwing \(info.version), and this "
        + "tool is \(version); use the tool of the daemon's version, or restart a daemon that is built anew"
    #expect(
      sockets(try tool.run("doctor")) == [
        "ok       sockets  FOLDER is there, and nobody else can change it", bankd,
        "warning  sockets  FOLDER/shopd.sock: shopd (pid 12) has Waxwing 0.0.1, and this tool is "
          + "\(version); use the tool of the daemon's version, or restart a daemon that is built anew",
      ])
  }

  @Test func `a daemon that is named says what of its patch points is opaque`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let result = try tool.run("doctor", "bankd")
    #expect(
      sockets(result).last
        == "warning  sockets  FOLDER/bankd.sock: 1 patch point of 3 has opaque values, most of "
        + "them in Bank.Account; `waxwing points` tells which, and why", "\(result)")
  }

  @Test func `a daemon that does not answer is a failure, and a dead socket a warning`() throws {
    let folder = tool.folder.path + "/s"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let silent = try BoundSocket("\(folder)/silent.sock", listens: true)
    try BoundSocket("\(folder)/gone.sock", listens: false).close()
    let result = try tool.run("doctor")
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      sockets(result) == [
        "ok       sockets  FOLDER is there, and nobody else can change it",
        "warning  sockets  FOLDER/gone.sock: no daemon: the process that made FOLDER/gone.sock is gone; "
          + "start the program again; it replaces the socket, or remove it",
        "failure  sockets  FOLDER/silent.sock: the daemon (pid \(getpid())) did not answer within 3 s; it "
          + "may still carry out the request: see `waxwing list`, or allow more time with --timeout",
      ])
    silent.close()
  }

  @Test func `a folder that others can write is a failure with the command that mends it`() throws {
    let folder = tool.folder.path + "/s"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    let result = try tool.run("doctor")
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      sockets(result) == [
        "failure  sockets  the socket folder FOLDER can be written by other users: it belongs to uid "
          + "\(geteuid()), with mode 0777; chmod go-w FOLDER"
      ])
  }

  @Test func `wrong names and files that are none`() throws {
    #expect(try tool.run("doctor", "../").exitCode == 2)
    let result = try tool.run("doctor", "./nothing")
    #expect(result.exitCode == 1)
    #expect(
      result.output.hasPrefix(
        "failure  program  ./nothing: there is no file at './nothing'; check the path\n"),
      "\(result)")
  }
}

/// A socket without a server.
private struct BoundSocket {
  private let number: Int32

  init(_ path: String, listens: Bool) throws {
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      let name = Array(path.utf8) + [0]
      guard name.count <= bytes.count else {
        throw TestSupportError("the path is too long: \(path)")
      }
      bytes.copyBytes(from: name)
    }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, !listens || listen(number, 8) == 0 else {
      throw TestSupportError("no socket at \(path): \(errno)")
    }
  }

  func close() { _ = Glibc.close(number) }
}
