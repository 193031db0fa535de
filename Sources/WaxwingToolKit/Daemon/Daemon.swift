// SPDX-License-Identifier: MIT

package import WaxwingControl

/// A connection to a daemon that has said who it is, with one deadline for the whole command.
package struct Daemon: ~Copyable {
  /// The daemon's answer to `hello`.
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
    info = try client.ask(HelloRequest(), timeout: timeout)
    self.client = client
    self.end = end
    self.timeout = timeout
  }

  /// The program and its process, for messages.
  package var title: String { "\(info.name) (pid \(info.pid))" }

  /// The user that the process runs as.
  package var uid: UInt32 { client.peerUser }

  /// Sends a request; a refusal is thrown.
  package func send<Request: ControlRequest>(
    _ request: Request
  ) throws(CommandError) -> Request.Response {
    let progress =
      Request.isWaiting ? nil : Progress("waiting for \(title)", atMost: timeout)
    defer { progress?.end() }
    return try client.ask(
      request, timeout: ContinuousClock.now.duration(to: end) / .seconds(1))
  }

  private static func connect(
    _ path: String, _ timeout: Double
  ) throws(CommandError) -> ControlClient {
    do throws(ControlError) { return try ControlClient(path: path, timeout: timeout) } catch {
      throw CommandError(error)
    }
  }

  /// The error for a daemon whose answer does not fit the request.
  package static func mismatch(_ verb: String) -> ControlError {
    ControlError(
      .protocolViolation, message: "the daemon's answer does not fit the request '\(verb)'",
      remedy: "check that the tool and the daemon are of the same version")
  }
}

extension ControlClient {
  /// Sends a request; a refusal is thrown.
  package func ask<Request: ControlRequest>(
    _ request: Request, timeout seconds: Double
  ) throws(CommandError) -> Request.Response {
    let response: Result<Request.Response, ControlFailure>
    do throws(ControlError) { response = try send(request, timeout: seconds) } catch {
      throw CommandError(error)
    }
    do throws(ControlFailure) { return try response.get() } catch { throw CommandError(error) }
  }
}
