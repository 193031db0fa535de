// SPDX-License-Identifier: MIT

import WaxwingControl
package import WaxwingPatches

/// The daemons of one program whose control sockets this user can reach.
package final class SocketPort: DaemonPort {
  private static let applySeconds = 30.0
  private static let quickSeconds = 5.0

  private let program: String
  private let keeps: Bool

  /// - Parameters:
  ///   - program: Whose daemons.
  ///   - keeps: Whether patches that are not on trial are live again after a restart.
  package init(program: String, keeps: Bool) {
    self.program = program
    self.keeps = keeps
  }

  package func daemons() throws(FleetError) -> [String] {
    do throws(ControlError) {
      return try SocketPlaces.current().liveDaemons().daemons.filter { $0.program == program }.map(
        \.path)
    } catch {
      throw FleetError(error)
    }
  }

  package func look(at daemon: String) throws(FleetError) -> ObservedDaemon {
    let status = try ask(daemon, StatusRequest(isBrief: true), Self.quickSeconds)
    return ObservedDaemon(status)
  }

  package func apply(
    _ patches: [PatchBundle], to daemon: String, trialSeconds: Double?
  ) throws(FleetError) {
    let request = ApplyRequest(
      patches: patches.map(Self.payload),
      options: .init(
        waitSeconds: Self.applySeconds / 3, replacesAll: true, keeps: keeps,
        trialSeconds: trialSeconds, acceptsAnyVersion: true))
    _ = try ask(daemon, request, Self.applySeconds)
    // What is not kept stays on trial until that is confirmed.
    if trialSeconds == nil, !keeps, try look(at: daemon).isOnTrial { try confirm(daemon) }
  }

  private func confirm(_ daemon: String) throws(FleetError) {
    _ = try ask(daemon, ConfirmRequest(name: nil), Self.quickSeconds)
  }

  package func restore(_ daemon: String) throws(FleetError) {
    // All calls go to the program's own code at once; those that are inside leave in their own time.
    let request = RestoreRequest(waitSeconds: 1)
    let report = try ask(daemon, request, Self.applySeconds)
    guard report.differences.isEmpty else {
      throw FleetError(.unavailable, "\(daemon): \(report.message)")
    }
  }

  private func ask<Request: ControlRequest>(
    _ daemon: String, _ request: Request, _ seconds: Double
  ) throws(FleetError) -> Request.Response {
    let response: Result<Request.Response, ControlFailure>
    do throws(ControlError) {
      let client = try ControlClient(path: daemon, timeout: Self.quickSeconds)
      response = try client.send(request, timeout: seconds)
    } catch {
      throw FleetError(error)
    }
    let failure: ControlFailure
    do throws(ControlFailure) { return try response.get() } catch { failure = error }
    let code: FleetError.Code =
      switch failure.code {
      case .refused: .untrusted
      case .notPermitted: .denied
      case .conflict: .conflict
      default: .unavailable
      }
    throw FleetError(code, failure.message, remedy: failure.remedy)
  }

  private static func payload(_ bundle: PatchBundle) -> ApplyRequest.Patch {
    func file(_ file: PatchFile) -> PatchFilePayload {
      PatchFilePayload(name: file.name, bytes: file.bytes)
    }
    return ApplyRequest.Patch(
      files: bundle.files.map(file), signature: bundle.signature.map(file))
  }
}

extension FleetError {
  fileprivate init(_ error: ControlError) {
    let isDenied = error.code == .notPermitted || error.code == .unsafePath
    self.init(isDenied ? .denied : .unavailable, error.message, remedy: error.remedy)
  }
}
