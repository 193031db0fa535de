// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingTestSupport

/// A control server in the test's own process that answers as a patched `bankd` does.
struct FakeDaemon {
  let server: ControlServer

  init(_ tool: Tool, program: String = "bankd", handler: ControlServer.Handler? = nil) throws {
    let directory = SocketDirectory(path: tool.folder.path + "/s")
    server = ControlServer(path: try directory.socketPath(for: program)) { request in
      if case .hello = request { return .hello(Self.info(program)) }
      return handler?(request) ?? Self.answer(request)
    }
    try server.start()
  }

  static func info(_ program: String = "bankd") -> DaemonInfo {
    DaemonInfo(program: program, pid: 4711, version: "0.1.0", buildID: "3f2a9c00", patches: [])
  }

  static let overdraft = PatchStatus(
    name: "overdraft", version: 3, file: "overdraft.lua", state: "active",
    appliedAt: Timestamp(secondsSince1970: 1_700_000_000), classVersions: ["Bank.Account": 1],
    overrides: [
      OverrideStatus(selector: "withdraw(_:memo:)", type: "Bank.Account", calls: 1200),
      OverrideStatus(
        selector: "fee(_:)", type: "Bank", calls: 3, errors: 2, fallbacks: 2, lastError: boom),
    ])

  static let rounding = PatchStatus(
    name: "rounding", version: 0, file: "rounding.lua", state: "draining",
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
            name: "Bank.Account.withdraw(_:memo:)", kind: "override", place: "overdraft.lua:6",
            others: ["limit"]),
          .init(name: "Bank.fee(_:)", kind: "advice", place: ""),
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
        patch: "overdraft", version: 3, kind: "override", place: "overdraft.lua:12", calls: 1200,
        errors: 2, lastError: boom),
      .init(
        patch: "audit", version: 1, kind: "after", place: "audit.lua:7", limits: ["once"], calls: 1),
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

  /// The answers of a daemon with two patches.
  static func answer(_ request: ControlRequest) -> ControlResponse {
    switch request {
    case .hello: .hello(info())
    case .list: .list([overdraft, rounding])
    case .status: .status(DaemonStatus(daemon: info(), patches: [overdraft, rounding]))
    case .objects(let collect): .objects([held(collect), nothing])
    case .apply(let request):
      .applied(ApplyReport(applied: request.patches.map { _ in .init(patch: overdraft) }))
    case .check: .checked(checked)
    case .explain: .explained(withdraw)
    case .versions:
      .versions([TypeVersion(type: "Bank.Account", version: 1, patches: ["overdraft"])])
    case .points(_, let first): .points(page(from: first))
    case .confirm(let name):
      .confirmed(ConfirmReport(names: [name ?? "overdraft"], isKept: false))
    case .call(let name, let message, _, _): .called(#"{"name":"\#(name)","message":\#(message)}"#)
    case .receive(let name, _):
      .received(ReceivedMessage(number: 7, patch: "overdraft", text: #"{"for":"\#(name)"}"#))
    case .reply(let number, _, _): .replied(number == 7)
    case .log: .log(LogPage(lines: [], last: 0))
    case .trace(let request):
      .traced(TraceReport(name: "trace-1", points: [request.pattern], refusals: []))
    case .traceCalls: .traceCalls(TraceBatch())
    case .shell(.open): .shell(.opened(name: "shell-1"))
    case .shell(.evaluate(_, let text)): .shell(.done(output: text))
    case .shell(.complete): .shell(.words(["Account"]))
    case .shell(.ping), .shell(.interrupt): .shell(.pong)
    case .shadow: .shadowed(ShadowReport(name: "tried-shadow", overrides: ["A.b()"], warnings: []))
    case .shadowCalls: .shadowCalls(ShadowBatch())
    case .record(let request):
      .traced(TraceReport(name: "record-1", points: [request.pattern], refusals: []))
    case .records: .records(RecordedCalls(name: "record-1", calls: [recorded], forgotten: 2))
    case .replay(let request):
      .replayed(
        ReplayReport(
          call: recorded, outcome: RecordedOutcome(succeeded: false, text: "no", cost: 0.002),
          patch: request.patch.map { _ in "overdraft-replay" }, usedPatch: false, warnings: []))
    case .instances(let request):
      .instances(
        InstancesReport(
          name: "instances-1", type: request.type, isNew: false, made: 3, living: 2, missed: 1,
          objects: ["Bank.Account(id: 1)"], failure: "attempt to compare"))
    case .debug: .debugged(DebugReply())
    case .boot(let action): .boot(boot(action))
    case .reload:
      .reloaded(
        ReloadReport(
          path: "/etc/waxwing/bankd.conf", postponed: ["store"],
          warnings: ["`protect x` means nothing"]))
    case .audit: .audit(AuditExcerpt(state: AuditState(path: nil)))
    case .metrics(let openMetrics):
      .metrics(
        openMetrics
          ? "# TYPE waxwing info\nwaxwing_info 1\n# EOF\n"
          : "# TYPE waxwing_info gauge\nwaxwing_info 1\n")
    case .measure(let isOn, let patches): .measured(isOn ? patches : [])
    case .revert(let name, _, _): .reverted(RestoreReport.reverted(patch: name, entriesVerified: 3))
    case .restore:
      .restored(
        RestoreReport.restored(program: "bankd", endedPatches: ["overdraft"], entriesVerified: 12))
    }
  }
}
