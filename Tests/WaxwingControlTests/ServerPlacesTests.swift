// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingSystem
import WaxwingTestSupport

@testable import WaxwingControl

@Suite struct ServerPlacesTests {
  private typealias Occupant = ServerPlaces.Occupant

  private let limits = {
    var limits = ControlServerLimits()
    (limits.clients, limits.reserved, limits.clientsPerUser) = (8, 3, 4)
    return limits
  }()

  /// Clients of one user, each idle since a moment later than the one before.
  private func clients(
    _ count: Int, uid: UInt32, _ role: ControlRole, from id: UInt64 = 1, isWaiting: Bool = false
  ) -> [Occupant] {
    (0..<UInt64(count)).map {
      Occupant(
        id: id + $0, uid: uid, role: role,
        idleSince: isWaiting ? nil : Deadline(nanoseconds: 100 + id + $0))
    }
  }

  private func decide(
    _ occupants: [Occupant], uid: UInt32, _ role: ControlRole
  ) -> ServerPlaces.Decision {
    ServerPlaces(limits: limits, occupants: occupants).decide(uid: uid, role: role)
  }

  @Test func `of one user's clients the idlest gives way to the next`() {
    let own = clients(4, uid: 7, .observe)
    #expect(decide(Array(own.dropLast()), uid: 7, .observe) == .admitted)
    #expect(decide(own, uid: 7, .observe) == .replaces(1))
    #expect(decide(own, uid: 8, .observe) == .admitted)
    #expect(decide(clients(4, uid: 7, .operate), uid: 7, .operate) == .replaces(1))
    #expect(decide(clients(4, uid: 7, .observe, isWaiting: true), uid: 7, .observe) == .refused)
    // Who owns the process has no limit but that of all.
    #expect(decide(clients(7, uid: 0, .own), uid: 0, .own) == .admitted)
    #expect(decide(clients(8, uid: 0, .own), uid: 0, .own) == .replaces(1))
  }

  @Test func `who may only look leaves places for those who may do more`() {
    let observers = clients(3, uid: 7, .observe) + clients(2, uid: 8, .observe, from: 10)
    #expect(decide(observers, uid: 9, .observe) == .replaces(1))
    #expect(decide(observers, uid: 9, .operate) == .admitted)
    let full = observers + clients(3, uid: 9, .operate, from: 20)
    #expect(decide(full, uid: 0, .own) == .replaces(1))
    #expect(decide(full, uid: 9, .operate) == .replaces(1))
    // Who waits for an answer stays; then it is the next user's idlest.
    let busy =
      clients(3, uid: 7, .observe, isWaiting: true) + clients(2, uid: 8, .observe, from: 10)
      + clients(3, uid: 9, .operate, from: 20)
    #expect(decide(busy, uid: 0, .own) == .replaces(20))
    #expect(decide(busy, uid: 6, .observe) == .replaces(10))
  }

  @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
  func `400 silent connections of a user who may look keep nobody from restoring`() throws {
    let folder = try TemporaryFolder()
    var rules = ControlAccess()
    rules.grants = [.observe: [.user(65534)]]
    let answers = ControlAnswers { request, _ in
      .failure(ControlFailure(.refused, message: type(of: request).verb))
    }
    let server = ControlServer(path: folder.path + "/a.sock", access: rules, answers: answers)
    try server.start()
    defer { server.stop() }
    #expect(chmod(folder.path, 0o755) == 0 && chmod(server.path, 0o666) == 0)
    let crowd = try Command(
      "/usr/bin/setpriv",
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/perl", "-MSocket", "-e",
        """
        $| = 1; my @s;
        for (1 .. 400) { socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0]));
          push @s, $s; }
        print "connected\\n"; sleep 600;
        """, server.path,
      ]
    ).start()
    _ = try crowd.waitForLine(startingWith: "connected")
    for _ in 0..<20 {
      let client = try ControlClient(path: server.path, timeout: 60)
      let answer = try client.send(RestoreRequest(waitSeconds: 0), timeout: 60)
      #expect(answer == .failure(ControlFailure(.refused, message: "restore")))
    }
    #expect(server.clientCount <= 40)
  }
}
