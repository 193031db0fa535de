// SPDX-License-Identifier: MIT

/// Asks for the program and process of the daemon.
package struct HelloRequest: ObserverRequest {
  package typealias Response = DaemonInfo
  package static let verb = "hello"

  package init() {}
}

/// Asks for the loaded patches, oldest first.
package struct ListRequest: ObserverRequest {
  package typealias Response = [PatchStatus]
  package static let verb = "list"

  package init() {}
}

/// Asks for the state of the daemon and its patches.
package struct StatusRequest: ObserverRequest {
  package typealias Response = DaemonStatus
  package static let verb = "status"

  /// Whether only overrides are described that have failed, were switched off or were passed by; nil: all are.
  package let isBrief: Bool?

  package init(isBrief: Bool? = nil) {
    self.isBrief = isBrief
  }
}

/// Asks for the objects and values that the patches hold, oldest patch first.
package struct ObjectsRequest: ObserverRequest {
  package typealias Response = [HeldObjects]
  package static let verb = "objects"

  /// Whether garbage is collected before; nil: it is.
  package let collect: Bool?

  package var lane: ControlLane { .searching }

  package init(collect: Bool? = nil) {
    self.collect = collect
  }
}

/// Asks for the treatment of a function's calls.
package struct ExplainRequest: ObserverRequest {
  package typealias Response = PointStatus
  package static let verb = "explain"
  package static let result = "explained"

  /// The name of the function.
  package let selector: String

  package var lane: ControlLane { .searching }
  package var names: [String] { [selector] }

  package init(selector: String) {
    self.selector = selector
  }
}

/// Asks for the types that are changed, and for their versions.
package struct VersionsRequest: ObserverRequest {
  package typealias Response = [TypeVersion]
  package static let verb = "versions"

  /// The name of one type; nil for all that are changed.
  package let type: String?

  package var lane: ControlLane { .searching }
  package var names: [String] { [type].compactMap(\.self) }

  package init(type: String? = nil) {
    self.type = type
  }
}

/// Asks for the patch points, and which of them can be overridden.
package struct PointsRequest: ObserverRequest {
  package typealias Response = PointPage
  package static let verb = "points"

  /// A text that the selectors contain; nil for all.
  package let pattern: String?
  /// The number of the first; nil: 0.
  package let from: Int?
  /// What is asked for; nil: patch points.
  package let kind: PointPage.Kind?

  package var lane: ControlLane { .searching }
  package var names: [String] { [pattern].compactMap(\.self) }

  package init(pattern: String? = nil, from: Int? = nil, kind: PointPage.Kind? = nil) {
    self.pattern = pattern
    self.from = from
    self.kind = kind
  }
}

/// How is your audit log, and which are its last lines?
package struct AuditRequest: ObserverRequest {
  package typealias Response = AuditExcerpt
  package static let verb = "audit"

  /// How many lines; nil: none.
  package let last: Int?

  package init(last: Int? = nil) {
    self.last = last
  }
}

/// Your counters, as text for Prometheus.
package struct MetricsRequest: ObserverRequest {
  package typealias Response = String
  package static let verb = "metrics"

  /// Whether as OpenMetrics; nil: they are not.
  package let openMetrics: Bool?

  package init(openMetrics: Bool? = nil) {
    self.openMetrics = openMetrics
  }
}

/// Asks for events of the log.
package struct LogRequest: ObserverRequest {
  package typealias Response = LogPage
  package static let verb = "log"
  package static let isWaiting = true

  /// The number after which events are wanted; nil for the newest.
  package let after: Int?
  /// The greatest number of events, the newest ones; nil for 100.
  package let most: Int?

  package init(after: Int? = nil, most: Int? = nil) {
    self.after = after
    self.most = most
  }
}

/// Asks for the outcome of an apply of which nothing goes live. It is a verb of its own, so that a
/// daemon that does not know it refuses it and never applies the patches.
package struct CheckRequest: OperatorRequest {
  package typealias Response = CheckReport
  package static let verb = "check"
  package static let result = "checked"

  package let check: ApplyRequest

  package var names: [String] { check.names }

  package init(check: ApplyRequest) {
    self.check = check
  }
}

/// Ends one patch.
package struct RevertRequest: OperatorRequest {
  package typealias Response = RestoreReport
  package static let verb = "revert"
  package static let result = "reverted"

  package let name: String
  /// Seconds to wait for calls inside; nil: 10.
  package let waitSeconds: Double?
  /// Whether living objects of its classes answer as their superclasses do at once; nil: they do not.
  package let now: Bool?

  package var names: [String] { [name] }

  package init(name: String, waitSeconds: Double? = nil, now: Bool? = nil) {
    self.name = name
    self.waitSeconds = waitSeconds
    self.now = now
  }
}

/// Ends all patches.
package struct RestoreRequest: OperatorRequest {
  package typealias Response = RestoreReport
  package static let verb = "restore"
  package static let result = "restored"

  /// Seconds to wait for calls inside; nil: 10.
  package let waitSeconds: Double?
  /// Whether living objects of their classes answer as their superclasses do at once; nil: they do not.
  package let now: Bool?

  package var lane: ControlLane { .restoring }

  package init(waitSeconds: Double? = nil, now: Bool? = nil) {
    self.waitSeconds = waitSeconds
    self.now = now
  }
}

/// Let a patch stay that is on trial.
package struct ConfirmRequest: OperatorRequest {
  package typealias Response = ConfirmReport
  package static let verb = "confirm"
  package static let result = "confirmed"

  /// The name of one patch; nil for all that are on trial.
  package let name: String?

  package var names: [String] { [name].compactMap(\.self) }

  package init(name: String? = nil) {
    self.name = name
  }
}

/// Measure how long calls of overrides take, or do not any more.
package struct MeasureRequest: OperatorRequest {
  package typealias Response = [String]
  package static let verb = "measure"
  package static let result = "measured"
  package var lane: ControlLane { .quick }

  package let isOn: Bool
  /// The names of the patches; nil or empty for all.
  package let patches: [String]?

  package var names: [String] { patches ?? [] }

  package init(isOn: Bool, patches: [String]? = nil) {
    self.isOn = isOn
    self.patches = patches
  }
}

/// Give a message to a patch, and wait for its reply.
package struct CallRequest: OperatorRequest {
  package typealias Response = String
  package static let verb = "call"
  package static let result = "called"

  /// The name of the message.
  package let name: String
  /// The message as JSON.
  package let message: String
  /// Seconds to wait for a patch that takes it; nil: none.
  package let waitSeconds: Double?
  /// Seconds to wait for the reply; nil: 10.
  package let timeoutSeconds: Double?

  package var lane: ControlLane { .calling }
  package var names: [String] { [name] }

  package init(
    name: String, message: String, waitSeconds: Double? = nil, timeoutSeconds: Double? = nil
  ) {
    self.name = name
    self.message = message
    self.waitSeconds = waitSeconds
    self.timeoutSeconds = timeoutSeconds
  }
}

/// The next message that a patch has for the client which handles this name, once there is one.
package struct ReceiveRequest: OperatorRequest {
  package typealias Response = ReceivedMessage
  package static let verb = "receive"
  package static let result = "received"
  package static let isWaiting = true

  package let name: String
  /// Seconds to wait for one; nil: 10.
  package let waitSeconds: Double?

  package var lane: ControlLane { .receiving }
  package var names: [String] { [name] }

  package init(name: String, waitSeconds: Double? = nil) {
    self.name = name
    self.waitSeconds = waitSeconds
  }
}

/// The reply to a message of a patch's, or why there is none. Answered with whether the patch still waited.
package struct ReplyRequest: OperatorRequest {
  package typealias Response = Bool
  package static let verb = "reply"
  package static let result = "replied"
  package var lane: ControlLane { .quick }

  package let number: Int
  package let text: String?
  package let failure: String?

  package init(number: Int, text: String? = nil, failure: String? = nil) {
    self.number = number
    self.text = text
    self.failure = failure
  }
}

/// Read your configuration file again.
package struct ReloadRequest: OwnerRequest {
  package typealias Response = ReloadReport
  package static let verb = "reload"
  package static let result = "reloaded"

  package var lane: ControlLane { .changing }

  package init() {}
}

/// Asks for the calls that a trace has seen since the last request.
package struct TraceCallsRequest: OperatorRequest {
  package typealias Response = TraceBatch
  package static let verb = "traceCalls"
  package static let isWaiting = true

  /// The name of the trace.
  package let name: String

  package var lane: ControlLane { .calling }
  package var names: [String] { [name] }

  package init(name: String) {
    self.name = name
  }
}

/// Asks for the comparisons of a shadow since the last request.
package struct ShadowCallsRequest: OperatorRequest {
  package typealias Response = ShadowBatch
  package static let verb = "shadowCalls"
  package static let isWaiting = true

  /// The name of the shadow.
  package let name: String

  package var lane: ControlLane { .calling }
  package var names: [String] { [name] }

  package init(name: String) {
    self.name = name
  }
}

/// Asks for the recorded calls.
package struct RecordsRequest: OperatorRequest {
  package typealias Response = RecordedCalls
  package static let verb = "records"
  package static let isWaiting = true

  package let question: RecordQuestion

  package var lane: ControlLane { .calling }

  package init(question: RecordQuestion) {
    self.question = question
  }
}

/// Asks what became of the kept patches, or retries or drops those that were set aside.
package struct BootRequest: ControlRequest {
  package typealias Response = BootStatus
  package static let verb = "boot"

  /// The action; nil for `show`.
  package let action: BootAction?

  package var neededRole: ControlRole { action ?? .show == .show ? .observe : .own }
  package var lane: ControlLane { action ?? .show == .show ? .quick : .changing }

  package init(action: BootAction? = nil) {
    self.action = action
  }
}

// MARK: Requests with types of their own

extension ApplyRequest: OperatorRequest {
  package typealias Response = ApplyReport
  package static let verb = "apply"
  package static let result = "applied"
  package static let isNested = true
  package var names: [String] { patches.flatMap(\.names) + [options.ifCurrent].compactMap(\.self) }
}

extension ApplyRequest.Patch {
  fileprivate var names: [String] { (files + [signature].compactMap(\.self)).map(\.name) }
}

extension TraceRequest: OperatorRequest {
  package typealias Response = TraceReport
  package static let verb = "trace"
  package static let result = "traced"
  package static let isNested = true
  package var names: [String] { [pattern] }
}

extension ShadowRequest: OperatorRequest {
  package typealias Response = ShadowReport
  package static let verb = "shadow"
  package static let result = "shadowed"
  package static let isNested = true
  package var names: [String] { patch.names }
}

extension RecordRequest: OperatorRequest {
  package typealias Response = TraceReport
  package static let verb = "record"
  package static let result = "traced"
  package static let isNested = true
  package var names: [String] { [pattern] }
}

extension ReplayRequest: OperatorRequest {
  package typealias Response = ReplayReport
  package static let verb = "replay"
  package static let result = "replayed"
  package static let isNested = true
  package var names: [String] { patch?.names ?? [] }
}

extension InstancesRequest: OperatorRequest {
  package typealias Response = InstancesReport
  package static let verb = "instances"
  package static let isNested = true
  package var names: [String] { [type] }
}

extension ShellRequest: OwnerRequest {
  package typealias Response = ShellReply
  package static let verb = "shell"
  package static let isNested = true
  package static let isWaiting = true
  package var lane: ControlLane { self == .open ? .changing : .calling }
  package var names: [String] {
    switch self {
    case .open: []
    case .evaluate(let shell, _), .complete(let shell, _), .ping(let shell), .interrupt(let shell):
      [shell]
    }
  }
}

extension DebugRequest: OwnerRequest {
  package typealias Response = DebugReply
  package static let verb = "debug"
  package static let result = "debugged"
  package static let isNested = true
  package var lane: ControlLane { isQuick ? .quick : .debugging }
  package var names: [String] {
    [patch, file].compactMap(\.self) + (breakpoints ?? []).map(\.file)
  }
}
