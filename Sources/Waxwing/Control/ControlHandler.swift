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

  /// How each request is answered.
  var answers: ControlAnswers {
    var table = AnswerTable()
    answerQuestions(&table)
    answerChanges(&table)
    answerMessages(&table)
    answerTools(&table)
    return table.answers
  }

  /// The table, while it is filled.
  private struct AnswerTable {
    var answers = ControlAnswers()

    mutating func on<Request: ControlRequest>(
      _ kind: Request.Type,
      _ answer: @escaping @Sendable (Request, ControlPeer) throws -> Request.Response
    ) {
      answers.on(kind) { (request, peer) throws(ControlFailure) in
        do {
          return try OperationLock.$patience.withValue(ControlHandler.patience) {
            try answer(request, peer)
          }
        } catch let failure as ControlFailure {
          throw failure
        } catch let error as WaxwingError {
          throw ControlFailure(error)
        } catch {
          throw ControlFailure(.internal, message: "\(error)", remedy: "please report this")
        }
      }
    }
  }

  private func answerQuestions(_ table: inout AnswerTable) {
    table.on(HelloRequest.self) { _, _ in info() }
    table.on(ListRequest.self) { _, _ in try patches() }
    table.on(StatusRequest.self) { request, peer in try status(request, peer) }
    table.on(ExplainRequest.self) { request, _ in
      PointStatus(try operations.queries.explain(request.selector))
    }
    table.on(VersionsRequest.self) { request, _ in
      try operations.queries.versions(of: request.type)
    }
    table.on(PointsRequest.self) { request, _ in
      try operations.queries.points(
        .init(request.kind), matching: request.pattern,
        from: request.from ?? 0)
    }
    table.on(ObjectsRequest.self) { request, _ in
      try operations.queries.liveObjects(collecting: request.collect ?? true).map(HeldObjects.init)
    }
    table.on(AuditRequest.self) { request, _ in try excerpt(request.last ?? 0) }
    table.on(MetricsRequest.self) { request, _ in
      try MetricsReport(of: operations).text(
        request.openMetrics == true ? .openMetrics : .prometheus,
        clients: ControlListener.shared.clientCount)
    }
    table.on(LogRequest.self) { request, _ in log(after: request.after, request.most ?? 100) }
  }

  private func answerChanges(_ table: inout AnswerTable) {
    table.on(ApplyRequest.self, apply)
    table.on(CheckRequest.self) { request, peer in try check(request.check, peer) }
    table.on(RevertRequest.self) { request, peer in
      try operations.patches.revert(
        request.name, waitAtMost: .bounded(request.waitSeconds ?? 10), now: request.now ?? false,
        by: AuditRecord.Actor(peer)
      ).report(reverted: request.name)
    }
    table.on(RestoreRequest.self) { request, peer in
      try operations.restore.restore(
        waitAtMost: .bounded(request.waitSeconds ?? 10), now: request.now ?? false,
        by: AuditRecord.Actor(peer)
      ).report(restored: ProgramName.current)
    }
    table.on(ReloadRequest.self) { _, peer in
      try operations.reload.reload(by: AuditRecord.Actor(peer))
    }
    table.on(ConfirmRequest.self) { request, peer in
      try operations.patches.confirm(request.name, by: AuditRecord.Actor(peer))
    }
    table.on(BootRequest.self) { request, peer in
      try operations.setAside.act(request.action ?? .show, by: AuditRecord.Actor(peer))
    }
    table.on(MeasureRequest.self) { request, _ in
      try engine.registry.measure(request.isOn, request.patches ?? [])
    }
  }

  private func answerMessages(_ table: inout AnswerTable) {
    table.on(CallRequest.self) { request, _ in
      try engine.methods.send(
        request.message, to: request.name,
        waitSeconds: min(request.waitSeconds ?? 0, Self.longestCall),
        timeoutSeconds: min(request.timeoutSeconds ?? 10, Self.longestCall))
    }
    table.on(ReceiveRequest.self) { request, _ in
      let seconds = max(0, min(request.waitSeconds ?? 10, Self.longestCall))
      return engine.messages.take(request.name, until: .after(seconds: seconds)).map {
        ReceivedMessage(number: $0.number, patch: $0.patch, text: $0.text)
      } ?? .none
    }
    table.on(ReplyRequest.self) { request, _ in
      let reply =
        request.text.map(MessageReply.text)
        ?? .failure(request.failure ?? "the client gives no reason")
      return engine.messages.reply(reply, to: request.number)
    }
  }

  private func answerTools(_ table: inout AnswerTable) {
    table.on(TraceRequest.self, trace)
    table.on(TraceCallsRequest.self) { request, _ in
      try operations.traces.batch(of: request.name)
    }
    table.on(ShadowRequest.self, shadow)
    table.on(ShadowCallsRequest.self) { request, _ in
      try operations.shadows.batch(of: request.name)
    }
    table.on(RecordRequest.self, record)
    table.on(RecordsRequest.self) { request, _ in try operations.records.answer(request.question) }
    table.on(ReplayRequest.self, replay)
    table.on(InstancesRequest.self, instances)
    table.on(ShellRequest.self) { request, peer in
      try operations.shells.answer(request, by: AuditRecord.Actor(peer))
    }
    table.on(DebugRequest.self) { request, peer in
      try operations.debugger.answer(request, peer)
    }
  }

  /// The largest number of events in a response, which fit a frame with much to spare.
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

  private func trace(_ request: TraceRequest, _ peer: ControlPeer) throws -> TraceReport {
    if request.hasExpressions { try demandMayEvaluate("--where and --show", peer) }
    return try operations.traces.begin(request, by: AuditRecord.Actor(peer))
  }

  private func record(_ request: RecordRequest, _ peer: ControlPeer) throws -> TraceReport {
    if request.condition != nil { try demandMayEvaluate("--where", peer) }
    return try operations.records.begin(request, by: AuditRecord.Actor(peer))
  }

  /// Makes a recorded call again. The call has all effects of a call of the program. If patches
  /// have to be signed, this needs the role `own`.
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

  private func patches(isBrief: Bool = false) throws -> [PatchStatus] {
    let keepings = try operations.queries.keepings()
    let now = engine.admission.trustedTime.seconds
    return try operations.queries.list(isBrief: isBrief).map { info in
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

  private func status(_ request: StatusRequest, _ peer: ControlPeer) throws -> DaemonStatus {
    var status = try patchStatus(isBrief: request.isBrief ?? false)
    status.role = engine.host.access.role(of: peer).map { DaemonStatus.Role($0) }
    status.audit = operations.audit.summary
    status.configuration = engine.host.path
    let trouble = engine.host.trouble
    status.configurationTrouble = trouble.isEmpty ? nil : trouble
    status.memory = LuaState.totalMemory
    status.memoryLimit = engine.policy.limits.totalMemory
    let unmatched = status.busy == nil ? operations.rules.unmatchedSoon() : []
    status.configurationWarnings = unmatched.isEmpty ? nil : unmatched
    status.swiftWarning = engine.patchability.warning
    let rewritten = engine.registry.rewrittenFunctions
    if rewritten > 0 || engine.policy.codeEntries == .allowed {
      status.rewrittenFunctions = rewritten
    }
    status.socketTrouble = ControlListener.shared.groupTrouble
    return status
  }

  /// How the patches do; while an operation is in the way of knowing that, which one.
  private func patchStatus(isBrief: Bool) throws -> DaemonStatus {
    func status(_ patches: [PatchStatus], _ boot: BootStatus?) -> DaemonStatus {
      DaemonStatus(
        daemon: info(), patches: patches,
        unsupported: engine.patchability.reason(
          writesCode: engine.policy.codeEntries == .allowed),
        differences: engine.inspection.differences(), boot: boot,
        allowsUnsigned: engine.policy.unsignedPatches == .allowed)
    }
    do {
      return try OperationLock.$patience.withValue(Self.statusPatience) {
        status(try patches(isBrief: isBrief), try operations.setAside.status().ifNotPlain)
      }
    } catch let error as WaxwingError where error.code == .conflict {
      var status = status([], nil)
      status.busy = engine.currentOperation ?? "another operation has just ended"
      return status
    }
  }

  /// How long `status` waits for an operation to end: it has to answer soon.
  private static let statusPatience = Duration.seconds(2)

  /// The largest number of audit records in a response, which fit a frame with much to spare.
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
      number: number, level: LogPage.Level(rawValue: event.level.rawValue), event: event.event,
      patch: named ?? subject,
      text: event.line, json: event.json)
  }
}
