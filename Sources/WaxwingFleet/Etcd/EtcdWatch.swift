// SPDX-License-Identifier: MIT

import FoundationEssentials
import Synchronization
import WaxwingSystem

/// A stream of changes. It does not begin anew by itself: whoever watches goes on from the last revision that
/// it has seen, at another member.
/// Unchecked: one thread reads; `isCancelled` is atomic.
final class EtcdWatch: FleetWatch, @unchecked Sendable {
  private static let startSeconds = 5.0

  private let client: EtcdClient
  private let transport: Transport
  private let endpoint: String
  private let isCancelled = Atomic(false)
  private var lines = StreamLines()

  init(
    _ client: EtcdClient, prefix: Data, end: Data?, from revision: Int
  ) throws(FleetError) {
    self.client = client
    endpoint = client.endpoint
    transport = try Transport()
    let request = WatchRequest(
      create_request: .init(key: prefix, range_end: end, start_revision: EtcdNumber(revision)))
    try transport.start(
      url: url, body: DocumentCoder.encode(request), authorization: try client.token(),
      options: client.options, needsLeader: true)
    try waitForCreation()
  }

  private var url: String { endpoint + "/v3/watch" }

  /// A watch that is not created is no watch: the member may have no leader, or the user no right.
  private func waitForCreation() throws(FleetError) {
    let deadline = Deadline.after(seconds: Self.startSeconds)
    while let answer = try nextAnswer(until: deadline) {
      if answer.created == true { return }
    }
    client.moveOn(from: endpoint)
    throw FleetError(
      .unavailable, "etcd did not begin a watch at \(endpoint) within \(Int(Self.startSeconds)) s",
      remedy: "check whether etcd has a leader: `etcdctl endpoint status`")
  }

  func next(until deadline: Deadline) throws(FleetError) -> [FleetEvent] {
    while let answer = try nextAnswer(until: deadline) {
      let events = (answer.events ?? []).map(Self.event)
      if !events.isEmpty { return events }
    }
    return []
  }

  func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    transport.wake()
  }

  /// The next message; nil: none came in time.
  private func nextAnswer(until deadline: Deadline) throws(FleetError) -> WatchAnswer? {
    while true {
      while let line = lines.next() {
        if let answer = try answer(line) { return answer }
      }
      switch try part(until: deadline) {
      case .bytes(let bytes): lines.append(bytes)
      case .late: return nil
      case .woken:
        if isCancelled.load(ordering: .sequentiallyConsistent) {
          throw FleetError(.cancelled, "the watch was cancelled")
        }
      case .end: throw ended()
      }
    }
  }

  private func part(until deadline: Deadline) throws(FleetError) -> Transport.Part {
    do throws(FleetError) { return try transport.read(until: deadline, of: url) } catch {
      client.moveOn(from: endpoint)
      throw error
    }
  }

  /// The answer that a line holds; nil: it holds none.
  private func answer(_ line: [UInt8]) throws(FleetError) -> WatchAnswer? {
    let message = try DocumentCoder.decode(
      Streamed<WatchAnswer>.self, from: line, named: "etcd's message")
    if let error = message.error {
      client.moveOn(from: endpoint)
      throw dealt(with: .etcd(error))
    }
    guard let answer = message.result else { return nil }
    if answer.canceled == true { throw cancelled(answer) }
    return answer
  }

  private func cancelled(_ answer: WatchAnswer) -> FleetError {
    let reason = answer.cancel_reason ?? "it does not say why"
    if (answer.compact_revision?.value ?? 0) > 0 {
      return FleetError(.compacted, "etcd has forgotten what was to be watched: \(reason)")
    }
    client.moveOn(from: endpoint)
    if reason.contains("permission denied") {
      return FleetError(
        .denied, "etcd has ended the watch: \(reason)",
        remedy: "see docs/fleet.md, Roles, for what each role of etcd's needs")
    }
    client.forgetToken()
    return FleetError(
      .unavailable, "etcd has ended the watch: \(reason)", remedy: "check whether etcd has a leader"
    )
  }

  private func ended() -> FleetError {
    client.moveOn(from: endpoint)
    guard transport.status == 200 || transport.status == 0 else {
      return dealt(with: .etcd(lines.rest, status: transport.status, url))
    }
    return FleetError(.unavailable, "etcd has ended the watch at \(endpoint)")
  }

  /// A token that has expired is asked for again by the next watch.
  private func dealt(with error: FleetError) -> FleetError {
    guard error.code == .expired else { return error }
    client.forgetToken()
    return FleetError(.unavailable, error.message, remedy: error.remedy)
  }

  private static func event(_ change: WatchAnswer.Change) -> FleetEvent {
    let entry = EtcdBackend.entry(change.kv)
    return change.type == "DELETE" ? .delete(key: entry.key, revision: entry.revision) : .put(entry)
  }
}
