// SPDX-License-Identifier: MIT

package import WaxwingControl

/// A connection to a daemon that has said who it is, with one deadline for the whole command.
package struct Daemon: ~Copyable {
  /// What the daemon answered to `hello`.
  package let info: DaemonInfo

  private let client: ControlClient
  private let end: ContinuousClock.Instant
  private let timeout: Double

  /// - Parameter waitSeconds: what the daemon is asked to wait, which the deadline must outlast.
  package init(
    at path: String, _ arguments: ParsedArguments, waitSeconds: Double = 0
  ) throws(CommandError) {
    let timeout = try arguments.seconds("--timeout") ?? max(30, waitSeconds + 20)
    let end = ContinuousClock.now + .seconds(timeout)
    let client = try Self.connect(path, timeout)
    guard case .hello(let info) = try Self.ask(.hello, client, until: end) else {
      throw CommandError(Self.mismatch("hello"))
    }
    self.info = info
    self.client = client
    self.end = end
    self.timeout = timeout
  }

  /// The program and its process, for messages.
  package var title: String { "\(info.name) (pid \(info.pid))" }

  /// The user that the process runs as.
  package var uid: UInt32 { client.peerUser }

  /// Sends a request; a refusal is thrown.
  package func send(_ request: ControlRequest) throws(CommandError) -> ControlResponse {
    let progress = Self.isLong(request) ? Progress("waiting for \(title)", atMost: timeout) : nil
    defer { progress?.end() }
    return try Self.ask(request, client, until: end)
  }

  /// Whether somebody wonders if it takes long: not if waiting is what it is for.
  private static func isLong(_ request: ControlRequest) -> Bool {
    switch request {
    case .receive, .traceCalls, .shadowCalls, .records, .log, .shell: false
    default: true
    }
  }

  private static func connect(
    _ path: String, _ timeout: Double
  ) throws(CommandError) -> ControlClient {
    do throws(ControlError) { return try ControlClient(path: path, timeout: timeout) } catch {
      throw CommandError(error)
    }
  }

  private static func ask(
    _ request: ControlRequest, _ client: borrowing ControlClient,
    until end: ContinuousClock.Instant
  ) throws(CommandError) -> ControlResponse {
    let left = ContinuousClock.now.duration(to: end) / .seconds(1)
    let response: ControlResponse
    do throws(ControlError) { response = try client.send(request, timeout: left) } catch {
      throw CommandError(error)
    }
    if case .failure(let failure) = response { throw CommandError(failure) }
    return response
  }

  /// The daemon answered something else than was asked.
  package static func mismatch(_ verb: String) -> ControlError {
    ControlError(
      .protocolViolation, message: "the daemon's answer does not fit the request '\(verb)'",
      remedy: "check that the tool and the daemon are of the same version")
  }
}
