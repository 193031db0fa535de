// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingControl
import WaxwingReflection

/// The control socket of this process.
final class ControlListener: Sendable {
  static let shared = ControlListener()

  private let server = Mutex<ControlServer?>(nil)

  func start(_ path: String?) throws -> String {
    try server.withLock { (server) throws(WaxwingError) in
      if let server {
        throw WaxwingError(.conflict, "this process listens on \(server.path) already")
      }
      do throws(ControlError) {
        let started = try Self.makeServer(path)
        try started.start()
        server = started
        return started.path
      } catch {
        throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
      }
    }
  }

  private static func makeServer(_ path: String?) throws(ControlError) -> ControlServer {
    let path =
      if let path { path } else {
        try SocketDirectory.current().socketPath(for: ProgramName.current)
      }
    let handler = ControlHandler(Engine.shared)
    return ControlServer(path: path) { handler.answer($0) }
  }

  func stop() {
    let stopping = server.withLock { server in
      defer { server = nil }
      return server
    }
    stopping?.stop()
  }
}
