// SPDX-License-Identifier: MIT

import ByteTrials
import WaxwingControl
import WaxwingTestSupport

/// A control server in the test's own process that answers as a patched `bankd` does.
struct FakeDaemon {
  let server: ControlServer

  init(_ tool: Tool, program: String = "bankd", handler: RequestHandler? = nil) throws {
    let directory = SocketDirectory(path: tool.folder.path + "/s")
    server = ControlServer(path: try directory.socketPath(for: program)) { request in
      if request is HelloRequest { return .to(HelloRequest.self, Self.info(program)) }
      return handler?(request) ?? Self.answer(request)
    }
    try server.start()
  }

  static func info(_ program: String = "bankd") -> DaemonInfo {
    DaemonInfo(program: program, pid: 4711, version: "0.1.0", buildID: "3f2a9c00", patches: [])
  }

  static let overdraft = PatchStatus(
    name: "overdraft", version: 3, file: "overdraft.lua", state: .active,
    appliedAt: Timestamp(secondsSince1970: 1_700_000_000), classVersions: ["Bank.Account": 1],
    overrides: [
      OverrideStatus(selector: "withdraw(_:memo:)", type: "Bank.Account", calls: 1200),
      OverrideStatus(
        selector: "fee(_:)", type: "Bank", calls: 3, errors: 2, fallbacks: 2, lastError: boom),
    ])

  static let rounding = PatchStatus(
    name: "rounding", version: 0, file: "rounding.lua", state: .draining,
    appliedAt: Timestamp(secondsSince1970: 1_700_000_060),
    overrides: [OverrideStatus(selector: "Bank.round(_:)")])

  static let boom = ErrorReport(
    message: "attempt to index a nil value (field 'limit')\u{1B}[2J", file: "overdraft.lua",
    line: 12,
    traceback: ["overdraft.lua:12: in upvalue 'cap'", "overdraft.lua:20: in function 'Bank.fee'"],
    method: "Bank.fee(_:)", count: 2, at: Timestamp(secondsSince1970: 1_700_000_100))

  static let checked = CheckReport(
    checked: [
      .init(
        name: "overdraft", version: 3, replacedVersion: 2,
        overrides: [
          .init(
            name: "Bank.Account.withdraw(_:memo:)", kind: .override, place: "overdraft.lua:6",
            others: ["limit"]),
          .init(name: "Bank.fee(_:)", kind: .advice, place: ""),
        ], methods: ["Bank.Account.summary"], awaitedModules: ["Plugin"], warnings: ["w"])
    ], endedPatches: ["old"])

  static func held(_ collected: Bool) -> HeldObjects {
    HeldObjects(
      patch: "overdraft", objects: ["Bank.Account": collected ? 2 : 1200, "Bank.Ledger": 1],
      values: ["Bank.Money": 12], errors: 1, memory: 81_920)
  }

  static let recorded = RecordedCall(
    number: 7, selector: "Bank.Account.withdraw(_:memo:)", thread: 12, began: 1_700_000_000.5,
    receiver: "Bank.Account(id: 1)", arguments: "5, \"rent\"",
    outcome: RecordedOutcome(succeeded: true, text: "true", cost: 0.000_041))

  static let nothing = HeldObjects(
    patch: "rounding", objects: [:], values: [:], errors: 0, memory: 40_960)

  static let withdraw = PointStatus(
    name: "Bank.Account.withdraw(_:memo:)",
    steps: [
      .init(
        patch: "overdraft", version: 3, kind: .override, place: "overdraft.lua:12", calls: 1200,
        errors: 2, lastError: boom),
      .init(
        patch: "audit", version: 1, kind: .after, place: "audit.lua:7", limits: ["once"], calls: 1),
    ], image: "/usr/bin/bankd", offset: 0x1a2b, isAtBaseline: false)

  static func boot(_ action: BootAction) -> BootStatus {
    var status = BootStatus()
    status.folder = "/var/lib/waxwing/bankd"
    status.generation = 7
    status.kept = [BootStatus.Patch(name: "overdraft", hash: String(repeating: "a1", count: 32))]
    if action == .retry { status.changes = ["rounding is started at the next start"] }
    if action != .show { return status }
    status.quarantined = [
      BootStatus.Patch(
        name: "rounding", hash: String(repeating: "b2", count: 32),
        reason: "the program died in it 2 times within 10 minutes",
        at: Timestamp(secondsSince1970: 1_700_000_000))
    ]
    return status
  }

  /// Three patch points, two on a page.
  static func page(from first: Int) -> PointPage {
    let points = [
      point("withdraw(_:memo:)", "func withdraw(_: Int, memo: String) -> Bool", "withdraw"),
      point("add(_:)", "func add(_: Int)", "add(_: Swift.Int)", refusal: "it is\u{1b}[2J odd"),
      point(
        "title.set", "var title: String { set }", "title", .setter,
        opaque: "`value`; it is strange"),
    ]
    return PointPage(
      program: "bankd", buildID: nil, points: Array(points[first..<min(first + 2, 3)]),
      next: first + 2 < 3 ? first + 2 : nil)
  }

  static func point(
    _ selector: String, _ declaration: String, _ member: String,
    _ kind: PointEntry.Kind = .function, refusal: String? = nil,
    opaque: String? = nil
  ) -> PointEntry {
    PointEntry(
      symbol: "$s\(member)", selector: "Bank.Account.\(selector)", declaration: declaration,
      module: "Bank", owner: "Bank.Account", ownerTitle: "Bank.Account", isMember: true, kind: kind,
      isStatic: false, isAsync: false, member: member, parameters: ["value"], refusal: refusal,
      opaque: opaque)
  }

  private static func reply(_ request: ShellRequest) -> ShellReply {
    switch request {
    case .open: .opened(name: "shell-1")
    case .evaluate(_, let text): .done(output: text)
    case .complete: .words(["Account"])
    case .ping, .interrupt: .pong
    }
  }

  /// The answers of a daemon with two patches.
  static func answer(_ request: any ControlRequest) -> ControlResponse {
    switch request {
    case is HelloRequest: .to(HelloRequest.self, info())
    case is ListRequest: .to(ListRequest.self, [overdraft, rounding])
    case is StatusRequest:
      .to(StatusRequest.self, DaemonStatus(daemon: info(), patches: [overdraft, rounding]))
    case let objects as ObjectsRequest:
      .to(ObjectsRequest.self, [held(objects.collect ?? true), nothing])
    case let request as ApplyRequest:
      .to(
        ApplyRequest.self,
        ApplyReport(applied: request.patches.map { _ in .init(patch: overdraft) }))
    case is CheckRequest: .to(CheckRequest.self, checked)
    case is ExplainRequest: .to(ExplainRequest.self, withdraw)
    case is VersionsRequest:
      .to(
        VersionsRequest.self,
        [TypeVersion(type: "Bank.Account", version: 1, patches: ["overdraft"])])
    case let points as PointsRequest: .to(PointsRequest.self, page(from: points.from ?? 0))
    case let confirm as ConfirmRequest:
      .to(ConfirmRequest.self, ConfirmReport(names: [confirm.name ?? "overdraft"], isKept: false))
    case let call as CallRequest:
      .to(CallRequest.self, #"{"name":"\#(call.name)","message":\#(call.message)}"#)
    case let receive as ReceiveRequest:
      .to(
        ReceiveRequest.self,
        ReceivedMessage(number: 7, patch: "overdraft", text: #"{"for":"\#(receive.name)"}"#))
    case let reply as ReplyRequest: .to(ReplyRequest.self, reply.number == 7)
    case is LogRequest: .to(LogRequest.self, LogPage(lines: [], last: 0))
    case let request as TraceRequest:
      .to(TraceRequest.self, TraceReport(name: "trace-1", points: [request.pattern], refusals: []))
    case is TraceCallsRequest: .to(TraceCallsRequest.self, TraceBatch())
    case let request as ShellRequest: .to(ShellRequest.self, reply(request))
    case is ShadowRequest:
      .to(
        ShadowRequest.self, ShadowReport(name: "tried-shadow", overrides: ["A.b()"], warnings: []))
    case is ShadowCallsRequest: .to(ShadowCallsRequest.self, ShadowBatch())
    case let request as RecordRequest:
      .to(
        RecordRequest.self, TraceReport(name: "record-1", points: [request.pattern], refusals: []))
    case is RecordsRequest:
      .to(RecordsRequest.self, RecordedCalls(name: "record-1", calls: [recorded], forgotten: 2))
    case let request as ReplayRequest:
      .to(
        ReplayRequest.self,
        ReplayReport(
          call: recorded, outcome: RecordedOutcome(succeeded: false, text: "no", cost: 0.002),
          patch: request.patch.map { _ in "overdraft-replay" }, usedPatch: false, warnings: []))
    case let request as InstancesRequest:
      .to(
        InstancesRequest.self,
        InstancesReport(
          name: "instances-1", type: request.type, isNew: false, made: 3, living: 2, missed: 1,
          objects: ["Bank.Account(id: 1)"], failure: "attempt to compare"))
    case is DebugRequest: .to(DebugRequest.self, DebugReply())
    case let request as BootRequest: .to(BootRequest.self, boot(request.action ?? .show))
    case is ReloadRequest:
      .to(
        ReloadRequest.self,
        ReloadReport(
          path: "/etc/waxwing/bankd.conf", postponed: ["store"],
          warnings: ["`protect x` means nothing"]))
    case is AuditRequest: .to(AuditRequest.self, AuditExcerpt(state: AuditState(path: nil)))
    case let request as MetricsRequest:
      .to(
        MetricsRequest.self,
        request.openMetrics == true
          ? "# TYPE waxwing info\nwaxwing_info 1\n# EOF\n"
          : "# TYPE waxwing_info gauge\nwaxwing_info 1\n")
    case let request as MeasureRequest:
      .to(MeasureRequest.self, request.isOn ? request.patches ?? [] : [])
    case let request as RevertRequest:
      .to(RevertRequest.self, RestoreReport.reverted(patch: request.name, entriesVerified: 3))
    case is RestoreRequest:
      .to(
        RestoreRequest.self,
        RestoreReport.restored(program: "bankd", endedPatches: ["overdraft"], entriesVerified: 12))
    default: .failure(ControlFailure(.unsupported, message: type(of: request).verb))
    }
  }
}
