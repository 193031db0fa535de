// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Synchronization
import Testing

@testable import WaxwingControl

@Suite struct MessageTests {
  static let requests: [(request: any ControlRequest, json: String)] = [
    (HelloRequest(), #"{"protocol":1,"verb":"hello"}"#),
    (ListRequest(), #"{"protocol":1,"verb":"list"}"#),
    (StatusRequest(), #"{"protocol":1,"verb":"status"}"#),
    (ObjectsRequest(collect: false), #"{"collect":false,"protocol":1,"verb":"objects"}"#),
    (
      RevertRequest(name: "a", waitSeconds: 2),
      #"{"name":"a","protocol":1,"verb":"revert","waitSeconds":2}"#
    ),
    (RestoreRequest(waitSeconds: 0.5), #"{"protocol":1,"verb":"restore","waitSeconds":0.5}"#),
    (

      ApplyRequest(patches: [
        .init(files: [PatchFilePayload(name: "a.lua", bytes: [1, 2, 255])])
      ]),
      #"{"apply":{"options":{"replacesAll":false,"waitSeconds":10},"#
        + #""patches":[{"files":[{"bytes":"AQL\/","name":"a.lua"}]}]},"protocol":1,"verb":"apply"}"#
    ),
    (
      ApplyRequest(patches: [], options: .init(keeps: true, trialSeconds: 90)),
      #"{"apply":{"options":{"keeps":true,"replacesAll":false,"trialSeconds":90,"waitSeconds":10},"#
        + #""patches":[]},"protocol":1,"verb":"apply"}"#
    ),
    (
      CheckRequest(check: ApplyRequest(patches: [])),
      #"{"check":{"options":{"replacesAll":false,"waitSeconds":10},"patches":[]},"#
        + #""protocol":1,"verb":"check"}"#
    ),
    (ConfirmRequest(name: nil), #"{"protocol":1,"verb":"confirm"}"#),
    (ConfirmRequest(name: "a"), #"{"name":"a","protocol":1,"verb":"confirm"}"#),
    (
      CallRequest(name: "a", message: "[1]", waitSeconds: 2, timeoutSeconds: 3),
      #"{"message":"[1]","name":"a","protocol":1,"timeoutSeconds":3,"verb":"call","waitSeconds":2}"#
    ),
    (
      ReceiveRequest(name: "a", waitSeconds: 2),
      #"{"name":"a","protocol":1,"verb":"receive","waitSeconds":2}"#
    ),
    (
      ReplyRequest(number: 7, text: "[1]", failure: nil),
      #"{"number":7,"protocol":1,"text":"[1]","verb":"reply"}"#
    ),
    (
      ReplyRequest(number: 7, text: nil, failure: "no"),
      #"{"failure":"no","number":7,"protocol":1,"verb":"reply"}"#
    ),
    (
      TraceRequest(pattern: "a"),
      #"{"protocol":1,"trace":{"counts":false,"patience":13,"pattern":"a","sample":1},"verb":"trace"}"#
    ),
    (LogRequest(after: 7, most: 9), #"{"after":7,"most":9,"protocol":1,"verb":"log"}"#),
    (MetricsRequest(), #"{"protocol":1,"verb":"metrics"}"#),
    (MetricsRequest(openMetrics: true), #"{"openMetrics":true,"protocol":1,"verb":"metrics"}"#),
    (
      MeasureRequest(isOn: true, patches: ["a"]),
      #"{"isOn":true,"patches":["a"],"protocol":1,"verb":"measure"}"#
    ),
    (
      ShadowRequest(patch: .init(files: [])),
      #"{"protocol":1,"shadow":{"allowsEffects":false,"patch":{"files":[]},"patience":13},"verb":"shadow"}"#
    ),
    (ShadowCallsRequest(name: "a"), #"{"name":"a","protocol":1,"verb":"shadowCalls"}"#),
    (
      RecordRequest(pattern: "a"),
      #"{"protocol":1,"record":{"capacity":100,"isWeak":false,"patience":3600,"pattern":"a"},"verb":"record"}"#
    ),
    (
      RecordsRequest(question: .calls(after: 7)),
      #"{"protocol":1,"question":{"calls":{"after":7}},"verb":"records"}"#
    ),
    (ShellRequest.open, #"{"protocol":1,"shell":{"open":{}},"verb":"shell"}"#),
    (
      ShellRequest.evaluate(shell: "s", text: "1"),
      #"{"protocol":1,"shell":{"evaluate":{"shell":"s","text":"1"}},"verb":"shell"}"#
    ),
    (RecordsRequest(question: .stop), #"{"protocol":1,"question":{"stop":{}},"verb":"records"}"#),
    (
      ReplayRequest(number: 7),
      #"{"protocol":1,"replay":{"number":7},"verb":"replay"}"#
    ),
    (
      InstancesRequest(type: "A"),
      #"{"instances":{"ends":false,"patience":3600,"type":"A"},"protocol":1,"verb":"instances"}"#
    ),
    (
      DebugRequest(.events, session: 3),
      #"{"debug":{"action":"events","session":3},"protocol":1,"verb":"debug"}"#
    ),
    (TraceCallsRequest(name: "a"), #"{"name":"a","protocol":1,"verb":"traceCalls"}"#),
    (BootRequest(action: .retry), #"{"action":"retry","protocol":1,"verb":"boot"}"#),
    (
      ExplainRequest(selector: "Bank.fee(_:)"),
      #"{"protocol":1,"selector":"Bank.fee(_:)","verb":"explain"}"#
    ),
    (PointsRequest(pattern: nil, from: 0), #"{"from":0,"protocol":1,"verb":"points"}"#),
    (
      PointsRequest(pattern: nil, from: 0, kind: .closures),
      #"{"from":0,"kind":"closures","protocol":1,"verb":"points"}"#
    ),
    (
      PointsRequest(pattern: "Account.", from: 1000),
      #"{"from":1000,"pattern":"Account.","protocol":1,"verb":"points"}"#
    ),
    (VersionsRequest(type: nil), #"{"protocol":1,"verb":"versions"}"#),
    (
      VersionsRequest(type: "Bank.Account"),
      #"{"protocol":1,"type":"Bank.Account","verb":"versions"}"#
    ),
  ]

  @Test(arguments: requests)
  func `requests have a fixed form and survive the way`(
    request: any ControlRequest, text: String
  ) throws {
    let frame = try WireCoder.frame(of: request)
    let json = try JSONSerialization.jsonObject(with: Data(frame.dropFirst(4))) as? NSDictionary
    #expect(try json == JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    #expect(try isRead(request, from: text))
  }

  private func isRead<Request: ControlRequest>(
    _ request: Request, from text: String
  ) throws -> Bool {
    let read = Mutex<Request?>(nil)
    var answers = ControlAnswers()
    answers.on(
      Request.self,
      responding: { request, _ in
        read.withLock { $0 = request }
        return .failure(ControlFailure(.unsupported, message: ""))
      })
    let received = try WireCoder.request(Array(text.utf8), for: answers)
    _ = received.answer(ControlPeer(pid: 0, uid: 0, gid: 0))
    return read.withLock { $0 } == request
  }

  private let answers = ControlAnswers { _, _ in
    .failure(ControlFailure(.unsupported, message: ""))
  }

  static let named = [
    ("explain", #""selector":"NAME""#), ("versions", #""type":"NAME""#),
    ("points", #""pattern":"NAME""#), ("revert", #""name":"NAME""#),
    ("confirm", #""name":"NAME""#), ("call", #""name":"NAME","message":"a""#),
    ("receive", #""name":"NAME""#), ("traceCalls", #""name":"NAME""#),
    ("shadowCalls", #""name":"NAME""#), ("measure", #""isOn":true,"patches":["a","NAME"]"#),
    ("trace", #""trace":{"pattern":"NAME","counts":true,"sample":1,"patience":1}"#),
    ("record", #""record":{"pattern":"NAME","capacity":1,"isWeak":true,"patience":1}"#),
    ("instances", #""instances":{"type":"NAME","ends":true,"patience":1}"#),
    ("apply", #""apply":{"patches":[{"files":[{"name":"NAME","bytes":""}]}],"options":{}}"#),
    (
      "shadow",
      #""shadow":{"patch":{"files":[{"name":"NAME","bytes":""}]},"allowsEffects":true,"patience":1}"#
    ),
    ("shell", #""shell":{"ping":{"shell":"NAME"}}"#),
    ("debug", #""debug":{"action":"attach","patch":"NAME"}"#),
  ]

  @Test(arguments: named)
  func `a name is as long as names are`(verb: String, fields: String) throws {
    func request(_ name: String) -> [UInt8] {
      Array(#"{"verb":"\#(verb)",\#(fields.replacing("NAME", with: name))}"#.utf8)
    }
    let dots = String(repeating: "a.", count: ControlProtocol.maximumName / 2)
    #expect(try WireCoder.request(request(dots), for: answers).verb == verb)
    let failure = #expect(throws: ControlFailure.self) {
      try WireCoder.request(request(dots + "a"), for: answers)
    }
    #expect(failure?.code == .invalidRequest)
    #expect(
      failure?.message == "a name has at most 4096 bytes, and `\(dots.prefix(40))…` has 4097")
  }

  @Test func `a list of names is as long as such lists are`() {
    let names = Array(repeating: #""a""#, count: 5000).joined(separator: ",")
    let request = #"{"verb":"measure","isOn":true,"patches":[\#(names)]}"#
    let failure = #expect(throws: ControlFailure.self) {
      try WireCoder.request(Array(request.utf8), for: answers)
    }
    #expect(failure?.message == "measure has 5000 names; the limit is 4096")
  }

  @Test func `responses survive the way`() throws {
    let error = ErrorReport(
      message: "boom", file: "a.lua", line: 3, traceback: ["a.lua:3: in f"], method: "B.f()",
      count: 2, at: Timestamp(secondsSince1970: 0))
    var override = OverrideStatus(
      selector: "f()", type: "B", calls: .max, errors: 2, fallbacks: 2, lastError: error)
    override.times = TimesReport(calls: 3, sum: 1.5, p50: 0.25, p99: 1, longest: 1)
    override.times?.spans = [.init(end: 250_000, calls: 2), .init(end: .max, calls: 1)]
    let patch = PatchStatus(
      name: "a", version: 1, file: "a.lua", state: .active,
      appliedAt: Timestamp(secondsSince1970: 1_700_000_000), classVersions: ["B": 1],
      overrides: [override])
    let laggard = Laggard(
      patch: "a", selector: "B.f()", threadID: 12, threadName: "worker", ageSeconds: 1.5,
      stack: ["a.lua:3: in function 'f'"])
    let step = PointStatus.Step(
      patch: "a", version: 1, kind: .after, place: "a.lua:3", limits: ["once"], calls: 3,
      errors: 2, lastError: error)
    let report = RestoreReport.restored(
      program: "bankd", endedPatches: ["a"], entriesVerified: 12, laggards: [laggard])
    try expectSurvives(HelloRequest.self, TestServer.info)
    try expectSurvives(
      ApplyRequest.self,
      ApplyReport(
        applied: [.init(patch: patch, replacedVersion: 0, warnings: ["w"])],
        endedPatches: ["b"], laggards: [laggard]))
    try expectSurvives(
      ExplainRequest.self,
      PointStatus(name: "B.f()", steps: [step], image: "/b", offset: .max, isAtBaseline: false))
    try expectSurvives(
      VersionsRequest.self, [TypeVersion(type: "B", version: 2, patches: ["a", "b"])])
    try expectSurvives(
      PointsRequest.self,
      PointPage(
        program: "b", buildID: "1f",
        points: [
          PointEntry(
            symbol: "$s", selector: "B.f()", declaration: "func f()", module: "B", owner: "B",
            ownerTitle: "B", isMember: false, kind: .function, isStatic: false, isAsync: true,
            member: "f", parameters: ["a"], refusal: "no")
        ], next: 1000, failure: "x"))
    try expectSurvives(ListRequest.self, [patch])
    try expectSurvives(StatusRequest.self, DaemonStatus(daemon: TestServer.info, patches: [patch]))
    try expectSurvives(
      ObjectsRequest.self,
      [
        HeldObjects(patch: "a", objects: ["B.C": 3], values: ["B.S": 1], errors: 2, memory: 4096)
      ])
    try expectSurvives(RevertRequest.self, report)
    try expectSurvives(RestoreRequest.self, report)
    try expectRefused(ControlFailure(.refused, message: "no", details: ["a", "b"], remedy: "c"))
    try expectRefused(ControlFailure(.init(rawValue: "ofTheFuture"), message: "no"))
  }

  private func expectSurvives<Request: ControlRequest>(
    _ kind: Request.Type, _ response: Request.Response
  ) throws {
    let frame = WireCoder.frame(orFailure: .success(response, result: Request.result))
    #expect(
      try WireCoder.response(Array(frame.dropFirst(4)), to: Request.self) == .success(response))
  }

  private func expectRefused(_ failure: ControlFailure) throws {
    let frame = WireCoder.frame(orFailure: .failure(failure))
    #expect(
      try WireCoder.response(Array(frame.dropFirst(4)), to: ListRequest.self) == .failure(failure))
  }

  @Test func `restore reports say what was done`() {
    #expect(
      RestoreReport.restored(program: "bankd", endedPatches: ["a"], entriesVerified: 12).message
        == "restored baseline: 1 patch ended, 12 entries verified, 0 differences")
    #expect(
      RestoreReport.restored(program: "bankd", endedPatches: [], entriesVerified: 0).message
        == "nothing to do: bankd is at baseline")
    #expect(
      RestoreReport.reverted(patch: "a", entriesVerified: 1, differences: ["x"]).message
        == "reverted a: 1 entry verified, 1 difference")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (1_700_000_001, "2023-11-14T22:13:21Z"),
  ])
  func `times are written in UTC and read back`(seconds: Int, text: String) {
    #expect(Timestamp(secondsSince1970: seconds).description == text)
    #expect(Timestamp(text) == Timestamp(secondsSince1970: seconds))
  }

  @Test(arguments: ["", "2023-11-14", "2023-11-14T22:13:21", "2023x11-14T22:13:21Z", "a"])
  func `a text that is no time is refused`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
