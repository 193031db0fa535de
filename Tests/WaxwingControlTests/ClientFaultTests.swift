// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// Rows of the table of faults that the control socket has to live with; HostileClientTests,
/// SocketPathTests and ControlServerTests have more of each kind.
@Suite struct ClientFaultTests {
  @Test func `a client that is killed in the middle of a frame changes nothing`() throws {
    let asked = Atomic(0)
    let server = try TestServer { request in
      if request is HelloRequest {} else { asked.wrappingAdd(1, ordering: .relaxed) }
      return TestServer.answer(request)
    }
    let apply = RawClient.frame(
      #"{"verb":"apply","apply":{"patches":[{"files":[]}],"options":{"waitSeconds":1,"replacesAll":false}}}"#
    )
    for count in stride(from: 1, to: apply.count, by: 3) {
      RawClient(path: server.path).send(apply.prefix(count))
    }
    #expect(server.serves())
    #expect(asked.load(ordering: .relaxed) == 0)
  }

  @Test func `a byte now and then does not extend the deadline of a frame`() throws {
    var limits = ControlServerLimits()
    (limits.frameSeconds, limits.idleSeconds) = (0.4, 60)
    let server = try TestServer(limits: limits)
    let slow = RawClient(path: server.path)
    var sent = 0
    for byte in RawClient.frame(#"{"verb":"list"}"#) + Array(repeating: 0x20, count: 60) {
      guard slow.send([byte]) else { break }
      sent += 1
      letOthersRun(for: .milliseconds(50))
    }
    #expect(slow.receive()?.contains("did not arrive within 0.4 s") == true)
    #expect(sent < 75)
    #expect(ControlServerLimits().frameSeconds == 10)
  }

  @Test func `a huge announcement is refused before anything is kept for it`() throws {
    for length in [UInt32.max, 1 << 30, UInt32(ControlProtocol.maximumRequest) + 1] {
      var decoder = FrameDecoder()
      decoder.append((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
      #expect(throws: ControlFailure.self) { try decoder.next() }
      #expect(decoder.pendingBytes == 4)
    }
    let server = try TestServer()
    let clients = (0..<100).map { _ in RawClient(path: server.path) }
    let before = residentBytes()
    // 100 frames of 4 MiB each are announced, and 10 bytes of each sent.
    for client in clients { client.send([0, 0x40, 0, 0] + Array(repeating: 0x7b, count: 10)) }
    #expect(server.serves())
    #expect(residentBytes() - before < 100 << 20)
  }

  private func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
  }

  @Test func `a client that dies before its answer raises no signal, and the host's stays`()
    throws
  {
    var before = sigaction()
    sigaction(SIGPIPE, nil, &before)
    let server = try TestServer { request in
      letOthersRun(for: .milliseconds(2))
      return TestServer.answer(request)
    }
    for _ in 0..<100 { RawClient(path: server.path).send(json: #"{"verb":"list"}"#) }
    #expect(server.serves())
    var after = sigaction()
    sigaction(SIGPIPE, nil, &after)
    let same = withUnsafeBytes(of: &before) { old in
      withUnsafeBytes(of: &after) { new in old.prefix(8).elementsEqual(new.prefix(8)) }
    }
    #expect(same)
  }

  @Test func `thousands of connections a second leave the server answering`() throws {
    let server = try TestServer()
    let isOver = Atomic(false)
    let connections = Atomic(0)
    let group = DispatchGroup()
    let path = server.path
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          if RawClient.connectAndLeave(path) { connections.wrappingAdd(1, ordering: .relaxed) }
        }
        group.leave()
      }
    }
    for _ in 0..<20 { #expect(server.serves()) }
    waitUntil("10,000 connections", seen: connections.load(ordering: .relaxed)) {
      #expect(server.serves())
      return connections.load(ordering: .relaxed) >= 10_000
    }
    isOver.store(true, ordering: .relaxed)
    group.waitInTime()
    #expect(server.serves())
  }

  @Test func `clients without a role are turned away at once, however many`() throws {
    let refused = Atomic(0)
    let folder = try TemporaryFolder()
    let asked = Atomic(0)
    let server = ControlServer(
      path: folder.path + "/a.sock", refused: { _ in refused.wrappingAdd(1, ordering: .relaxed) },
      answers: ControlAnswers { _, _ in
        asked.wrappingAdd(1, ordering: .relaxed)
        return .to(ListRequest.self, [])
      })
    try server.start()
    defer { server.stop() }
    guard geteuid() == 0, access("/usr/bin/setpriv", X_OK) == 0, access("/usr/bin/perl", X_OK) == 0
    else { return }
    #expect(chmod(folder.path, 0o755) == 0 && chmod(server.path, 0o666) == 0)
    let client = try Command(
      "/usr/bin/setpriv",
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/perl", "-MSocket", "-e",
        """
        $SIG{PIPE} = "IGNORE";
        for (1 .. 2000) { socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or next;
          syswrite(S, "\\0\\0\\0\\x0f{\\"verb\\":\\"list\\"}"); local $/; my $a = <S>;
          die "let in: $a" if $a !~ /notPermitted/; }
        print "turned away\\n";
        """, server.path,
      ]
    ).run(timeout: .seconds(120))
    #expect(client.standardOutput == "turned away\n", "\(client)")
    #expect(asked.load(ordering: .relaxed) == 0)
    #expect(refused.load(ordering: .relaxed) > 0)
    let own = try ControlClient(path: server.path, timeout: 60)
    #expect(try own.send(ListRequest(), timeout: 60) == .success([]))
  }

  @Test func `a second instance is refused, and the first keeps its clients`() throws {
    let first = try TestServer()
    let client = try ControlClient(path: first.path, timeout: 60)
    let second = ControlServer(path: first.path, handler: TestServer.answer)
    let error = #expect(throws: ControlError.self) { try second.start() }
    #expect(error?.code == .alreadyServing)
    #expect(try client.send(ListRequest(), timeout: 60) == .success([]))
    #expect(first.serves())
  }

  @Test func `a path that is too long, a link, or a folder of all is refused`() throws {
    let folder = try TemporaryFolder()
    func code(_ path: String) -> ControlError.Code? {
      do throws(ControlError) {
        try ControlServer(path: path, handler: TestServer.answer).start()
        return nil
      } catch { return error.code }
    }
    #expect(code(folder.path + "/" + String(repeating: "x", count: 107)) == .pathTooLong)
    #expect(symlink(folder.path, folder.path + "/link") == 0)
    #expect(code(folder.path + "/link/a.sock") == .unsafePath)
    #expect(mkdir(folder.path + "/open", 0o700) == 0 && chmod(folder.path + "/open", 0o777) == 0)
    #expect(code(folder.path + "/open/a.sock") == .unsafePath)
    // The lock's file may not be somebody else's by way of a link either.
    try folder.write("kept".utf8, to: "victim")
    #expect(symlink(folder.path + "/victim", folder.path + "/b.sock.lock") == 0)
    #expect(code(folder.path + "/b.sock") == .system)
    #expect(try String(contentsOfFile: folder.path + "/victim", encoding: .utf8) == "kept")
  }

  @Test func `tool and engine of other versions understand as much as there is to`() throws {
    let server = try TestServer()
    let client = RawClient(path: server.path)
    client.send(json: #"{"verb":"hello","protocol":1,"flavour":{"of":["the","future"]}}"#)
    let hello = try #require(client.receive())
    #expect(hello.contains(#""protocolVersion":\#(ControlProtocol.version)"#))
    #expect(hello.contains(#""oldestProtocolVersion":\#(ControlProtocol.oldestVersion)"#))
    client.send(json: #"{"verb":"hello"}"#)
    #expect(client.receive() == hello)
    client.send(json: #"{"verb":"teleport","protocol":1}"#)
    #expect(client.receive()?.contains(#""code":"unsupported""#) == true)
    client.send(json: #"{"verb":"list","protocol":2}"#)
    #expect(client.receive()?.contains(#""code":"unsupported""#) == true)
    client.send(json: #"{"verb":"list"}"#)
    #expect(client.receive() == #"{"list":[],"result":"list"}"#)
    // An engine that says less than this one is understood too.
    let old = #"{"program":"a","pid":1,"version":"0","patches":[],"protocolVersion":1}"#
    let info = try JSONDecoder().decode(DaemonInfo.self, from: Data(old.utf8))
    #expect(info.oldestProtocolVersion == nil)
  }
}
