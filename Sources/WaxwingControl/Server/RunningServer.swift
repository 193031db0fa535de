// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingSystem

/// A control server between `start` and `stop`: what its threads share.
final class RunningServer: Sendable {
  /// Enough for a patch's script, which runs on a request thread while it is loaded.
  private static let requestStackSize = 8 << 20
  private static let loopStackSize = 512 << 10

  private let wakeUp: WakeUp
  private let requests: RequestQueue
  private let loopHasEnded = Monitor(false)
  /// Why the socket is not open to the group that it should be open to.
  let groupTrouble: String?

  init(
    path: String, limits: ControlServerLimits, clients: ServerClients
  ) throws(ControlError) {
    let socket = try ListeningSocket(path: path, group: clients.access.socketGroup)
    groupTrouble = socket.groupTrouble
    let handover = Monitor<ListeningSocket?>(socket)
    let wakeUp = try WakeUp()
    let requests = RequestQueue(
      clients: clients, wakeUp: wakeUp, limits: limits)
    let loopHasEnded = loopHasEnded
    self.wakeUp = wakeUp
    self.requests = requests
    do throws(ControlError) {
      try ControlThread.start(name: "waxwing-request", stackSize: Self.requestStackSize) {
        requests.run()
      }
      try ControlThread.start(name: "waxwing-read", stackSize: Self.requestStackSize) {
        requests.runLarge()
      }
      for lane in ControlLane.allCases {
        guard let name = lane.threadName else { continue }
        for _ in 0..<lane.threadCount {
          try ControlThread.start(name: name, stackSize: Self.requestStackSize) {
            requests.run(lane)
          }
        }
      }
      try ControlThread.start(name: "waxwing-control", stackSize: Self.loopStackSize) {
        Self.runLoop(handover, wakeUp, requests, limits)
        loopHasEnded.withLock { $0 = true }
      }
    } catch {
      requests.stop()
      throw error
    }
  }

  /// Owns the listening socket alone, so that it is closed and its file removed on return.
  private static func runLoop(
    _ handover: Monitor<ListeningSocket?>, _ wakeUp: WakeUp, _ requests: RequestQueue,
    _ limits: ControlServerLimits
  ) {
    let listener = handover.withLock { listener in
      defer { listener = nil }
      return listener
    }
    guard let listener else { return }
    ServerLoop(listener: listener, wakeUp: wakeUp, requests: requests, limits: limits).run()
  }

  var clientCount: Int { requests.clientCount.load(ordering: .relaxed) }

  func stop(waitingSeconds seconds: Double) {
    requests.stop()
    wakeUp.signal()
    // The loop only moves bytes, so it ends at once.
    _ = loopHasEnded.wait { $0 ? true : nil }
    requests.waitForEnd(until: .after(seconds: seconds))
  }
}

extension ControlLane {
  /// How many requests of the lane are carried out at a time.
  var threadCount: Int {
    switch self {
    case .calling, .receiving: 4
    case .quick, .searching, .restoring, .changing, .debugging: 1
    }
  }

  /// Whether its requests may wait for others than the daemon, so that a place in it is never waited for.
  var waitsForOthers: Bool { threadCount > 1 }

  /// The name of the lane's thread; nil if its requests are carried out on the thread that reads
  /// them.
  fileprivate var threadName: String? {
    switch self {
    case .quick: nil
    case .searching: "waxwing-search"
    case .restoring: "waxwing-undo"
    case .changing: "waxwing-apply"
    case .calling: "waxwing-call"
    case .receiving: "waxwing-receive"
    case .debugging: "waxwing-debug"
    }
  }
}
