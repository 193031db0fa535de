// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingControl
import WaxwingCore
import WaxwingOperations
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

  func start(
    _ path: String?, as instance: ProgramInstance, for operations: Operations
  ) throws -> (path: String, instance: ProgramInstance) {
    try server.withLock { (server) throws(WaxwingError) in
      if let server {
        throw WaxwingError(.conflict, "this process listens on \(server.path) already")
      }
      do throws(ControlError) {
        let (started, instance) = try Self.startedServer(path, instance, operations)
        server = started
        return (started.path, instance)
      } catch {
        throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
      }
    }
  }

  /// Starts a server at the path, or in the place where the tool looks. There, an instance without
  /// a name yields to one that was there before.
  private static func startedServer(
    _ path: String?, _ instance: ProgramInstance, _ operations: Operations
  ) throws(ControlError) -> (ControlServer, ProgramInstance) {
    if let path { return (try startedServer(path, operations), instance) }
    let directory = SocketDirectory.current()
    directory.removeDeadInstances()
    func start(_ instance: ProgramInstance) throws(ControlError) -> (ControlServer, ProgramInstance)
    {
      let path = try directory.socketPath(for: ProgramName.current, instance: instance.name)
      return (try startedServer(path, operations), instance)
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

  private static func startedServer(
    _ path: String, _ operations: Operations
  ) throws(ControlError) -> ControlServer {
    let server = makeServer(path, operations)
    try server.start()
    return server
  }

  private static func makeServer(_ path: String, _ operations: Operations) -> ControlServer {
    let access = operations.engine.host.access
    let limiter = LogLimiter(perSecond: refusalsPerSecond)
    return ControlServer(
      path: path, access: access,
      refused: { refusal in
        let isReported = if case .write = limiter.admit() { true } else { false }
        note(refusal, isReported: isReported, operations)
      }, left: { operations.debugger.clientLeft($0) },
      answers: ControlHandler(operations).answers)
  }

  /// Counts a client that was refused because of who it is, and reports it.
  private static func note(
    _ refusal: ControlRefusal, isReported: Bool, _ operations: Operations
  ) {
    operations.counters.count("client refused")
    guard isReported else { return }
    let actor = refusal.peer.map(AuditRecord.Actor.init)
    let verb = refusal.verb ?? "connect"
    operations.engine.log.write(
      .warning, "client.refused", refusal.message, [("verb", verb)] + (actor?.fields ?? []))
    guard let actor else { return }
    operations.audit.note(
      AuditRecord("client", "refused", by: actor, reason: "\(verb): \(refusal.message)"))
  }

  /// Lets clients have other roles from now on.
  func use(_ access: ControlAccess) { current?.use(access) }

  /// Clients that are connected.
  var clientCount: Int { current?.clientCount ?? 0 }

  /// Why the socket is closed to the group that the operator's file opens it to.
  var groupTrouble: String? { current?.groupTrouble }

  /// The current server. Callers use it without holding the lock.
  private var current: ControlServer? { server.withLock { $0 } }

  func stop() {
    let stopping = server.withLock { server in
      defer { server = nil }
      return server
    }
    stopping?.stop()
  }
}
