// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingSystem

/// Moves the bytes of all clients of a control server, on one thread.
struct ServerLoop {
  private let listener: ListeningSocket
  private let wakeUp: WakeUp
  private let requests: RequestQueue
  private let limits: ControlServerLimits
  private var connections: [UInt64: ServerConnection] = [:]
  private var lastID: UInt64 = 0
  /// The time until which no client is accepted, because the process is out of descriptors or
  /// memory.
  private var acceptPause: Deadline?

  init(
    listener: ListeningSocket, wakeUp: WakeUp, requests: RequestQueue, limits: ControlServerLimits
  ) {
    self.listener = listener
    self.wakeUp = wakeUp
    self.requests = requests
    self.limits = limits
  }

  /// The body of the loop's thread; returns when the queue is stopped.
  consuming func run() {
    while !requests.isStopping {
      let ready = waitForEvents()
      wakeUp.drain()
      for answer in requests.takeAnswers() { send(answer) }
      for (id, events) in ready.clients { handle(id, events) }
      // Those that have left make room first.
      dropFinished()
      if ready.hasNewClients { acceptClients() }
      dropFinished()
    }
  }

  /// Waits until a descriptor is ready, an answer is there, or a deadline is over.
  private mutating func waitForEvents() -> (hasNewClients: Bool, clients: [(UInt64, Int32)]) {
    if let pause = acceptPause, pause.isPast { acceptPause = nil }
    let accepts = acceptPause == nil
    // A client that waits for its answer is polled for nothing: `poll` still reports its end.
    let clients = connections.values.map { ($0.id, $0.descriptor.number, $0.interest) }
    var requests = [
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is left out.
      pollfd(fd: accepts ? listener.descriptor.number : -1, events: Int16(POLLIN), revents: 0),
    ]
    requests += clients.map { pollfd(fd: $0.1, events: Int16($0.2), revents: 0) }
    let count = unsafe poll(&requests, nfds_t(requests.count), nextDeadline().pollTimeout)
    guard count > 0 else { return (false, []) }
    let ready = zip(clients, requests.dropFirst(2)).filter { $1.revents != 0 }
    return (requests[1].revents != 0, ready.map { ($0.0, Int32($1.revents)) })
  }

  private func nextDeadline() -> Deadline {
    let first = connections.values.map(\.deadline).min() ?? .never
    return min(first, acceptPause ?? .never)
  }

  /// Clients that are let in before those that are there are served again.
  private static let mostAtOnce = 32

  private mutating func acceptClients() {
    for _ in 0..<Self.mostAtOnce {
      // The last descriptor is for what a request opens.
      guard hasSpareDescriptor || dismissIdlest() else { return pauseAccepting() }
      switch listener.accept() {
      case .success(nil): return
      case .success(let descriptor?): add(descriptor)
      case .failure: return pauseAccepting()
      }
    }
  }

  private mutating func pauseAccepting() { acceptPause = .after(seconds: 0.1) }

  /// Whether the process can open two files more: a client, and something for its request.
  private var hasSpareDescriptor: Bool {
    let spares = (0..<2).map { _ in fcntl(wakeUp.descriptor, F_DUPFD_CLOEXEC, 0) }
    for spare in spares where spare >= 0 { close(spare) }
    return spares.allSatisfy { $0 >= 0 }
  }

  /// Disconnects the client that has been silent for the longest time if descriptors run out, so
  /// that a client with a request is served, however many are silent.
  private mutating func dismissIdlest() -> Bool {
    let idle = connections.values.filter { $0.phase == .reading }
    let idlest = idle.min {
      ($0.isInsideFrame ? 1 : 0, $0.idleSince ?? .never) < (
        $1.isInsideFrame ? 1 : 0, $1.idleSince ?? .never
      )
    }
    guard let idlest else { return false }
    connections.removeValue(forKey: idlest.id)?.dismiss(.noPlace)
    if let peer = idlest.peer { requests.addDeparture(of: peer) }
    return true
  }

  private mutating func add(_ descriptor: consuming FileDescriptor) {
    lastID += 1
    let connection = ServerConnection(
      id: lastID, descriptor: descriptor, limits: limits, access: requests.access)
    if let peer = connection.peer, let role = connection.role {
      return seat(connection, peer, role)
    }
    connections[lastID] = connection
    let failure =
      connection.peer.map(requests.access.noRole)
      ?? ControlFailure(
        .notPermitted, message: "the system does not tell which user this client is")
    connection.refuse(failure)
    requests.add(ControlRefusal(peer: connection.peer, verb: nil, message: failure.message))
  }

  /// Gives a client with a role a place, if need be another's.
  private mutating func seat(
    _ connection: ServerConnection, _ peer: ControlPeer, _ role: ControlRole
  ) {
    let occupants = connections.values.compactMap { connection -> ServerPlaces.Occupant? in
      guard let peer = connection.peer, let role = connection.role else { return nil }
      return ServerPlaces.Occupant(
        id: connection.id, uid: peer.uid, role: role, idleSince: connection.idleSince)
    }
    let places = ServerPlaces(limits: limits, occupants: occupants)
    switch places.decide(uid: peer.uid, role: role) {
    case .admitted: connections[connection.id] = connection
    case .replaces(let id):
      connections.removeValue(forKey: id)?.dismiss(.noPlace)
      connections[connection.id] = connection
    case .refused: connection.dismiss(.noPlace)
    }
  }

  private func handle(_ id: UInt64, _ events: Int32) {
    guard let connection = connections[id] else { return }
    switch connection.phase {
    case .reading: enqueue(connection.receive(), of: connection)
    case .writing:
      connection.flush()
      enqueue(connection.nextFrame(), of: connection)
    case .waiting:
      // The request is carried out all the same: it arrived whole.
      if events & (POLLHUP | POLLERR | POLLNVAL) != 0 { connection.close() }
    case .over: break
    }
  }

  private func send(_ answer: RequestQueue.Answer) {
    guard let connection = connections[answer.client], connection.phase == .waiting else { return }
    connection.answer(answer.bytes)
    enqueue(connection.nextFrame(), of: connection)
  }

  private func enqueue(_ json: [UInt8]?, of connection: ServerConnection) {
    guard let json, let peer = connection.peer, let role = connection.role else { return }
    let request = RequestQueue.Request(
      client: connection.id, peer: peer, role: role, bytes: json)
    if !requests.add(request) { connection.refuse(.tooManyRequests) }
  }

  private mutating func dropFinished() {
    for connection in connections.values where connection.deadline.isPast { expire(connection) }
    for case let peer? in connections.values.lazy.filter({ $0.phase == .over }).map(\.peer) {
      requests.addDeparture(of: peer)
    }
    connections = connections.filter { $0.value.phase != .over }
    requests.clientCount.store(connections.count, ordering: .relaxed)
  }

  private func expire(_ connection: ServerConnection) {
    guard connection.phase == .reading, connection.isInsideFrame else { return connection.close() }
    connection.refuse(
      ControlFailure.notARequest("the frame did not arrive within \(limits.frameSeconds) s"))
  }
}

extension ControlFailure {
  /// The client is dropped: others need its place.
  fileprivate static var noPlace: ControlFailure {
    ControlFailure(
      .conflict, message: "the daemon is busy: it has as many clients as it takes",
      remedy: "try again, or check what this user's other clients do")
  }

  /// The request is dropped: others need its place.
  static func tooManyWaiting(in lane: ControlLane) -> ControlFailure {
    let waiting =
      lane == .receiving ? "clients wait for messages" : "calls wait for their replies"
    return ControlFailure(
      .conflict, message: "the daemon is busy: \(lane.threadCount) \(waiting)",
      remedy: "wait until one of them has ended")
  }

  static var tooManyRequests: ControlFailure {
    ControlFailure(
      .conflict, message: "the daemon is busy: too many requests are waiting",
      remedy: "wait until the request in progress has ended")
  }
}
