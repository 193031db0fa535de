// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A daemon of a service's user, and root who operates it. Needs root, which alone can become that user.
@Suite(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
struct ServiceUserTests {
  private static let uid: UInt32 = 65534
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    expectEqual(chmod(folder.path, 0o755), 0)
    for name in ["sockets", "state", "log"] {
      expectEqual(mkdir("\(folder.path)/\(name)", 0o700), 0)
      expectEqual(chown("\(folder.path)/\(name)", Self.uid, Self.uid), 0)
    }
  }

  private var sockets: String { "\(folder.path)/sockets" }

  private func start() throws -> RunningProcess {
    let process = try Command(
      "/usr/bin/setpriv",
      [
        "--reuid", "\(Self.uid)", "--regid", "\(Self.uid)", "--clear-groups",
        try BuiltProduct("crashd").path,
      ],
      environment: [
        "WAXWING_SOCKET_DIR": sockets, "WAXWING_STATE_DIR": "\(folder.path)/state",
        "WAXWING_LOG_DIR": "\(folder.path)/log", "WAXWING_CONFIG_DIR": "\(folder.path)/none",
      ]
    ).start()
    _ = try process.waitForLine(startingWith: "value ")
    return process
  }

  private func waxwing(_ arguments: String...) throws -> CommandResult {
    try Command(
      try BuiltProduct("waxwing").path, arguments, environment: ["WAXWING_SOCKET_DIR": sockets],
      directory: folder.path
    ).run()
  }

  @Test(arguments: [0o700, 0o750, 0o755] as [mode_t])
  func `root reaches the daemon of a service's user by its folder`(mode: mode_t) throws {
    expectEqual(chmod(sockets, mode), 0)
    let daemon = try start()
    let status = try waxwing("status")
    #expect(status.status == .exited(0), "\(status)")
    expectContains(status.standardOutput, "user: nobody (uid 65534)\n")
    let json = Data(try waxwing("status", "--json").standardOutput.utf8)
    let document = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    #expect(document?["uid"] as? UInt32 == Self.uid)
    try folder.write(
      "local P = class 'crashd.Probe'\nfunction P:name() return 'by root' end".utf8, to: "name.lua")
    try expectSuccess(waxwing("apply", "name.lua", "--keep"))
    #expect(try daemon.waitForLine(startingWith: "value 7 name by root") != "")
    try expectContains(waxwing("audit").standardOutput, "root")
    try expectSuccess(waxwing("restore", "crashd"))
    try expectContains(
      waxwing("daemons").standardOutput, "crashd  \(daemon.pid)  nobody  \(sockets)/crashd.sock")
  }

  @Test func `several instances of a service's user keep what is theirs`() throws {
    let first = try start()
    try folder.write(
      "local P = class 'crashd.Probe'\nfunction P:name() return 'kept' end".utf8, to: "name.lua")
    try expectSuccess(waxwing("apply", "name.lua", "--keep"))
    let second = try start()
    expectContains(second.standardOutput, "value 7 name kept")
    try expectSuccess(waxwing("restore", "crashd@\(first.pid)"))
    try expectSuccess(waxwing("restore", "crashd@\(second.pid)"))
  }

  @Test func `root does not use a folder that others can write`() throws {
    let daemon = try start()
    expectEqual(chmod(sockets, 0o777), 0)
    let status = try waxwing("status")
    expectEqual(
      status,
      CommandResult(
        status: .exited(8), standardOutput: "",
        standardError: """
          waxwing: error: the socket folder \(sockets) can be written by other users: it belongs to \
          uid 65534, with mode 0777
          waxwing: hint: chmod go-w \(sockets)

          """))
    _ = daemon
  }
}
