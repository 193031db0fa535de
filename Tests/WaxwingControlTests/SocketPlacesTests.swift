// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// The folders of services with users of their own. Needs root, which alone can make them.
@Suite(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
struct SocketPlacesTests {
  private static let service: UInt32 = 65534
  private static let other: UInt32 = 65533

  /// In the place of `/run/waxwing`.
  let system: TemporaryFolder

  init() throws {
    system = try TemporaryFolder()
    #expect(chmod(system.path, 0o755) == 0)
  }

  private func places(_ environment: [String: String] = [:]) -> SocketPlaces {
    SocketPlaces(uid: 0, system: system.path) { environment[$0] }
  }

  /// A service's folder.
  private func folder(_ name: String, mode: mode_t = 0o750, owner: UInt32 = service) -> String {
    let path = "\(system.path)/\(name)"
    #expect(mkdir(path, 0o700) == 0 && chown(path, owner, owner) == 0 && chmod(path, mode) == 0)
    return path
  }

  /// A process of another user that listens there.
  private func listener(_ path: String, uid: UInt32) throws -> RunningProcess {
    let process = try Command(
      "/usr/bin/setpriv",
      [
        "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "/usr/bin/perl", "-MSocket",
        "-e",
        """
        $| = 1; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die $!;
        listen(S, 9); print "listening\\n"; sleep 600;
        """, path,
      ]
    ).start()
    _ = try process.waitForLine(startingWith: "listening")
    return process
  }

  @Test(arguments: [0o700, 0o750, 0o755] as [mode_t])
  func `root finds the daemons of services, and who they run as`(mode: mode_t) throws {
    let bankd = try listener("\(folder("bankd", mode: mode))/bankd.sock", uid: Self.service)
    let shopd = try listener(
      "\(folder("shopd", mode: mode, owner: Self.other))/shopd.sock", uid: Self.other)
    let found = try places().liveDaemons()
    #expect(found.leftOut.isEmpty)
    #expect(found.daemons.map(\.name.text) == ["bankd", "shopd"])
    #expect(found.daemons.map(\.uid) == [Self.service, Self.other])
    #expect(found.daemons.map(\.pid) == [bankd.pid, shopd.pid])
  }

  @Test func `what root has itself is found beside them`() throws {
    let server = ControlServer(
      path: "\(system.path)/rootd.sock", handler: TestServer.answer)
    try server.start()
    let bankd = try listener("\(folder("bankd"))/bankd.sock", uid: Self.service)
    #expect(try places().liveDaemons().daemons.map(\.name.text) == ["bankd", "rootd"])
    _ = bankd
    server.stop()
  }

  @Test(arguments: [0o700, 0o750, 0o755] as [mode_t])
  func `a folder that the user names is looked into alone, whosever it is`(mode: mode_t) throws {
    let path = folder("bankd", mode: mode)
    let bankd = try listener("\(path)/bankd.sock", uid: Self.service)
    let chosen = try places(["WAXWING_SOCKET_DIR": path]).liveDaemons()
    #expect(chosen.daemons.map(\.uid) == [Self.service])
    #expect(try places(["WAXWING_SOCKET_DIR": system.path]).liveDaemons().daemons.isEmpty)
    _ = bankd
  }

  @Test func `a folder that others can write is left out, and the message says whose it is`() throws
  {
    let good = try listener("\(folder("bankd"))/bankd.sock", uid: Self.service)
    let open = folder("open", mode: 0o777)
    let found = try places().liveDaemons()
    #expect(found.daemons.map(\.name.text) == ["bankd"])
    #expect(
      found.leftOut.map(\.message) == [
        "the socket folder \(open) can be written by other users: it belongs to uid 65534, with mode 0777"
      ])
    #expect(found.leftOut.map(\.remedy) == ["chmod go-w \(open)"])
    #expect(throws: ControlError.self) { try places(["WAXWING_SOCKET_DIR": open]).liveDaemons() }
    _ = good
  }

  @Test func `links to folders and sockets are not followed`() throws {
    let path = folder("bankd")
    let bankd = try listener("\(path)/bankd.sock", uid: Self.service)
    #expect(symlink("\(path)/bankd.sock", "\(path)/shopd.sock") == 0)
    #expect(symlink(path, "\(system.path)/link") == 0)
    #expect(try places().liveDaemons().daemons.map(\.name.text) == ["bankd"])
    #expect(throws: ControlError.self) {
      try places(["WAXWING_SOCKET_DIR": "\(system.path)/link"]).liveDaemons()
    }
    #expect(throws: ControlError.self) {
      _ = try ControlClient(path: "\(path)/shopd.sock", timeout: 5)
    }
    _ = bankd
  }

  @Test func `a socket on which another user answers than the folder's owner is not a daemon's`()
    throws
  {
    let path = folder("bankd")
    let strange = try listener("\(folder("shopd", owner: Self.other))/shopd.sock", uid: Self.other)
    #expect(link("\(system.path)/shopd/shopd.sock", "\(path)/bankd.sock") == 0)
    #expect(try places().liveDaemons().daemons.map(\.path) == ["\(system.path)/shopd/shopd.sock"])
    _ = strange
  }

  @Test func `the folder itself must be root's`() throws {
    let bankd = try listener("\(folder("bankd"))/bankd.sock", uid: Self.service)
    #expect(chown(system.path, Self.service, Self.service) == 0)
    let own = try TemporaryFolder()
    let found = try SocketPlaces(uid: 1, system: system.path) {
      $0 == "XDG_RUNTIME_DIR" ? own.path : nil
    }.liveDaemons()
    #expect(found.daemons.isEmpty)
    #expect(
      found.leftOut.map(\.message) == [
        "the socket folder \(system.path) belongs to another user (uid 65534)"
      ])
    _ = bankd
  }
}
