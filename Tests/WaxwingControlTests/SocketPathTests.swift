// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct SocketPathTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func server(_ path: String) -> ControlServer {
    ControlServer(path: path, handler: TestServer.answer)
  }

  /// How starting a server fails.
  private func failure(_ path: String) -> ControlError? {
    do throws(ControlError) {
      let server = server(path)
      try server.start()
      server.stop()
      return nil
    } catch { return error }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func `folder and socket are private, whatever the umask`() throws {
    let server = server(folder.path + "/sub/a.sock")
    // The umask is the whole process's: with 0 the other tests, which make their own modes, go on.
    let previous = umask(0)
    defer { umask(previous) }
    try server.start()
    #expect(mode(folder.path + "/sub") == 0o700)
    #expect(mode(folder.path + "/sub/a.sock") == 0o600)
    #expect(mode(folder.path + "/sub/a.sock.lock") == 0o600)
  }

  @Test func `the folder that has services' folders in it lets others through, not in`() throws {
    let system = folder.path + "/system"
    try SocketFolder.prepare(system, system: system)
    try SocketFolder.prepare(folder.path + "/own", system: system)
    #expect(mode(system) == 0o755 && mode(folder.path + "/own") == 0o700)
    #expect(chmod(system, 0o711) == 0)
    try SocketFolder.prepare(system, system: system)
    #expect(mode(system) == 0o711)
  }

  @Test func `a path that does not fit is refused with its length and the limit`() {
    let path = folder.path + "/" + String(repeating: "x", count: 100)
    let error = failure(path)
    #expect(error?.code == .pathTooLong)
    #expect(
      error?.message == "the socket path has \(path.utf8.count) bytes; the limit is 107: \(path)")
  }

  @Test func `the longest path that fits is served`() throws {
    let path = folder.path + "/" + String(repeating: "x", count: 107 - folder.path.utf8.count - 1)
    let server = server(path)
    try server.start()
    let client = try ControlClient(path: path, timeout: 60)
    #expect(try client.send(ListRequest(), timeout: 60) == .success([]))
  }

  @Test func `a second server on a live socket is refused and the first serves on`() throws {
    let first = try TestServer()
    let error = failure(first.path)
    #expect(error?.code == .alreadyServing)
    #expect(error?.message == "this process already serves \(first.path)")
    #expect(first.serves())
  }

  @Test func `a second daemon is told the process id of the first`() throws {
    let path = folder.path + "/a.sock"
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    other.arguments = ["-x", path + ".lock", "sh", "-c", "echo held; exec sleep 30"]
    let output = Pipe()
    other.standardOutput = output
    try other.run()
    defer { other.terminate() }
    _ = output.fileHandleForReading.availableData
    try Data("4242\n".utf8).write(to: URL(fileURLWithPath: path + ".lock"), options: [])
    #expect(failure(path)?.message == "process 4242 already serves \(path)")
  }

  @Test func `a live socket whose lock was deleted is not taken over`() throws {
    let first = try TestServer()
    #expect(unlink(first.path + ".lock") == 0)
    #expect(failure(first.path)?.code == .alreadyServing)
    #expect(first.serves())
  }

  @Test func `the socket of a dead process is replaced`() throws {
    let path = folder.path + "/a.sock"
    makeStaleSocket(path)
    let server = server(path)
    try server.start()
    let client = try ControlClient(path: path, timeout: 60)
    #expect(try client.send(ListRequest(), timeout: 60) == .success([]))
  }

  @Test func `a file that is no socket is left alone`() throws {
    let path = try folder.write("precious".utf8, to: "a.sock")
    #expect(failure(path)?.message == "\(path) is there and is not a socket")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `a folder that others can write, or that is a link, is refused`() throws {
    let open = folder.path + "/open"
    #expect(mkdir(open, 0o700) == 0 && chmod(open, 0o777) == 0)
    #expect(
      failure(open + "/a.sock")?.message
        == "the socket folder \(open) can be written by other users: it belongs to uid \(geteuid()), "
        + "with mode 0777")
    #expect(failure(open + "/a.sock")?.remedy == "chmod go-w \(open)")
    let link = folder.path + "/link"
    #expect(symlink(folder.path, link) == 0)
    #expect(failure(link + "/a.sock")?.message == "the socket folder \(link) is a symbolic link")
    let file = try folder.write([], to: "file")
    #expect(failure(file + "/a.sock")?.message == "the socket folder \(file) is not a folder")
    #expect(failure(folder.path + "/none/sub/a.sock")?.code == .system)
  }
}

/// Leaves a socket behind as a killed process does.
func makeStaleSocket(_ path: String) {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let result = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  precondition(result == 0, "cannot make the test's socket")
  close(descriptor)
}
