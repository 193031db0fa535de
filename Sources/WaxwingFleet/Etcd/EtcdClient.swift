// SPDX-License-Identifier: MIT

import FoundationEssentials
import Synchronization
import WaxwingSystem

/// Sends requests to etcd's JSON gateway: to the member that answered last, or else to the next;
/// with a token, which is renewed when it has expired.
final class EtcdClient: Sendable {
  private struct State {
    var transports: [Transport] = []
    /// The member that is asked first.
    var endpoint = 0
    var token: String?
  }

  private static let mostTransports = 8

  let options: EtcdOptions
  private let state = Mutex(State())

  init(_ options: EtcdOptions) throws(FleetError) {
    guard !options.endpoints.isEmpty else {
      throw FleetError(
        .invalid, "no member of etcd is named", remedy: "give --etcd https://HOST:2379")
    }
    for endpoint in options.endpoints
    where !endpoint.hasPrefix("http://") && !endpoint.hasPrefix("https://") {
      throw FleetError(
        .invalid, "'\(endpoint)' is not the address of a member of etcd",
        remedy: "write https://HOST:2379")
    }
    guard options.user == nil || options.password != nil else {
      throw FleetError(
        .invalid, "there is no password for etcd's user '\(options.user ?? "")'",
        remedy: "give --password-file")
    }
    self.options = options
  }

  /// The member that is asked first, and that a stream begins at.
  var endpoint: String {
    options.endpoints[state.withLock { $0.endpoint } % options.endpoints.count]
  }

  /// Lets the next request begin at another member.
  func moveOn(from endpoint: String) {
    state.withLock { state in
      guard options.endpoints[state.endpoint % options.endpoints.count] == endpoint else { return }
      state.endpoint = (state.endpoint + 1) % options.endpoints.count
    }
  }

  /// Makes a request and waits for its answer.
  func send<Answer: Decodable>(
    _ path: String, _ request: some Encodable, _ type: Answer.Type
  ) throws(FleetError) -> Answer {
    do throws(FleetError) {
      return try sendOnce(path, request, type)
    } catch {
      guard error.code == .expired, options.user != nil else { throw error.settled }
      state.withLock { $0.token = nil }
    }
    do throws(FleetError) { return try sendOnce(path, request, type) } catch { throw error.settled }
  }

  private func sendOnce<Answer: Decodable>(
    _ path: String, _ request: some Encodable, _ type: Answer.Type
  ) throws(FleetError) -> Answer {
    let token = try token()
    return try DocumentCoder.decode(
      type, from: try post(path, DocumentCoder.encode(request), token), named: "etcd's answer")
  }

  /// The token of the user; nil: there is no user.
  func token() throws(FleetError) -> String? {
    guard let user = options.user, let password = options.password else { return nil }
    if let token = state.withLock({ $0.token }) { return token }
    let bytes = try post(
      "/v3/auth/authenticate", DocumentCoder.encode(Credentials(name: user, password: password)),
      nil)
    let answer = try DocumentCoder.decode(TokenAnswer.self, from: bytes, named: "etcd's answer")
    state.withLock { $0.token = answer.token }
    return answer.token
  }

  /// Forgets the token: it has expired.
  func forgetToken() { state.withLock { $0.token = nil } }

  /// Asks one member after the other, as long as a request certainly did not arrive.
  private func post(
    _ path: String, _ body: [UInt8], _ token: String?
  ) throws(FleetError) -> [UInt8] {
    var last = FleetError(.unavailable, "etcd was not asked")
    for _ in options.endpoints {
      let endpoint = endpoint
      let transport = try taken()
      do throws(FleetError) {
        let bytes = try exchange(transport, endpoint + path, body, token)
        give(back: transport)
        return bytes
      } catch {
        last = error
        guard error.code == .unavailable else {
          give(back: transport)
          throw error
        }
        moveOn(from: endpoint)
        guard transport.neverSent else { throw error }
      }
    }
    throw last
  }

  private func exchange(
    _ transport: Transport, _ url: String, _ body: [UInt8], _ token: String?
  ) throws(FleetError) -> [UInt8] {
    let deadline = Deadline.after(seconds: options.timeout)
    try transport.start(
      url: url, body: body, authorization: token, options: options, needsLeader: false)
    var answer: [UInt8] = []
    while true {
      switch try transport.read(until: deadline, of: url) {
      case .bytes(let bytes): answer += bytes
      case .woken: continue
      case .late:
        throw FleetError(
          .unavailable,
          "etcd did not answer at \(url) within \(Int(options.timeout.rounded(.up))) s",
          remedy: "check whether etcd has a leader: `etcdctl endpoint status`")
      case .end:
        guard transport.status == 200 else { throw .etcd(answer, status: transport.status, url) }
        return answer
      }
    }
  }

  private func taken() throws(FleetError) -> Transport {
    if let transport = state.withLock({ $0.transports.popLast() }) { return transport }
    return try Transport()
  }

  private func give(back transport: Transport) {
    state.withLock { state in
      if state.transports.count < Self.mostTransports { state.transports.append(transport) }
    }
  }
}

extension FleetError {
  /// The error of a response that is no answer, by its status and body.
  static func etcd(_ body: [UInt8], status: Int, _ url: String) -> FleetError {
    guard
      let failure = try? DocumentCoder.decode(EtcdFailure.self, from: body, named: "etcd's answer")
    else {
      return FleetError(
        .unavailable, "\(url) does not answer as etcd does: HTTP status \(status)",
        remedy: "check the address")
    }
    return etcd(failure)
  }

  /// The error that etcd reports, by gRPC's numbers.
  static func etcd(_ failure: EtcdFailure) -> FleetError {
    let text = "etcd: \(failure.text)"
    // An expired token has one of two numbers, by version and by request. A token may also be from before
    // users or roles were changed.
    if failure.text.contains("invalid auth token") || failure.number == 16
      || failure.text.contains("revision of auth store is old")
    {
      return FleetError(.expired, text, remedy: "check etcd's user and password")
    }
    if failure.text.contains("too large") || failure.text.contains("larger than max") {
      return FleetError(.invalid, text, remedy: "make the patch smaller")
    }
    switch failure.number {
    case 7:
      return FleetError(
        .denied, text, remedy: "see docs/fleet.md, Roles, for what each role of etcd's needs")
    case 3 where failure.text.contains("user name") || failure.text.contains("authentication"):
      return FleetError(.denied, text, remedy: "check etcd's user and password")
    case 11: return FleetError(.compacted, text)
    case 4, 8, 14: return FleetError(.unavailable, text, remedy: "check whether etcd has a leader")
    default: return FleetError(.unavailable, text, remedy: "check etcd's log")
    }
  }

  /// The error with a code that callers handle: an expired token counts as a denied request.
  fileprivate var settled: FleetError {
    code == .expired ? FleetError(.denied, message, remedy: remedy) : self
  }
}
