// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingPatches
import WaxwingReflection

/// Answers requests from the control socket by asking the engine.
struct ControlHandler: Sendable {
  private let engine: Engine

  init(_ engine: Engine) {
    self.engine = engine
  }

  func answer(_ request: ControlRequest) -> ControlResponse {
    do {
      return try response(to: request)
    } catch let error as WaxwingError {
      return .failure(ControlFailure(error))
    } catch {
      return .failure(ControlFailure(.internal, message: "\(error)", remedy: "please report this"))
    }
  }

  private func response(to request: ControlRequest) throws -> ControlResponse {
    switch request {
    case .hello: .hello(try info())
    case .list: .list(try patches())
    case .status:
      .status(
        DaemonStatus(
          daemon: try info(), patches: try patches(),
          unsupported: Engine.unsupportedReason, differences: engine.differences(),
          boot: try engine.bootStatus().ifNotPlain,
          allowsUnsigned: engine.policy.unsignedPatches == .allowed))
    case .explain(let selector): .explained(PointStatus(try engine.explain(selector)))
    case .versions(let type): .versions(try engine.versions(of: type))
    case .objects(let collect):
      .objects(try engine.liveObjects(collecting: collect).map(HeldObjects.init))
    case .apply(let request): .applied(try apply(request))
    case .revert(let name, let seconds):
      .reverted(
        try engine.revert(name, waitAtMost: .bounded(seconds)).report(reverted: name))
    case .restore(let seconds):
      .restored(
        try engine.restore(waitAtMost: .bounded(seconds)).report(restored: ProgramName.current))
    case .confirm(let name): .confirmed(try engine.confirm(name))
    case .boot(let action): .boot(try engine.boot(action))
    }
  }

  private func patches() throws -> [PatchStatus] {
    let keepings = try engine.keepings()
    return try engine.list().map { info in
      var status = PatchStatus(info)
      let keeping = keepings[info.name]
      status.isKept = keeping?.isKept
      status.trialSecondsLeft = keeping?.trialSecondsLeft
      return status
    }
  }

  private func info() throws -> DaemonInfo {
    DaemonInfo(
      program: ProgramName.current, pid: getpid(),
      buildID: try engine.operation { try? engine.runningProgram().buildID } ?? nil,
      patches: try engine.list().map(\.name))
  }

  private func apply(_ request: ApplyRequest) throws -> ApplyReport {
    let bundles = request.patches.map { patch in
      PatchBundle(
        files: patch.files.map { PatchFile($0) }, signature: patch.signature.map { PatchFile($0) })
    }
    let options = request.options
    return ApplyReport(
      try engine.apply(
        bundles, options.replacesAll ? .everything : .sameName,
        waitAtMost: .bounded(options.waitSeconds),
        Engine.Terms(keeps: options.keeps, trialSeconds: options.trialSeconds)))
  }
}

extension PatchFile {
  fileprivate init(_ payload: PatchFilePayload) {
    self.init(name: payload.name, bytes: payload.bytes)
  }
}

extension Duration {
  /// Seconds from a client: not negative, not endless.
  fileprivate static func bounded(_ seconds: Double) -> Duration {
    .seconds(seconds.isFinite ? min(max(seconds, 0), 3600) : 10)
  }
}
