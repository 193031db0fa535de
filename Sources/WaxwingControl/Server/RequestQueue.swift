// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingSystem

/// Frames that wait for the request threads, and answers that wait for the loop.
///
/// The JSON is read and written here too: the loop must not be held up by a large message.
final class RequestQueue: Sendable {
  /// A frame as it was received.
  struct Request: Sendable {
    let client: UInt64
    let peer: ControlPeer
    let role: ControlRole
    let bytes: [UInt8]
  }

  /// A frame to be sent.
  struct Answer: Sendable {
    let client: UInt64
    let bytes: [UInt8]
  }

  private enum Work: Sendable {
    case request(Request)
    case refusal(ControlRefusal)
    case departure(ControlPeer)
  }

  /// A request that is not answered at once.
  private struct LongRequest: Sendable {
    let client: UInt64
    let peer: ControlPeer
    let request: ReceivedRequest
  }

  /// A live client has one request here at a most; the rest is room for those that have left.
  private static let limit = 256

  /// Bytes: reading the JSON of a larger frame is left to a thread of its own.
  private static let largeFrame = 64 << 10

  /// Frames above that which wait, and those of one user.
  private static let (largeLimit, largeLimitPerUser) = (32, 16)

  /// Refused clients that wait to be reported. Of a flood of them the rest is not.
  private static let refusalLimit = 32

  /// Clients that have left and wait to be reported.
  private static let departureLimit = 256

  private struct State: Sendable {
    var requests: [Request] = []
    /// The requests that take long to read.
    var large: [Request] = []
    var refusals: [ControlRefusal] = []
    var departures: [ControlPeer] = []
    var answers: [Answer] = []
    var long: [ControlLane: [LongRequest]] = [:]
    /// The request in progress in each lane, and the time at which it began.
    var current: [ControlLane: (verb: String, since: ContinuousClock.Instant)] = [:]
    /// How many requests wait in each lane that waits for others than the daemon.
    var waiting: [ControlLane: Int] = [:]
    var isStopping = false
    /// The request threads that have begun and not ended.
    var threads: [pthread_t] = []
  }

  private let clients: ServerClients
  private let wakeUp: WakeUp
  private let limits: ControlServerLimits
  private let state = Monitor(State())

  /// The clients that are connected; kept by the loop's thread, read by any.
  let clientCount = Atomic(0)

  init(clients: ServerClients, wakeUp: WakeUp, limits: ControlServerLimits) {
    self.limits = limits
    self.clients = clients
    self.wakeUp = wakeUp
  }

  var access: ControlAccess { clients.access }

  /// Whether ``stop()`` was called.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Takes a request; false if too many wait already, as when clients leave while one is stuck. Those of
  /// one user never take all places.
  func add(_ request: Request) -> Bool {
    state.withLock { state in
      let own = state.requests.count { $0.peer.uid == request.peer.uid }
      guard state.requests.count < Self.limit, own < limits.requestsPerUser else { return false }
      // Half of the places is for those who may do more than look.
      let observing = request.role < .operate ? state.requests.count { $0.role < .operate } : 0
      guard observing < Self.limit / 2 else { return false }
      state.requests.append(request)
      return true
    }
  }

  /// Takes note of a client that was refused: who hears of that may be slow.
  func add(_ refusal: ControlRefusal) {
    state.withLock { state in
      guard state.refusals.count < Self.refusalLimit else { return }
      state.refusals.append(refusal)
    }
  }

  /// Takes note of a client whose connection has ended.
  func addDeparture(of peer: ControlPeer) {
    state.withLock { state in
      guard state.departures.count < Self.departureLimit else { return }
      state.departures.append(peer)
    }
  }

  /// The answers since the last call.
  func takeAnswers() -> [Answer] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Drops what waits; requests in progress go on.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Waits for requests in progress, unless one of them is the caller.
  func waitForEnd(until deadline: Deadline) {
    _ = state.wait(until: deadline) { state -> Bool? in
      state.threads.allSatisfy { pthread_equal($0, pthread_self()) != 0 } ? true : nil
    }
  }

  /// The body of the request thread.
  func run() {
    asThread {
      while let work = nextWork() {
        switch work {
        case .request(let request) where request.bytes.count > Self.largeFrame: putAside(request)
        case .request(let request): carryOut(request)
        case .refusal(let refusal): clients.refused(refusal)
        case .departure(let peer): clients.left(peer)
        }
      }
    }
  }

  /// The body of the thread that reads large frames: neither `status` nor `restore` waits for one.
  func runLarge() {
    asThread {
      let next = { [state] () -> Request? in
        let next: Request?? = state.wait { state -> Request?? in
          if state.isStopping { return .some(nil) }
          return state.large.isEmpty ? nil : .some(state.large.removeFirst())
        }
        return next ?? nil
      }
      while let request = next() { carryOut(request) }
    }
  }

  private func putAside(_ request: Request) {
    let isTaken = state.withLock { state in
      let own = state.large.count { $0.peer.uid == request.peer.uid }
      guard state.large.count < Self.largeLimit, own < Self.largeLimitPerUser else { return false }
      state.large.append(request)
      return true
    }
    if !isTaken { send(.failure(.tooManyRequests), to: request.client) }
  }

  /// The body of the thread of a lane.
  func run(_ lane: ControlLane) {
    asThread {
      while let next = next(in: lane) {
        let response = clients.answer(next.request, from: next.peer)
        state.withLock { state in
          state.current[lane] = nil
          if lane.waitsForOthers { state.waiting[lane, default: 0] -= 1 }
        }
        send(response, to: next.client)
      }
    }
  }

  private func asThread(_ body: () -> Void) {
    state.withLock { $0.threads.append(pthread_self()) }
    body()
    state.withLock { $0.threads.removeAll { pthread_equal($0, pthread_self()) != 0 } }
  }

  private func next(in lane: ControlLane) -> LongRequest? {
    let next: LongRequest?? = state.wait { state -> LongRequest?? in
      if state.isStopping { return .some(nil) }
      guard state.long[lane]?.isEmpty == false, let next = state.long[lane]?.removeFirst() else {
        return nil
      }
      if lane.waitsForOthers {
        state.waiting[lane, default: 0] += 1
      } else {
        state.current[lane] = (next.request.verb, .now)
      }
      return next
    }
    return next ?? nil
  }

  /// Requests of the greater roles come first, of one role the oldest.
  private func nextWork() -> Work? {
    let next: Work?? = state.wait { state -> Work?? in
      if state.isStopping { return .some(nil) }
      if !state.departures.isEmpty { return .departure(state.departures.removeFirst()) }
      if let greatest = state.requests.map(\.role).max(),
        let index = state.requests.firstIndex(where: { $0.role == greatest })
      {
        return .request(state.requests.remove(at: index))
      }
      return state.refusals.isEmpty ? nil : .refusal(state.refusals.removeFirst())
    }
    return next ?? nil
  }

  private func carryOut(_ frame: Request) {
    do throws(ControlFailure) {
      let request = try WireCoder.request(frame.bytes, for: clients.answers)
      if request.lane != .quick {
        try handOver(LongRequest(client: frame.client, peer: frame.peer, request: request))
      } else {
        send(clients.answer(request, from: frame.peer), to: frame.client)
      }
    } catch {
      send(.failure(error), to: frame.client)
    }
  }

  private func handOver(_ request: LongRequest) throws(ControlFailure) {
    let lane = request.request.lane
    typealias Obstacle = (verb: String, since: ContinuousClock.Instant)
    let obstacle = try state.withLock { (state) throws(ControlFailure) -> Obstacle? in
      let current = state.current[lane]
      if let current, .now - current.since >= .seconds(limits.busySeconds) { return current }
      let waiting = state.long[lane]?.count ?? 0
      if lane.waitsForOthers, state.waiting[lane, default: 0] + waiting >= lane.threadCount {
        throw .tooManyWaiting(in: lane)
      }
      let own = (state.long[lane] ?? []).count { $0.peer.uid == request.peer.uid }
      guard own < limits.requestsPerUser else { throw .tooManyRequests }
      state.long[lane, default: []].append(request)
      return nil
    }
    guard let obstacle else { return }
    let seconds = Int((.now - obstacle.since) / .seconds(1))
    throw ControlFailure(
      .conflict,
      message: "the daemon is busy: `\(obstacle.verb)` has been going on for \(seconds) s",
      remedy: "try again; meanwhile `waxwing restore` makes all calls run the program's own code")
  }

  private func send(_ response: ControlResponse, to client: UInt64) {
    let answer = Answer(client: client, bytes: WireCoder.frame(orFailure: response))
    state.withLock { $0.answers.append(answer) }
    wakeUp.signal()
  }
}

extension WireCoder {
  /// The frame of a response, or of a failure that says why the response cannot be sent.
  static func frame(orFailure response: ControlResponse) -> [UInt8] {
    do throws(ControlError) {
      return try frame(
        response, limit: ControlProtocol.maximumResponse,
        remedy: "ask for less, such as one patch or a part of a name")
    } catch {
      let failure = ControlFailure(.internal, message: error.message, remedy: error.remedy)
      return (try? frame(ControlResponse.failure(failure))) ?? []
    }
  }
}
