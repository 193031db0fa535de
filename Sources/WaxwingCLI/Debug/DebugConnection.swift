// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// A debugger's connection to a daemon. The daemon lets all calls go on once it ends.
final class DebugConnection {
  /// The number of the session that the daemon returned when the debugger was attached.
  let session: Int
  let files: [String]
  /// Seconds that a call stops at most.
  let limit: Double
  /// A title for the connection, such as `bankd (pid 4711)`.
  let title: String

  private let client: ControlClient

  /// Seconds for a request: expressions may run what takes long.
  private static let defaultTimeout = 30.0
  private let timeout: Double

  /// Attaches to a patch.
  init(_ path: String, patch: String, limit: Double?, timeout: Double?) throws(CommandError) {
    let timeout = timeout ?? Self.defaultTimeout
    self.timeout = timeout
    let client: ControlClient
    do throws(ControlError) { client = try ControlClient(path: path, timeout: timeout) } catch {
      throw CommandError(error)
    }
    let info = try client.ask(HelloRequest(), timeout: timeout)
    var request = DebugRequest(.attach)
    request.patch = patch
    request.limit = limit
    let reply = try client.ask(request, timeout: timeout)
    guard let session = reply.session else { throw CommandError(Daemon.mismatch("debug")) }
    self.session = session
    files = reply.files ?? []
    self.limit = reply.limit ?? 0
    title = "\(info.name) (pid \(info.pid))"
    self.client = client
  }

  func ask(
    _ action: DebugRequest.Action, _ fill: (inout DebugRequest) -> Void = { _ in }
  ) throws(CommandError) -> DebugReply {
    var request = DebugRequest(action, session: session)
    fill(&request)
    return try client.ask(request, timeout: timeout)
  }
}
