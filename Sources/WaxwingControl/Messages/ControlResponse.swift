// SPDX-License-Identifier: MIT

/// What a daemon answers. On the wire: `{"result": "list", "list": […]}`.
package enum ControlResponse: Hashable, Sendable {
  /// Who the daemon is.
  case hello(DaemonInfo)
  /// A patch is live.
  case applied(ApplyReport)
  /// What would come of an apply.
  case checked(CheckReport)
  /// The loaded patches, oldest first.
  case list([PatchStatus])
  /// Who the daemon is and how its patches do.
  case status(DaemonStatus)
  /// What the patches hold, oldest first.
  case objects([HeldObjects])
  /// What happens to calls of a function.
  case explained(PointStatus)
  /// The types that are changed, by name; or the one that was asked for.
  case versions([TypeVersion])
  /// Patch points.
  case points(PointPage)
  /// The audit log's state, and its last lines.
  case audit(AuditExcerpt)
  /// Counters in Prometheus's text format, or in OpenMetrics's.
  case metrics(String)
  /// The names of the live patches that are measured now.
  case measured([String])
  /// One patch has ended.
  case reverted(RestoreReport)
  /// All patches have ended.
  case restored(RestoreReport)
  /// The configuration was read again.
  case reloaded(ReloadReport)
  /// Patches that were on trial stay.
  case confirmed(ConfirmReport)
  /// What a patch has replied to a message.
  case called(String)
  /// The next message of a patch for the client, or none.
  case received(ReceivedMessage)
  /// Whether the patch still waited for the reply.
  case replied(Bool)
  /// Events of the log.
  case log(LogPage)
  /// Calls of functions are watched.
  case traced(TraceReport)
  /// Calls that a trace has seen.
  case traceCalls(TraceBatch)
  /// A patch is run beside the program.
  case shadowed(ShadowReport)
  /// What came of it.
  case shadowCalls(ShadowBatch)
  /// What a shell answers.
  case shell(ShellReply)
  /// Calls that are kept.
  case records(RecordedCalls)
  /// A call was made again.
  case replayed(ReplayReport)
  /// Objects of a class.
  case instances(InstancesReport)
  /// What a debugger has asked for.
  case debugged(DebugReply)
  /// What became of the kept patches.
  case boot(BootStatus)
  /// The request was not carried out.
  case failure(ControlFailure)
}

extension ControlResponse: Codable {
  private enum CodingKeys: String, CodingKey {
    case result, hello, applied, checked, list, status, objects, explained, versions, points, audit,
      metrics, measured, reverted, restored, reloaded, confirmed, called, received, replied, traced,
      traceCalls, shadowed, shadowCalls, shell, records, replayed, instances, log, debugged, boot,
      failure
  }

  /// Reads the form on the wire.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let result = try container.decode(String.self, forKey: .result)
    guard let key = CodingKeys(rawValue: result) else { throw Self.unknown(in: container) }
    func decode<Payload: Decodable>(_ make: (Payload) -> Self) throws -> Self {
      make(try container.decode(Payload.self, forKey: key))
    }
    switch key {
    case .hello: self = try decode(Self.hello)
    case .applied: self = try decode(Self.applied)
    case .checked: self = try decode(Self.checked)
    case .list: self = try decode(Self.list)
    case .status: self = try decode(Self.status)
    case .objects: self = try decode(Self.objects)
    case .explained: self = try decode(Self.explained)
    case .versions: self = try decode(Self.versions)
    case .points: self = try decode(Self.points)
    case .audit: self = try decode(Self.audit)
    case .metrics: self = try decode(Self.metrics)
    case .measured: self = try decode(Self.measured)
    case .reverted: self = try decode(Self.reverted)
    case .restored: self = try decode(Self.restored)
    case .reloaded: self = try decode(Self.reloaded)
    case .confirmed: self = try decode(Self.confirmed)
    case .called: self = try decode(Self.called)
    case .received: self = try decode(Self.received)
    case .replied: self = try decode(Self.replied)
    case .log: self = try decode(Self.log)
    case .traced: self = try decode(Self.traced)
    case .traceCalls: self = try decode(Self.traceCalls)
    case .shadowed: self = try decode(Self.shadowed)
    case .shadowCalls: self = try decode(Self.shadowCalls)
    case .shell: self = try decode(Self.shell)
    case .records: self = try decode(Self.records)
    case .replayed: self = try decode(Self.replayed)
    case .instances: self = try decode(Self.instances)
    case .debugged: self = try decode(Self.debugged)
    case .boot: self = try decode(Self.boot)
    case .failure: self = try decode(Self.failure)
    case .result: throw Self.unknown(in: container)
    }
  }

  private static func unknown(in container: KeyedDecodingContainer<CodingKeys>) -> DecodingError {
    .dataCorruptedError(forKey: .result, in: container, debugDescription: "unknown result")
  }

  /// Writes the form on the wire.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ payload: some Encodable, as key: CodingKeys) throws {
      try container.encode(key.rawValue, forKey: .result)
      try container.encode(payload, forKey: key)
    }
    switch self {
    case .hello(let info): try encode(info, as: .hello)
    case .applied(let report): try encode(report, as: .applied)
    case .checked(let report): try encode(report, as: .checked)
    case .list(let patches): try encode(patches, as: .list)
    case .status(let status): try encode(status, as: .status)
    case .objects(let patches): try encode(patches, as: .objects)
    case .explained(let point): try encode(point, as: .explained)
    case .versions(let versions): try encode(versions, as: .versions)
    case .points(let page): try encode(page, as: .points)
    case .audit(let excerpt): try encode(excerpt, as: .audit)
    case .metrics(let text): try encode(text, as: .metrics)
    case .measured(let names): try encode(names, as: .measured)
    case .reverted(let report): try encode(report, as: .reverted)
    case .restored(let report): try encode(report, as: .restored)
    case .reloaded(let report): try encode(report, as: .reloaded)
    case .confirmed(let report): try encode(report, as: .confirmed)
    case .called(let text): try encode(text, as: .called)
    case .received(let message): try encode(message, as: .received)
    case .replied(let isAwaited): try encode(isAwaited, as: .replied)
    case .log(let page): try encode(page, as: .log)
    case .traced(let report): try encode(report, as: .traced)
    case .traceCalls(let batch): try encode(batch, as: .traceCalls)
    case .shadowed(let report): try encode(report, as: .shadowed)
    case .shadowCalls(let batch): try encode(batch, as: .shadowCalls)
    case .shell(let reply): try encode(reply, as: .shell)
    case .records(let calls): try encode(calls, as: .records)
    case .replayed(let report): try encode(report, as: .replayed)
    case .instances(let report): try encode(report, as: .instances)
    case .debugged(let reply): try encode(reply, as: .debugged)
    case .boot(let status): try encode(status, as: .boot)
    case .failure(let failure): try encode(failure, as: .failure)
    }
  }
}
