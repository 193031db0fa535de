// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

@testable import WaxwingControl

@Suite struct RoleTests {
  private static let own = ControlPeer(pid: 1, uid: geteuid(), gid: getegid())
  private static let stranger = ControlPeer(pid: 2, uid: 4711, gid: 4711, groups: [50, 60])

  @Test func `root and the process's own user own it, nobody else has a role`() {
    let access = ControlAccess()
    #expect(access.role(of: Self.own) == .own)
    #expect(access.role(of: ControlPeer(pid: 1, uid: 0, gid: 0)) == .own)
    #expect(access.role(of: Self.stranger) == nil)
    #expect(access.role(of: ControlPeer(pid: 2, uid: 4711, gid: 0, groups: [0])) == nil)
  }

  @Test func `roles go by user, group and further groups, and the greatest counts`() {
    var access = ControlAccess()
    access.grants = [.observe: [.group(50)], .operate: [.group(4711)], .own: [.user(9)]]
    #expect(access.role(of: Self.stranger) == .operate)
    #expect(access.role(of: ControlPeer(pid: 2, uid: 5, gid: 6, groups: [50])) == .observe)
    #expect(access.role(of: ControlPeer(pid: 2, uid: 50, gid: 6, groups: [])) == nil)
    #expect(access.role(of: ControlPeer(pid: 2, uid: 9, gid: 6, groups: [50])) == .own)
    #expect(ControlRole.observe < .operate && ControlRole.operate < .own)
  }

  private struct Expected {
    let request: any ControlRequest
    let role: ControlRole
    let lane: ControlLane

    init(_ request: any ControlRequest, _ role: ControlRole, _ lane: ControlLane) {
      self.request = request
      self.role = role
      self.lane = lane
    }
  }

  /// Every request there is, the role that it needs, and its lane.
  private static let requests = [
    Expected(HelloRequest(), .observe, .quick), Expected(ListRequest(), .observe, .quick),
    Expected(StatusRequest(), .observe, .quick), Expected(AuditRequest(last: 1), .observe, .quick),
    Expected(MetricsRequest(), .observe, .quick), Expected(LogRequest(), .observe, .quick),
    Expected(ObjectsRequest(), .observe, .searching),
    Expected(ExplainRequest(selector: "a"), .observe, .searching),
    Expected(VersionsRequest(), .observe, .searching),
    Expected(PointsRequest(), .observe, .searching),
    Expected(BootRequest(), .observe, .quick),
    Expected(BootRequest(action: .retry), .own, .changing),
    Expected(ApplyRequest(patches: []), .operate, .changing),
    Expected(CheckRequest(check: ApplyRequest(patches: [])), .operate, .changing),
    Expected(RevertRequest(name: "a"), .operate, .changing),
    Expected(RestoreRequest(), .operate, .restoring),
    Expected(ConfirmRequest(), .operate, .changing),
    Expected(MeasureRequest(isOn: true), .operate, .quick),
    Expected(CallRequest(name: "a", message: "1"), .operate, .calling),
    Expected(ReceiveRequest(name: "a"), .operate, .receiving),
    Expected(ReplyRequest(number: 1), .operate, .quick),
    Expected(TraceRequest(pattern: "a"), .operate, .changing),
    Expected(TraceCallsRequest(name: "a"), .operate, .calling),
    Expected(ShadowRequest(patch: .init(files: [])), .operate, .changing),
    Expected(ShadowCallsRequest(name: "a"), .operate, .calling),
    Expected(RecordRequest(pattern: "a"), .operate, .changing),
    Expected(RecordsRequest(question: .stop), .operate, .calling),
    Expected(ReplayRequest(number: 1), .operate, .changing),
    Expected(InstancesRequest(type: "A"), .operate, .changing),
    Expected(ReloadRequest(), .own, .changing), Expected(ShellRequest.open, .own, .changing),
    Expected(ShellRequest.ping(shell: "a"), .own, .calling),
    Expected(DebugRequest(.attach), .own, .debugging),
    Expected(DebugRequest(.events), .own, .quick),
  ]

  @Test func `every request is known here, and has its lane`() {
    let verbs = Set(Self.requests.map { type(of: $0.request).verb })
    #expect(verbs == Set(allRequests.map { $0.verb }))
    for expected in Self.requests {
      #expect(expected.request.lane == expected.lane, "\(expected.request)")
    }
  }

  private static let answers = ControlAnswers { _, _ in .to(ListRequest.self, []) }

  /// Why a client's request is refused; nil: it is not.
  private func refusal(
    _ request: any ControlRequest, _ clients: ServerClients
  ) throws -> ControlFailure? {
    let frame = try WireCoder.frame(of: request)
    let received = try WireCoder.request(Array(frame.dropFirst(4)), for: Self.answers)
    switch clients.answer(received, from: Self.stranger) {
    case .success: return nil
    case .failure(let failure): return failure
    }
  }

  @Test(arguments: requests.indices)
  func `a request without its role is refused with user, role and what is needed`(
    index: Int
  ) throws {
    let (request, needed) = (Self.requests[index].request, Self.requests[index].role)
    let verb = type(of: request).verb
    let refusals = Mutex<[ControlRefusal]>([])
    for role in ControlRole.allCases {
      var access = ControlAccess()
      access.grants = [role: [.user(4711)]]
      access.file = "/etc/waxwing/bankd.conf"
      let clients = ServerClients(
        access: access, refused: { refusal in refusals.withLock { $0.append(refusal) } },
        answers: Self.answers)
      let refusal = try refusal(request, clients)
      if role >= needed {
        #expect(refusal == nil)
      } else {
        #expect(
          refusal
            == ControlFailure(
              .notPermitted,
              message: "uid 4711 has the role `\(role.rawValue)` here; `\(verb)` needs "
                + "`\(needed.rawValue)`",
              remedy: "run waxwing as root or as uid \(geteuid()), or let the operator give "
                + "`\(needed.rawValue)` to you in /etc/waxwing/bankd.conf"))
        #expect(refusals.withLock { $0.last?.verb } == verb)
        #expect(refusals.withLock { $0.last?.peer } == Self.stranger)
      }
    }
    let nobody = ServerClients(
      access: ControlAccess(), refused: { _ in }, answers: Self.answers)
    #expect(try self.refusal(request, nobody) != nil)
  }

  @Test func `roles that change count from the next request on`() throws {
    var access = ControlAccess()
    let clients = ServerClients(access: access, refused: { _ in }, answers: Self.answers)
    #expect(try refusal(StatusRequest(), clients) != nil)
    access.grants = [.observe: [.user(4711)]]
    clients.access = access
    #expect(try refusal(StatusRequest(), clients) == nil)
  }

  @Test func `the kernel says who a client is, with its groups`() throws {
    let seen = Mutex<ControlPeer?>(nil)
    let folder = try TemporaryFolder()
    let answers = ControlAnswers { _, peer in
      seen.withLock { $0 = peer }
      return .to(ListRequest.self, [])
    }
    let server = ControlServer(path: folder.path + "/peer.sock", answers: answers)
    try server.start()
    defer { server.stop() }
    let client = try ControlClient(path: server.path, timeout: 60)
    #expect(try client.send(ListRequest(), timeout: 60) == .success([]))
    let peer = try #require(seen.withLock { $0 })
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(1024, &groups)
    #expect(peer.pid == getpid() && peer.uid == geteuid() && peer.gid == getegid())
    #expect(peer.groups == Set(groups.prefix(Int(max(0, count)))))
    #expect(server.clientCount == 1)
  }

  @Test(.enabled(if: geteuid() == 0))
  func `socket and folder are opened to the configured group, and to it alone`() throws {
    let folder = try TemporaryFolder()
    var access = ControlAccess()
    access.socketGroup = 4712
    let server = ControlServer(
      path: folder.path + "/g/a.sock", access: access, answers: Self.answers)
    try server.start()
    defer { server.stop() }
    func place(_ path: String) -> [UInt32] {
      var status = stat()
      return lstat(path, &status) == 0 ? [status.st_mode & 0o777, status.st_gid] : []
    }
    #expect(server.groupTrouble == nil)
    #expect(place(folder.path + "/g") == [0o750, 4712])
    #expect(place(folder.path + "/g/a.sock") == [0o660, 4712])
    #expect(place(folder.path + "/g/a.sock.lock") == [0o600, getegid()])
    // A second daemon whose group is another one leaves the folder as it is, and says so.
    access.socketGroup = 4713
    let second = ControlServer(
      path: folder.path + "/g/b.sock", access: access, answers: Self.answers)
    try second.start()
    defer { second.stop() }
    #expect(second.groupTrouble?.contains("is open to group 4712, not to 4713") == true)
    #expect(place(folder.path + "/g/b.sock").first == 0o600)
    #expect(place(folder.path + "/g") == [0o750, 4712])
  }
}
