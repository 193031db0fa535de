// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// A debugger's connection to a daemon. The daemon lets all calls go on once it ends.
final class DebugConnection {
  /// What the daemon gave when the debugger was attached.
  let session: Int
  let files: [String]
  /// Seconds that a call stops at most.
  let limit: Double
  /// `bankd (pid 4711)`
  let title: String

  private let client: ControlClient

  /// Seconds for a request: expressions may run what takes long.
  private static let timeout = 30.0

  /// Attaches to a patch.
  init(_ path: String, patch: String, limit: Double?) throws(CommandError) {
    let client: ControlClient
    do throws(ControlError) { client = try ControlClient(path: path, timeout: Self.timeout) } catch
    {
      throw CommandError(error)
    }
    guard case .hello(let info) = try Self.send(.hello, client) else {
      throw CommandError(Daemon.mismatch("hello"))
    }
    var request = DebugRequest(.attach)
    request.patch = patch
    request.limit = limit
    let reply = try Self.send(request, client)
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
    return try Self.send(request, client)
  }

  private static func send(
    _ request: DebugRequest, _ client: borrowing ControlClient
  ) throws(CommandError) -> DebugReply {
    guard case .debugged(let reply) = try send(.debug(request), client) else {
      throw CommandError(Daemon.mismatch("debug"))
    }
    return reply
  }

  private static func send(
    _ request: ControlRequest, _ client: borrowing ControlClient
  ) throws(CommandError) -> ControlResponse {
    let response: ControlResponse
    do throws(ControlError) { response = try client.send(request, timeout: timeout) } catch {
      throw CommandError(error)
    }
    if case .failure(let failure) = response { throw CommandError(failure) }
    return response
  }
}
