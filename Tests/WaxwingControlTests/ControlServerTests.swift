// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Testing
import WaxwingControl

/// An answer that is given when the test lets it.
private final class HeldAnswer: Sendable {
  let gate = DispatchSemaphore(value: 0)
  let begun = DispatchSemaphore(value: 0)

  func answer() -> ControlResponse {
    begun.signal()
    gate.waitInTime()
    return .to(ListRequest.self, [])
  }
}

@Suite struct ControlServerTests {
  @Test func `a request gets its response, and the connection takes more`() throws {
    let server = try TestServer()
    let client = try ControlClient(path: server.path, timeout: 60)
    #expect(try client.send(HelloRequest(), timeout: 60) == .success(TestServer.info))
    #expect(try client.send(ListRequest(), timeout: 60) == .success([]))
    #expect(client.peerID == getpid())
  }

  @Test func `requests sent at once are answered in order`() throws {
    let server = try TestServer()
    let client = RawClient(path: server.path)
    let names = (0..<20).map { "p\($0)" }
    client.send(names.flatMap { RawClient.frame(#"{"verb":"revert","name":"\#($0)"}"#) })
    for name in names { #expect(client.receive()?.contains("no patch '\(name)'") == true) }
  }

  @Test func `a request that arrives byte by byte is answered`() throws {
    let server = try TestServer()
    let client = RawClient(path: server.path)
    for byte in RawClient.frame(#"{"verb":"list"}"#) { client.send([byte]) }
    #expect(client.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `64 clients at once are all answered`() throws {
    let server = try TestServer()
    let clients = (0..<64).map { _ in RawClient(path: server.path) }
    for client in clients { client.send(json: #"{"verb":"list"}"#) }
    for client in clients { #expect(client.receive() == #"{"list":[],"result":"list"}"#) }
  }

  @Test func `of clients above the limit the idlest gives way, and is told so`() throws {
    var limits = ControlServerLimits()
    limits.clients = 4
    let server = try TestServer(limits: limits)
    let clients = (0..<4).map { _ in RawClient(path: server.path) }
    for client in clients {
      client.send(json: #"{"verb":"list"}"#)
      #expect(client.receive() == #"{"list":[],"result":"list"}"#)
    }
    #expect(server.serves())
    #expect(clients[0].receive()?.contains("as many clients as it takes") == true)
    #expect(clients[0].isClosed())
    clients[3].send(json: #"{"verb":"list"}"#)
    #expect(clients[3].receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `a client that waits for its answer does not give way`() throws {
    let held = HeldAnswer()
    var limits = ControlServerLimits()
    limits.clients = 1
    let server = try TestServer(limits: limits) { request in
      if request is ListRequest { return held.answer() }
      return TestServer.answer(request)
    }
    let first = RawClient(path: server.path)
    first.send(json: #"{"verb":"list"}"#)
    held.begun.waitInTime()
    let second = RawClient(path: server.path)
    #expect(second.receive()?.contains("as many clients as it takes") == true)
    held.gate.signal()
    #expect(first.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `a search that takes long holds up neither status nor restore`() throws {
    let held = HeldAnswer()
    let server = try TestServer { request in
      request.lane == .searching ? held.answer() : TestServer.answer(request)
    }
    let slow = RawClient(path: server.path)
    slow.send(json: #"{"verb":"points","from":0}"#)
    held.begun.waitInTime()
    for verb in ["status", "restore"] {
      let client = RawClient(path: server.path)
      client.send(json: #"{"verb":"\#(verb)"}"#)
      #expect(client.receive()?.contains("unsupported") == true)
    }
    held.gate.signal()
    #expect(slow.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `a restore that waits for calls holds up no status`() throws {
    let held = HeldAnswer()
    let server = try TestServer { request in
      request.lane == .restoring ? held.answer() : TestServer.answer(request)
    }
    let slow = RawClient(path: server.path)
    slow.send(json: #"{"verb":"restore"}"#)
    held.begun.waitInTime()
    #expect(server.serves())
    held.gate.signal()
    #expect(slow.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `one user's requests never take all places of those that wait`() throws {
    let held = HeldAnswer()
    var limits = ControlServerLimits()
    limits.requestsPerUser = 1
    let server = try TestServer(limits: limits) { request in
      if request is ListRequest { return held.answer() }
      return TestServer.answer(request)
    }
    let clients = (0..<3).map { _ in RawClient(path: server.path) }
    clients[0].send(json: #"{"verb":"list"}"#)
    held.begun.waitInTime()
    for client in clients.dropFirst() { client.send(json: #"{"verb":"list"}"#) }
    // One of them has the place, whichever was read first.
    var entries = clients.dropFirst().map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    #expect(poll(&entries, 2, 30_000) == 1)
    let refused = entries[0].revents != 0 ? clients[1] : clients[2]
    #expect(refused.receive()?.contains("too many requests are waiting") == true)
    held.gate.signal()
    held.gate.signal()
    #expect(clients[0].receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `a request in progress does not hold up reading`() throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try TestServer { request in
      if request is RestoreRequest { gate.waitInTime() }
      return TestServer.answer(request)
    }
    let slow = RawClient(path: server.path)
    slow.send(json: #"{"verb":"restore"}"#)
    // Refused by the reading side alone, while the request side is held.
    let bad = RawClient(path: server.path)
    bad.send([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(bad.receive()?.contains("4294967295 bytes") == true)
    let next = RawClient(path: server.path)
    next.send(json: #"{"verb":"list"}"#)
    gate.signal()
    #expect(slow.receive()?.contains("unsupported") == true)
    #expect(next.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `what may take long keeps nobody from restoring, and another one is told of it`()
    throws
  {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    var limits = ControlServerLimits()
    limits.busySeconds = 0
    let server = try TestServer(limits: limits) { request in
      if request.lane == .changing {
        begun.signal()
        gate.waitInTime()
      }
      return TestServer.answer(request)
    }
    let slow = RawClient(path: server.path)
    slow.send(json: #"{"verb":"revert","name":"a"}"#)
    begun.waitInTime()
    let other = RawClient(path: server.path)
    other.send(json: #"{"verb":"restore"}"#)
    #expect(other.receive()?.contains("unsupported") == true)
    other.send(json: #"{"verb":"revert","name":"b"}"#)
    #expect(other.receive()?.contains("busy: `revert` has been going on for 0 s") == true)
    gate.signal()
    #expect(slow.receive()?.contains("no patch 'a'") == true)
  }

  @Test func `requests are carried out one at a time`() throws {
    let busy = DispatchSemaphore(value: 1)
    let server = try TestServer { request in
      guard busy.wait(timeout: .now()) == .success else { return .to(ListRequest.self, []) }
      letOthersRun(for: .milliseconds(2))
      busy.signal()
      return .failure(ControlFailure(.refused, message: "alone"))
    }
    let clients = (0..<16).map { _ in RawClient(path: server.path) }
    for client in clients { client.send(json: #"{"verb":"list"}"#) }
    for client in clients { #expect(client.receive()?.contains("alone") == true) }
  }

  @Test func `stopping removes the socket, and starting again serves again`() throws {
    let server = try TestServer()
    for _ in 0..<20 {
      #expect(server.serves())
      server.server.stop()
      #expect(!FileManager.default.fileExists(atPath: server.path))
      server.server.stop()
      try server.server.start()
      try server.server.start()
    }
  }

  @Test func `stopping does not wait for ever for a request in progress`() throws {
    var limits = ControlServerLimits()
    limits.stopSeconds = 0.2
    let gate = DispatchSemaphore(value: 0)
    let entered = DispatchSemaphore(value: 0)
    let server = try TestServer(limits: limits) { _ in
      entered.signal()
      gate.waitInTime()
      return .to(ListRequest.self, [])
    }
    let client = RawClient(path: server.path)
    client.send(json: #"{"verb":"list"}"#)
    entered.waitInTime()
    // It returns, although the request's handler does not.
    server.server.stop()
    #expect(client.isClosed())
    gate.signal()
  }

  @Test func `a handler may stop its own server`() throws {
    let box = ServerBox()
    // Waiting for itself it would be no end.
    var limits = ControlServerLimits()
    limits.stopSeconds = 3600
    let server = try TestServer(limits: limits) { _ in
      box.server?.stop()
      return .to(ListRequest.self, [])
    }
    box.server = server.server
    let client = RawClient(path: server.path)
    client.send(json: #"{"verb":"list"}"#)
    #expect(client.isClosed())
    box.server = nil
  }
}

/// Hands the server to its own handler.
private final class ServerBox: @unchecked Sendable {
  // Any thread, with `lock` held.
  private weak var stored: ControlServer?
  private let lock = NSLock()

  var server: ControlServer? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
