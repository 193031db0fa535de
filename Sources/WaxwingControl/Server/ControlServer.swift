// SPDX-License-Identifier: MIT

import WaxwingSystem

/// The daemon's end of the control protocol.
///
/// Threads of its own: one moves bytes for all clients, another reads requests and carries out those that
/// are answered at once, and each other lane has one for itself: a patch that hangs while it is applied
/// keeps nobody from restoring the program, and a search that takes long nobody from its status. Neither the host's thread pools nor Swift's are used, which a stuck host may have
/// filled. Nothing a client sends or fails to send disturbs the others.
package final class ControlServer: Sendable {
  /// Hears of clients that were refused because of who they are; on a request thread too.
  package typealias RefusalHandler = @Sendable (ControlRefusal) -> Void

  /// Is told of clients whose connections have ended, though not of all if very many end at once.
  /// It may be called on a request thread.
  package typealias DepartureHandler = @Sendable (ControlPeer) -> Void

  /// The path of the socket.
  package let path: String

  private let limits: ControlServerLimits
  private let clients: ServerClients
  // Nil while the server is not running.
  private let running = Monitor<RunningServer?>(nil)

  /// Creates a server that does not listen yet.
  package init(
    path: String, limits: ControlServerLimits = ControlServerLimits(),
    access: ControlAccess = ControlAccess(), refused: @escaping RefusalHandler = { _ in },
    left: @escaping DepartureHandler = { _ in },
    answers: ControlAnswers
  ) {
    self.path = path
    self.limits = limits
    clients = ServerClients(
      access: access, refused: refused, left: left, answers: answers)
  }

  /// Lets clients have other roles from their next requests on. The socket stays open to whom it is open.
  package func use(_ access: ControlAccess) { clients.access = access }

  /// The clients that are connected.
  package var clientCount: Int { running.withLock { $0?.clientCount ?? 0 } }

  /// Why the socket is not open to the group that it should be open to; nil: all is well.
  package var groupTrouble: String? { running.withLock { $0?.groupTrouble } }

  deinit { stop() }

  /// Binds the socket and serves until ``stop()``. Does nothing if the server runs already.
  /// - Throws: ``ControlError``: `pathTooLong`, `unsafePath`, `alreadyServing` and others.
  package func start() throws(ControlError) {
    try running.withLock { (server) throws(ControlError) in
      if server == nil { server = try RunningServer(path: path, limits: limits, clients: clients) }
    }
  }

  /// Closes the socket and all connections, and removes the socket's file. Waits for a request in
  /// progress, but no longer than the limits say. May be called more than once, from any thread.
  package func stop() {
    let server = running.withLock { server in
      defer { server = nil }
      return server
    }
    server?.stop(waitingSeconds: limits.stopSeconds)
  }
}
