// SPDX-License-Identifier: MIT

/// The daemon's end of the control protocol.
///
/// Two threads of its own: one moves bytes for all clients, the other carries out requests one
/// after the other, so a request that takes long holds up neither reading nor other clients'
/// frames. Neither the host's thread pools nor Swift's are used, which a stuck host may have
/// filled. Nothing a client sends or fails to send disturbs the others.
package final class ControlServer: Sendable {
  /// Carries out a request; called on the server's request thread, one call at a time.
  package typealias Handler = @Sendable (ControlRequest) -> ControlResponse

  /// The socket's path.
  package let path: String

  private let limits: ControlServerLimits
  private let handler: Handler
  // Nil while the server is not running.
  private let running = Monitor<RunningServer?>(nil)

  /// Creates a server that does not listen yet.
  package init(
    path: String, limits: ControlServerLimits = ControlServerLimits(),
    handler: @escaping Handler
  ) {
    self.path = path
    self.limits = limits
    self.handler = handler
  }

  deinit { stop() }

  /// Binds the socket and serves until ``stop()``. Does nothing if the server runs already.
  /// - Throws: ``ControlError``: `pathTooLong`, `unsafePath`, `alreadyServing` and others.
  package func start() throws(ControlError) {
    try running.withLock { (server) throws(ControlError) in
      if server == nil { server = try RunningServer(path: path, limits: limits, handler: handler) }
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
