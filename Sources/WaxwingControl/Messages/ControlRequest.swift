// SPDX-License-Identifier: MIT

/// What a client asks of a daemon.
package enum ControlRequest: Hashable, Sendable {
  /// Who are you? Answered by ``ControlResponse/hello(_:)``.
  case hello
  /// Load a patch. Answered by ``ControlResponse/applied(_:)``.
  case apply(ApplyRequest)
  /// What would come of that request? Nothing goes live. A verb of its own: a daemon that does not know it
  /// refuses it, and never applies the patches. Answered by ``ControlResponse/checked(_:)``.
  case check(ApplyRequest)
  /// Which patches are loaded? Answered by ``ControlResponse/list(_:)``.
  case list
  /// How are you? Answered by ``ControlResponse/status(_:)``.
  case status
  /// What do your patches hold? Answered by ``ControlResponse/objects(_:)``.
  case objects(collect: Bool)
  /// What happens to calls of this function? Answered by ``ControlResponse/explained(_:)``.
  case explain(selector: String)
  /// Which types are changed, how often? Of one type, or of all that are. Answered by
  /// ``ControlResponse/versions(_:)``.
  case versions(type: String?)
  /// Which patch points have you, and which of them can be overridden? Those whose selectors contain a
  /// text, from one on. Answered by ``ControlResponse/points(_:)``.
  case points(pattern: String?, from: Int)
  /// What is in your audit log? Answered by ``ControlResponse/audit(_:)``.
  case audit(last: Int)
  /// Your counters, as text for Prometheus, or as OpenMetrics. Answered by ``ControlResponse/metrics(_:)``.
  case metrics(openMetrics: Bool = false)
  /// Measure how long calls of overrides take, or do not any more: of some patches, or of all. Answered by
  /// ``ControlResponse/measured(_:)``.
  case measure(isOn: Bool, patches: [String])
  /// End one patch, waiting for its calls; `now`: living objects of its classes answer as their
  /// superclasses do at once. Answered by ``ControlResponse/reverted(_:)``.
  case revert(name: String, waitSeconds: Double, now: Bool = false)
  /// End all patches, waiting for their calls; `now` as for ``revert``. Answered by ``ControlResponse/restored(_:)``.
  case restore(waitSeconds: Double, now: Bool = false)
  /// Read your configuration file again. Answered by ``ControlResponse/reloaded(_:)``.
  case reload
  /// Let the patch that is on trial, or all that are, stay. Answered by
  /// ``ControlResponse/confirmed(_:)``.
  case confirm(name: String?)
  /// Give a message to a patch, and wait for its reply: for a patch that takes it, and for the reply.
  /// Answered by ``ControlResponse/called(_:)``.
  case call(name: String, message: String, waitSeconds: Double, timeoutSeconds: Double)
  /// The next message that a patch has for the client which handles this name, once there is one, or
  /// after so long. Answered by ``ControlResponse/received(_:)``.
  case receive(name: String, waitSeconds: Double)
  /// Hand a patch the reply to a message of that number, or why there is none. Answered by
  /// ``ControlResponse/replied(_:)``.
  case reply(number: Int, text: String?, failure: String?)
  /// Which events has your log, behind a number? So many of the newest. Answered by
  /// ``ControlResponse/log(_:)``.
  case log(after: Int?, most: Int)
  /// Watch calls of functions. Answered by ``ControlResponse/traced(_:)``.
  case trace(TraceRequest)
  /// Which calls has a trace seen since it was asked last? Answered by ``ControlResponse/traceCalls(_:)``.
  case traceCalls(name: String)
  /// Run a patch beside the program. Answered by ``ControlResponse/shadowed(_:)``.
  case shadow(ShadowRequest)
  /// What came of a shadow since it was asked last? Answered by ``ControlResponse/shadowCalls(_:)``.
  case shadowCalls(name: String)
  /// Keep calls of functions. Answered by ``ControlResponse/traced(_:)``.
  case record(RecordRequest)
  /// Which calls are kept? Answered by ``ControlResponse/records(_:)``.
  case records(RecordQuestion)
  /// Make a call again that is kept. Answered by ``ControlResponse/replayed(_:)``.
  case replay(ReplayRequest)
  /// Which objects of a class are there? Answered by ``ControlResponse/instances(_:)``.
  case instances(InstancesRequest)
  /// Run what is typed into a shell. Answered by ``ControlResponse/shell(_:)``.
  case shell(ShellRequest)
  /// Something of a debugger's. Answered by ``ControlResponse/debugged(_:)``.
  case debug(DebugRequest)
  /// What became of the kept patches, and what is to become of those that were set aside? Answered by
  /// ``ControlResponse/boot(_:)``.
  case boot(BootAction)

  /// The request's word on the wire.
  package var verb: String {
    switch self {
    case .hello: "hello"
    case .apply: "apply"
    case .check: "check"
    case .list: "list"
    case .status: "status"
    case .objects: "objects"
    case .explain: "explain"
    case .versions: "versions"
    case .points: "points"
    case .audit: "audit"
    case .metrics: "metrics"
    case .measure: "measure"
    case .revert: "revert"
    case .restore: "restore"
    case .reload: "reload"
    case .confirm: "confirm"
    case .call: "call"
    case .receive: "receive"
    case .reply: "reply"
    case .log: "log"
    case .trace: "trace"
    case .traceCalls: "traceCalls"
    case .shadow: "shadow"
    case .shell: "shell"
    case .record: "record"
    case .records: "records"
    case .replay: "replay"
    case .instances: "instances"
    case .shadowCalls: "shadowCalls"
    case .debug: "debug"
    case .boot: "boot"
    }
  }
}

extension ControlRequest {
  /// Requests that take turns with each other, and with no others.
  package enum Lane: CaseIterable, Sendable {
    /// What is answered at once.
    case quick
    /// What looks for names among all of the program's functions, or goes through all that patches hold.
    case searching
    /// Restoring, which has to work whatever else is going on.
    case restoring
    /// What may run a patch's code, and the program's with it.
    case changing
    /// Messages to patches, whose replies may take long.
    case calling
    /// Clients that wait for messages of patches.
    case receiving
    /// Debuggers, for which a patch's code may run.
    case debugging
  }

  /// With which requests it takes turns.
  package var lane: Lane {
    switch self {
    case _ where mayTakeLong: .changing
    case .restore: .restoring
    case .call, .traceCalls, .shadowCalls, .records: .calling
    case .shell(let request): request == .open ? .changing : .calling
    case .receive: .receiving
    case .objects, .points, .explain, .versions: .searching
    case .debug(let request) where !request.isQuick: .debugging
    default: .quick
    }
  }

  /// Whether a patch's script or its callbacks may run for it, and code of the program's with them, which
  /// nobody can stop.
  package var mayTakeLong: Bool {
    switch self {
    case .apply, .check, .revert, .confirm, .reload, .trace, .shadow, .record, .replay,
      .instances:
      true
    case .boot(let action): action != .show
    case .shell(let request): request == .open
    case .hello, .list, .status, .objects, .explain, .versions, .points, .audit, .metrics, .measure,
      .restore, .call, .receive, .reply, .traceCalls, .shadowCalls,
      .records, .log, .debug:
      false
    }
  }
}

extension ControlRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case `protocol`, verb, apply, check, collect, last, name, selector, type, pattern, from,
      waitSeconds, now, action, message, timeoutSeconds, number, text, failure, trace, shadow,
      record, question, replay, shell, instances, after, most,
      openMetrics, isOn, patches, debug
  }

  /// - Throws: ``ControlFailure`` with code `unsupported` for a verb or a protocol of the future.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decodeIfPresent(Int.self, forKey: .protocol) ?? 1
    guard version <= ControlProtocol.version else { throw ControlFailure.newer(version) }
    func required<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    func wait() throws -> Double { try optional(.waitSeconds) ?? 10 }
    func now() throws -> Bool { try optional(.now) ?? false }
    switch try container.decode(String.self, forKey: .verb) {
    case "hello": self = .hello
    case "apply": self = .apply(try required(.apply))
    case "check": self = .check(try required(.check))
    case "list": self = .list
    case "status": self = .status
    case "objects": self = .objects(collect: try optional(.collect) ?? true)
    case "explain": self = .explain(selector: try required(.selector))
    case "versions": self = .versions(type: try optional(.type))
    case "points": self = .points(pattern: try optional(.pattern), from: try optional(.from) ?? 0)
    case "audit": self = .audit(last: try optional(.last) ?? 0)
    case "metrics": self = .metrics(openMetrics: try optional(.openMetrics) ?? false)
    case "measure":
      self = .measure(isOn: try required(.isOn), patches: try optional(.patches) ?? [])
    case "revert":
      self = .revert(name: try required(.name), waitSeconds: try wait(), now: try now())
    case "restore": self = .restore(waitSeconds: try wait(), now: try now())
    case "reload": self = .reload
    case "confirm": self = .confirm(name: try optional(.name))
    case "call":
      self = .call(
        name: try required(.name),
        message: try required(.message),
        waitSeconds: try optional(.waitSeconds) ?? 0,
        timeoutSeconds: try optional(.timeoutSeconds) ?? 10)
    case "receive": self = .receive(name: try required(.name), waitSeconds: try wait())
    case "reply":
      self = .reply(
        number: try required(.number),
        text: try optional(.text),
        failure: try optional(.failure))
    case "log": self = .log(after: try optional(.after), most: try optional(.most) ?? 100)
    case "trace": self = .trace(try required(.trace))
    case "traceCalls": self = .traceCalls(name: try required(.name))
    case "shadow": self = .shadow(try required(.shadow))
    case "shell": self = .shell(try required(.shell))
    case "record": self = .record(try required(.record))
    case "records": self = .records(try required(.question))
    case "replay": self = .replay(try required(.replay))
    case "instances": self = .instances(try required(.instances))
    case "shadowCalls": self = .shadowCalls(name: try required(.name))
    case "debug": self = .debug(try required(.debug))
    case "boot": self = .boot(try optional(.action) ?? .show)
    case let verb: throw ControlFailure.unknownVerb(verb)
    }
  }

  /// Writes the form on the wire.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ControlProtocol.version, forKey: .protocol)
    try container.encode(verb, forKey: .verb)
    switch self {
    case .hello, .list, .status, .reload: break
    case .metrics(let openMetrics):
      if openMetrics { try container.encode(true, forKey: .openMetrics) }
    case .measure(let isOn, let patches):
      try container.encode(isOn, forKey: .isOn)
      try container.encode(patches, forKey: .patches)
    case .audit(let last): try container.encode(last, forKey: .last)
    case .objects(let collect): try container.encode(collect, forKey: .collect)
    case .explain(let selector): try container.encode(selector, forKey: .selector)
    case .versions(let type): try container.encodeIfPresent(type, forKey: .type)
    case .points(let pattern, let first):
      try container.encodeIfPresent(pattern, forKey: .pattern)
      try container.encode(first, forKey: .from)
    case .apply(let request): try container.encode(request, forKey: .apply)
    case .check(let request): try container.encode(request, forKey: .check)
    case .revert(let name, let waitSeconds, let now):
      try container.encode(name, forKey: .name)
      try container.encode(waitSeconds, forKey: .waitSeconds)
      if now { try container.encode(true, forKey: .now) }
    case .restore(let waitSeconds, let now):
      try container.encode(waitSeconds, forKey: .waitSeconds)
      if now { try container.encode(true, forKey: .now) }
    case .confirm(let name): try container.encodeIfPresent(name, forKey: .name)
    case .call(let name, let message, let waitSeconds, let timeoutSeconds):
      try container.encode(name, forKey: .name)
      try container.encode(message, forKey: .message)
      try container.encode(waitSeconds, forKey: .waitSeconds)
      try container.encode(timeoutSeconds, forKey: .timeoutSeconds)
    case .receive(let name, let waitSeconds):
      try container.encode(name, forKey: .name)
      try container.encode(waitSeconds, forKey: .waitSeconds)
    case .reply(let number, let text, let failure):
      try container.encode(number, forKey: .number)
      try container.encodeIfPresent(text, forKey: .text)
      try container.encodeIfPresent(failure, forKey: .failure)
    case .log(let after, let most):
      try container.encodeIfPresent(after, forKey: .after)
      try container.encode(most, forKey: .most)
    case .trace(let request): try container.encode(request, forKey: .trace)
    case .traceCalls(let name), .shadowCalls(let name): try container.encode(name, forKey: .name)
    case .shell(let request): try container.encode(request, forKey: .shell)
    case .record(let request): try container.encode(request, forKey: .record)
    case .records(let question): try container.encode(question, forKey: .question)
    case .replay(let request): try container.encode(request, forKey: .replay)
    case .instances(let request): try container.encode(request, forKey: .instances)
    case .shadow(let request): try container.encode(request, forKey: .shadow)
    case .debug(let request): try container.encode(request, forKey: .debug)
    case .boot(let action): try container.encode(action, forKey: .action)
    }
  }
}
