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
    switch CodingKeys(rawValue: try container.decode(String.self, forKey: .result)) {
    case .hello: self = .hello(try container.decode(DaemonInfo.self, forKey: .hello))
    case .applied: self = .applied(try container.decode(ApplyReport.self, forKey: .applied))
    case .checked: self = .checked(try container.decode(CheckReport.self, forKey: .checked))
    case .list: self = .list(try container.decode([PatchStatus].self, forKey: .list))
    case .status: self = .status(try container.decode(DaemonStatus.self, forKey: .status))
    case .objects:
      self = .objects(try container.decode([HeldObjects].self, forKey: .objects))
    case .explained: self = .explained(try container.decode(PointStatus.self, forKey: .explained))
    case .versions:
      self = .versions(try container.decode([TypeVersion].self, forKey: .versions))
    case .points: self = .points(try container.decode(PointPage.self, forKey: .points))
    case .audit: self = .audit(try container.decode(AuditExcerpt.self, forKey: .audit))
    case .metrics: self = .metrics(try container.decode(String.self, forKey: .metrics))
    case .measured:
      self = .measured(try container.decode([String].self, forKey: .measured))
    case .reverted: self = .reverted(try container.decode(RestoreReport.self, forKey: .reverted))
    case .restored: self = .restored(try container.decode(RestoreReport.self, forKey: .restored))
    case .reloaded: self = .reloaded(try container.decode(ReloadReport.self, forKey: .reloaded))
    case .confirmed:
      self = .confirmed(try container.decode(ConfirmReport.self, forKey: .confirmed))
    case .called: self = .called(try container.decode(String.self, forKey: .called))
    case .received:
      self = .received(try container.decode(ReceivedMessage.self, forKey: .received))
    case .replied: self = .replied(try container.decode(Bool.self, forKey: .replied))
    case .log: self = .log(try container.decode(LogPage.self, forKey: .log))
    case .traced: self = .traced(try container.decode(TraceReport.self, forKey: .traced))
    case .traceCalls:
      self = .traceCalls(try container.decode(TraceBatch.self, forKey: .traceCalls))
    case .shadowed:
      self = .shadowed(try container.decode(ShadowReport.self, forKey: .shadowed))
    case .shadowCalls:
      self = .shadowCalls(try container.decode(ShadowBatch.self, forKey: .shadowCalls))
    case .shell: self = .shell(try container.decode(ShellReply.self, forKey: .shell))
    case .records: self = .records(try container.decode(RecordedCalls.self, forKey: .records))
    case .replayed: self = .replayed(try container.decode(ReplayReport.self, forKey: .replayed))
    case .instances:
      self = .instances(try container.decode(InstancesReport.self, forKey: .instances))
    case .debugged:
      self = .debugged(try container.decode(DebugReply.self, forKey: .debugged))
    case .boot: self = .boot(try container.decode(BootStatus.self, forKey: .boot))
    case .failure: self = .failure(try container.decode(ControlFailure.self, forKey: .failure))
    case .result, nil:
      throw DecodingError.dataCorruptedError(
        forKey: .result, in: container, debugDescription: "unknown result")
    }
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
