// SPDX-License-Identifier: MIT

import Foundation

/// An HTTP/1.1 server on loopback: one thread takes connections, and each has a thread of its own.
final class HTTPServer: Sendable {
  let port: UInt16

  private let listener: Socket
  private let handler: any RequestHandler
  private let limits: HTTPLimits
  private let connections: ConnectionRegister

  /// Binds the port; from here on clients may connect, and wait.
  init(port: UInt16, handler: any RequestHandler, limits: HTTPLimits = HTTPLimits())
    throws(SystemError)
  {
    listener = try Socket.listening(on: port)
    self.port = try listener.localPort()
    self.handler = handler
    self.limits = limits
    connections = ConnectionRegister(limit: limits.connections, patience: limits.patience)
  }

  /// Begins to answer, in threads of its own.
  func start() {
    Thread.detachNewThread { self.acceptConnections() }
  }

  /// Takes no more requests, and waits at most so many seconds for the answers under way.
  func stop(within seconds: Double) {
    connections.close()
    listener.shutDown(.both)
    connections.waitUntilEmpty(atMost: seconds)
  }
}

extension HTTPServer {
  private func acceptConnections() {
    while !connections.isClosing {
      do {
        admit(try listener.accept())
      } catch {
        // Out of descriptors, or a client that gave up: neither ends the service, and the pause
        // keeps a lasting cause from taking the processor.
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  private func admit(_ socket: Socket) {
    let connections = connections
    let connection = HTTPConnection(
      socket: socket, handler: handler, limits: limits, connections: connections)
    guard connections.add(socket) else {
      connection.refuse(.tooManyConnections)
      return
    }
    Thread.detachNewThread {
      connection.serve()
      connections.remove(socket)
    }
  }
}
