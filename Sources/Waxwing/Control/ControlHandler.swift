// SPDX-License-Identifier: MIT

import Glibc
import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingLua
import WaxwingOperations
import WaxwingPatches
import WaxwingReflection
import WaxwingSystem

/// Answers requests from the control socket by asking the engine.
struct ControlHandler: Sendable {
  private let operations: Operations

  init(_ operations: Operations) {
    self.operations = operations
  }

  private var engine: Engine { operations.engine }

  /// Seconds: no client holds the thread for calls for longer, twice.
  private static let longestCall = 300.0

  /// How long a request waits for an operation that is going on. Clients are given an answer before
  /// they give up.
  private static let patience = Duration.seconds(5)

  func answer(_ request: ControlRequest, _ peer: ControlPeer) -> ControlResponse {
    do {
      return try OperationLock.$patience.withValue(Self.patience) {
        try response(to: request, peer)
      }
    } catch let failure as ControlFailure {
      return .failure(failure)
    } catch let error as WaxwingError {
      return .failure(ControlFailure(error))
    } catch {
      return .failure(ControlFailure(.internal, message: "\(error)", remedy: "please report this"))
    }
  }

  private func response(
    to request: ControlRequest, _ peer: ControlPeer
  ) throws -> ControlResponse {
    switch request {
    case .hello: .hello(info())
    case .list: .list(try patches())
    case .status: .status(try status(peer))
    case .explain(let selector): .explained(PointStatus(try operations.queries.explain(selector)))
    case .versions(let type): .versions(try operations.queries.versions(of: type))
    case .points(let pattern, let first):
      .points(try operations.queries.points(matching: pattern, from: first))
    case .objects(let collect):
      .objects(try operations.queries.liveObjects(collecting: collect).map(HeldObjects.init))
    case .audit(let last): .audit(try excerpt(last))
    case .metrics(let openMetrics):
      .metrics(
        try MetricsReport(of: operations).text(
          openMetrics ? .openMetrics : .prometheus, clients: ControlListener.shared.clientCount))
    case .measure(let isOn, let patches): .measured(try engine.registry.measure(isOn, patches))
    case .apply(let request): .applied(try apply(request, peer))
    case .check(let request): .checked(try check(request, peer))
    case .revert(let name, let seconds, let now):
      .reverted(
        try operations.patches.revert(
          name, waitAtMost: .bounded(seconds), now: now, by: AuditRecord.Actor(peer)
        ).report(reverted: name))
    case .restore(let seconds, let now):
      .restored(
        try operations.restore.restore(
          waitAtMost: .bounded(seconds), now: now, by: AuditRecord.Actor(peer)
        )
        .report(restored: ProgramName.current))
    case .reload: .reloaded(try operations.reload.reload(by: AuditRecord.Actor(peer)))
    case .confirm(let name):
      .confirmed(try operations.patches.confirm(name, by: AuditRecord.Actor(peer)))
    case .call(let name, let message, let waitSeconds, let timeoutSeconds):
      .called(
        try engine.methods.send(
          message, to: name, waitSeconds: min(waitSeconds, Self.longestCall),
          timeoutSeconds: min(timeoutSeconds, Self.longestCall)))
    case .receive(let name, let waitSeconds):
      .received(
        engine.messages.take(
          name, until: .after(seconds: max(0, min(waitSeconds, Self.longestCall)))
        ).map { ReceivedMessage(number: $0.number, patch: $0.patch, text: $0.text) } ?? .none)
    case .reply(let number, let text, let failure):
      .replied(
        engine.messages.reply(
          text.map(MessageReply.text) ?? .failure(failure ?? "the client gives no reason"),
          to: number))
    case .log(let number, let most): .log(log(after: number, most))
    case .trace(let request): try trace(request, peer)
    case .traceCalls(let name): .traceCalls(try operations.traces.batch(of: name))
    case .shadow(let request): .shadowed(try shadow(request, peer))
    case .shell(let request):
      .shell(try operations.shells.answer(request, by: AuditRecord.Actor(peer)))
    case .record(let request): .traced(try record(request, peer))
    case .records(let question): .records(try operations.records.answer(question))
    case .replay(let request): .replayed(try replay(request, peer))
    case .instances(let request): .instances(try instances(request, peer))
    case .shadowCalls(let name): .shadowCalls(try operations.shadows.batch(of: name))
    case .debug(let request): .debugged(try operations.debugger.answer(request, peer))
    case .boot(let action):
      .boot(try operations.setAside.act(action, by: AuditRecord.Actor(peer)))
    }
  }

  /// So many events fit a frame with much to spare.
  private static let mostEvents = 200

  private func log(after number: Int?, _ most: Int) -> LogPage {
    let (events, last) = engine.log.recent.events(
      after: number, most: min(max(most, 0), Self.mostEvents))
    return LogPage(lines: events.map { LogPage.Line($0.event, number: $0.number) }, last: last)
  }

  /// An expression is code in the program, as a patch without a signature is.
  private func demandMayEvaluate(_ options: String, _ peer: ControlPeer) throws(ControlFailure) {
    if engine.policy.unsignedPatches == .allowed || engine.host.access.role(of: peer) == .own {
      return
    }
    throw ControlFailure(
      .notPermitted, message: "expressions are code, and this daemon takes none that is not signed",
      remedy: "leave out \(options), or use the role `own`")
  }

  private func trace(_ request: TraceRequest, _ peer: ControlPeer) throws -> ControlResponse {
    if request.hasExpressions { try demandMayEvaluate("--where and --show", peer) }
    return .traced(try operations.traces.begin(request, by: AuditRecord.Actor(peer)))
  }

  private func record(_ request: RecordRequest, _ peer: ControlPeer) throws -> TraceReport {
    if request.condition != nil { try demandMayEvaluate("--where", peer) }
    return try operations.records.begin(request, by: AuditRecord.Actor(peer))
  }

  /// A call that is made again does what calls of the program do: where patches have to be signed, that is
  /// not for everybody who may apply them.
  private func replay(_ request: ReplayRequest, _ peer: ControlPeer) throws -> ReplayReport {
    guard engine.policy.unsignedPatches == .allowed || engine.host.access.role(of: peer) == .own
    else {
      throw ControlFailure(
        .notPermitted,
        message: "a call that is made again has effects, and this daemon takes signed patches only",
        remedy: "use the role `own`")
    }
    return try operations.records.replay(
      request.number, request.patch.map(PatchBundle.init), by: AuditRecord.Actor(peer))
  }

  private func instances(
    _ request: InstancesRequest, _ peer: ControlPeer
  ) throws -> InstancesReport {
    if request.condition != nil { try demandMayEvaluate("--where", peer) }
    return try operations.instances.list(request, by: AuditRecord.Actor(peer))
  }

  private func shadow(_ request: ShadowRequest, _ peer: ControlPeer) throws -> ShadowReport {
    var selection = CallSelection(.shadow)
    try selection.take(request.selection) { () throws(ControlFailure) in
      try demandMayEvaluate("--key and --when", peer)
    }
    selection.allowsEffects = request.allowsEffects
    return try operations.shadows.begin(
      PatchBundle(request.patch), selection, patience: request.patience,
      by: AuditRecord.Actor(peer))
  }

  private func patches() throws -> [PatchStatus] {
    let keepings = try operations.queries.keepings()
    let now = engine.admission.trustedTime.seconds
    return try operations.queries.list().map { info in
      var status = PatchStatus(info)
      let keeping = keepings[info.name]
      status.isKept = keeping?.isKept
      status.isExpired = info.expires.map { now >= $0 }
      status.trialSecondsLeft = keeping?.trialSecondsLeft
      return status
    }
  }

  /// Known also while an operation is going on.
  private func info() -> DaemonInfo {
    var info = DaemonInfo(
      program: ProgramName.current, pid: getpid(),
      buildID: engine.buildID, patches: engine.registry.liveNames)
    info.current = engine.sessions.currentID
    info.instance = operations.instance.value.name
    return info
  }

  private func status(_ peer: ControlPeer) throws -> DaemonStatus {
    var status = try patchStatus()
    status.role = engine.host.access.role(of: peer)?.rawValue
    status.audit = operations.audit.summary
    status.configuration = engine.host.path
    let trouble = engine.host.trouble
    status.configurationTrouble = trouble.isEmpty ? nil : trouble
    status.memory = LuaState.totalMemory
    status.memoryLimit = engine.policy.limits.totalMemory
    let unmatched = status.busy == nil ? operations.rules.unmatchedSoon() : []
    status.configurationWarnings = unmatched.isEmpty ? nil : unmatched
    status.swiftWarning = engine.patchability.warning
    status.socketTrouble = ControlListener.shared.groupTrouble
    return status
  }

  /// How the patches do; while an operation is in the way of knowing that, which one.
  private func patchStatus() throws -> DaemonStatus {
    func status(_ patches: [PatchStatus], _ boot: BootStatus?) -> DaemonStatus {
      DaemonStatus(
        daemon: info(), patches: patches, unsupported: engine.patchability.reason,
        differences: engine.inspection.differences(), boot: boot,
        allowsUnsigned: engine.policy.unsignedPatches == .allowed)
    }
    do {
      return try OperationLock.$patience.withValue(Self.statusPatience) {
        status(try patches(), try operations.setAside.status().ifNotPlain)
      }
    } catch let error as WaxwingError where error.code == .conflict {
      var status = status([], nil)
      status.busy = engine.currentOperation ?? "another operation has just ended"
      return status
    }
  }

  /// Who asks how the daemon is wants to know soon.
  private static let statusPatience = Duration.seconds(2)

  /// As many lines as fit a frame with much to spare.
  private static let mostAuditLines = 1000

  private func excerpt(_ last: Int) throws -> AuditExcerpt {
    let summary = operations.audit.summary
    guard let path = summary.path else { return AuditExcerpt(state: summary) }
    do throws(AuditError) {
      let count = min(max(last, 0), Self.mostAuditLines)
      return AuditExcerpt(
        state: summary, lines: count == 0 ? [] : try AuditText.lastLines(count, of: path))
    } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  private func apply(_ request: ApplyRequest, _ peer: ControlPeer) throws -> ApplyReport {
    ApplyReport(
      try operations.patches.apply(
        request.patches.map(PatchBundle.init), ApplyOptions(request.options),
        try terms(request.options, peer), by: AuditRecord.Actor(peer)),
      info: operations.queries.info(of:))
  }

  private func check(_ request: ApplyRequest, _ peer: ControlPeer) throws -> CheckReport {
    CheckReport(
      try operations.patches.dryRun(
        request.patches.map(PatchBundle.init), ApplyOptions(request.options),
        try terms(request.options, peer), by: AuditRecord.Actor(peer)))
  }

  private func terms(
    _ options: ApplyRequest.Options, _ peer: ControlPeer
  ) throws(ControlFailure) -> Terms {
    var terms = Terms(keeps: options.keeps, trialSeconds: options.trialSeconds)
    if options.selection != nil {
      var selection = CallSelection(.part)
      try selection.take(options.selection) { () throws(ControlFailure) in
        try demandMayEvaluate("--key and --when", peer)
      }
      terms.selection = selection
    }
    return terms
  }
}

extension CallSelection {
  /// Takes on what a client says.
  /// - Parameter demand: Refuses expressions.
  fileprivate mutating func take(
    _ payload: SelectionPayload?, _ demand: () throws(ControlFailure) -> Void
  ) throws(ControlFailure) {
    guard let payload else { return }
    if payload.hasExpressions { try demand() }
    share = payload.share
    key = payload.key
    condition = payload.condition
  }
}

extension PatchBundle {
  fileprivate init(_ patch: ApplyRequest.Patch) {
    self.init(
      files: patch.files.map { PatchFile($0) }, signature: patch.signature.map { PatchFile($0) })
  }
}

extension ApplyOptions {
  fileprivate init(_ options: ApplyRequest.Options) {
    self.init(
      options.replacesAll ? .everything : .sameName, waitAtMost: .bounded(options.waitSeconds))
    ifCurrent = options.ifCurrent
    acceptsAnyVersion = options.acceptsAnyVersion
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

extension LogPage.Line {
  fileprivate init(_ event: LogEvent, number: Int) {
    let named = event.fields.lazy.compactMap { name, value -> String? in
      if name == "patch", case .text(let text) = value { text } else { nil }
    }.first
    // `overdraft is live`, `overdraft has ended`
    let subject =
      ["patch.applied", "patch.ended"].contains(event.event)
      ? event.message.split(separator: " ").first.map(String.init) : nil
    self.init(
      number: number, level: event.level.rawValue, event: event.event, patch: named ?? subject,
      text: event.line, json: event.json)
  }
}
