// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingControl
import WaxwingReflection

/// The control socket of this process.
final class ControlListener: Sendable {
  static let shared = ControlListener()

  /// Refused clients that are reported in a second, and twice as many at once: a flood of them is not
  /// to fill the log.
  private static let refusalsPerSecond = 5

  private let server = Mutex<ControlServer?>(nil)

  /// - Throws: `WaxwingError.Code.conflict` if this process listens already.
  func demandIdle() throws {
    guard let path = server.withLock({ $0?.path }) else { return }
    throw WaxwingError(.conflict, "this process listens on \(path) already")
  }

  func start(_ path: String?, as instance: Instance) throws -> (path: String, instance: Instance) {
    try server.withLock { (server) throws(WaxwingError) in
      if let server {
        throw WaxwingError(.conflict, "this process listens on \(server.path) already")
      }
      do throws(ControlError) {
        let (started, instance) = try Self.startedServer(path, instance)
        server = started
        return (started.path, instance)
      } catch {
        throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
      }
    }
  }

  /// A server at the path, else in the place where the tool looks. There an instance without a name gives
  /// way to the one that was there before.
  private static func startedServer(
    _ path: String?, _ instance: Instance
  ) throws(ControlError) -> (ControlServer, Instance) {
    if let path { return (try startedServer(path), instance) }
    let directory = SocketDirectory.current()
    directory.removeDeadInstances()
    func start(_ instance: Instance) throws(ControlError) -> (ControlServer, Instance) {
      let path = try directory.socketPath(for: ProgramName.current, instance: instance.name)
      return (try startedServer(path), instance)
    }
    do throws(ControlError) { return try start(instance) } catch {
      guard error.code == .alreadyServing else { throw error }
      guard case .first = instance else {
        throw ControlError(
          error.code, message: error.message,
          remedy: "stop it, or start this one with another WAXWING_INSTANCE")
      }
      return try start(.further(getpid()))
    }
  }

  private static func startedServer(_ path: String) throws(ControlError) -> ControlServer {
    let server = makeServer(path)
    try server.start()
    return server
  }

  private static func makeServer(_ path: String) -> ControlServer {
    let engine = Engine.shared
    let access = engine.host.access
    let handler = ControlHandler(engine)
    let limiter = LogLimiter(perSecond: refusalsPerSecond)
    return ControlServer(
      path: path, access: access,
      refused: { refusal in
        guard case .write = limiter.admit() else { return engine.counters.count("client refused") }
        engine.note(refusal)
      }
    ) { request, peer in handler.answer(request, peer) }
  }

  /// Lets clients have other roles from now on.
  func use(_ access: ControlAccess) { current?.use(access) }

  /// Clients that are connected.
  var clientCount: Int { current?.clientCount ?? 0 }

  /// Why the socket is closed to the group that the operator's file opens it to.
  var groupTrouble: String? { current?.groupTrouble }

  /// Called without the lock: it waits for nobody.
  private var current: ControlServer? { server.withLock { $0 } }

  func stop() {
    let stopping = server.withLock { server in
      defer { server = nil }
      return server
    }
    stopping?.stop()
  }
}
