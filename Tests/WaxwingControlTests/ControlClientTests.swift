// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct ControlClientTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ path: String, timeout: Double = 5) -> ControlError? {
    do throws(ControlError) {
      let client = try ControlClient(path: path, timeout: timeout)
      _ = try client.send(ListRequest(), timeout: timeout)
      return nil
    } catch { return error }
  }

  @Test func `no socket, a dead one and no socket at all are told apart`() throws {
    let path = folder.path + "/a.sock"
    #expect(failure(path)?.code == .noDaemon)
    #expect(failure(path)?.message == "no daemon: there is no socket at \(path)")
    makeStaleSocket(path)
    #expect(failure(path)?.code == .staleSocket)
    let file = try folder.write([], to: "file")
    #expect(failure(file)?.message == "no daemon: \(file) is not a socket")
    #expect(failure(String(repeating: "x", count: 200))?.code == .pathTooLong)
  }

  @Test func `an answer that does not come in time is a timeout`() throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try TestServer { _ in
      gate.waitInTime()
      return .to(ListRequest.self, [])
    }
    // It returns, although no answer has come.
    let error = failure(server.path, timeout: 0.3)
    gate.signal()
    #expect(error?.code == .timedOut)
    #expect(error?.message == "the daemon (pid \(getpid())) did not answer within 0.3 s")
  }

  @Test func `a daemon that goes away during the request is told apart from a timeout`() throws {
    let entered = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    var limits = ControlServerLimits()
    limits.stopSeconds = 0
    let server = try TestServer(limits: limits) { _ in
      entered.signal()
      gate.waitInTime()
      return .to(ListRequest.self, [])
    }
    let stopper = Thread {
      entered.waitInTime()
      server.server.stop()
    }
    stopper.start()
    #expect(failure(server.path)?.code == .closed)
    gate.signal()
  }

  @Test func `a server of another protocol is told apart`() throws {
    let path = folder.path + "/a.sock"
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/perl")
    other.arguments = [
      "-MSocket", "-e",
      """
      socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])); listen(S, 5);
      $| = 1; print "ready\\n"; accept(C, S); syswrite(C, "HTTP/1.1 400 Bad Request\\r\\n\\r\\n");
      sleep 30;
      """, path,
    ]
    let output = Pipe()
    other.standardOutput = output
    try other.run()
    defer { other.terminate() }
    _ = output.fileHandleForReading.availableData
    #expect(failure(path)?.code == .protocolViolation)
  }

  @Test func `a request above the frame limit is not sent`() throws {
    let server = try TestServer()
    let client = try ControlClient(path: server.path, timeout: 60)
    let file = PatchFilePayload(name: "a.lua", bytes: Array(repeating: 32, count: 4 << 20))
    let error = #expect(throws: ControlError.self) {
      try client.send(ApplyRequest(patches: [.init(files: [file])]), timeout: 60)
    }
    #expect(error?.message == "a message of 5592548 bytes exceeds the limit of 4194304")
  }

  @Test func `a response may be larger than a request, up to a limit of its own`() throws {
    for (bytes, arrives) in [(9 << 20, true), (33 << 20, false)] {
      let text = String(repeating: "x", count: bytes)
      let server = try TestServer { _ in .failure(ControlFailure(.notFound, message: text)) }
      let client = try ControlClient(path: server.path, timeout: 60)
      let response = try client.send(ListRequest(), timeout: 60)
      guard case .failure(let failure) = response else {
        Issue.record("\(response)")
        continue
      }
      #expect((failure.message == text) == arrives)
      if !arrives {
        #expect(failure.code == .internal)
        #expect(failure.message.hasSuffix("exceeds the limit of 33554432"))
        #expect(failure.remedy == "ask for less, such as one patch or a part of a name")
      }
    }
  }
}
