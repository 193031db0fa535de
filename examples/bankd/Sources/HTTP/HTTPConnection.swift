// SPDX-License-Identifier: MIT

import Foundation

/// One client, from its first request to the end of its connection, on one thread.
struct HTTPConnection {
  let socket: Socket
  let handler: any RequestHandler
  let limits: HTTPLimits
  /// Knows whether the server is about to stop, so that an answer is the connection's last.
  let connections: ConnectionRegister

  func serve() {
    var reader = HTTPRequestReader(socket: socket, limits: limits)
    do {
      while let request = try reader.next() {
        let response = answer(request)
        let keepAlive = request.head.keepsAlive && !connections.isClosing
        try send(response, keepAlive: keepAlive)
        if !keepAlive { break }
      }
    } catch let error as HTTPError {
      refuse(error)
    } catch {
      // A `SystemError`: the client is gone, and nobody is left to be told.
    }
  }

  /// Answers an error that leaves the rest of the stream without meaning, and hangs up.
  func refuse(_ error: HTTPError) {
    do {
      try send(HTTPResponse(error), keepAlive: false)
      try drain()
    } catch {
      // As above: the client did not wait.
    }
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    do {
      switch try handler.respond(to: request) {
      case .ready(let response): return response
      case .later(let work):
        return PendingResponse.result(of: work) { isAbandoned }
      }
    } catch {
      return HTTPResponse(error)
    }
  }

  /// Whether nobody waits for an answer any more.
  private var isAbandoned: Bool {
    // Once the server stops it takes nothing from its clients, which looks as if they had gone.
    connections.isClosing ? connections.isOutOfPatience : socket.isAbandoned
  }

  private func send(_ response: HTTPResponse, keepAlive: Bool) throws(SystemError) {
    try socket.send(
      response.bytes(keepAlive: keepAlive), until: ContinuousClock.now + limits.response)
  }

  /// Reads what the client still sends, up to a bound: closing a socket with unread bytes resets
  /// the connection, and the reset may overtake the answer.
  private func drain() throws(SystemError) {
    socket.shutDown(.sending)
    let deadline = ContinuousClock.now + .seconds(1)
    var budget = 4 * 1024 * 1024
    while budget > 0, let bytes = try socket.receive(atMost: 64 * 1024, until: deadline),
      !bytes.isEmpty
    {
      budget -= bytes.count
    }
  }
}
