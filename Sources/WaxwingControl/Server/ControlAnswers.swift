// SPDX-License-Identifier: MIT

/// How a daemon answers each request that it knows, by verb.
package struct ControlAnswers: Sendable {
  fileprivate typealias Reader = @Sendable (any Decoder) throws -> ReceivedRequest

  private var readers: [String: Reader] = [:]

  package init() {}

  /// Says how one kind of request is answered.
  /// - Parameter answer: Called on one of the server's request threads, one call at a time on each. Only clients
  ///   with the role that the request needs get there.
  package mutating func on<Request: ControlRequest>(
    _ kind: Request.Type,
    _ answer: @escaping @Sendable (Request, ControlPeer) throws(ControlFailure) -> Request.Response
  ) {
    on(
      kind,
      responding: { request, peer in
        do throws(ControlFailure) {
          return .success(try answer(request, peer), result: Request.result)
        } catch {
          return .failure(error)
        }
      })
  }

  /// Sets the answer to a kind of request whose response may be of any type.
  package mutating func on<Request: ControlRequest>(
    _ kind: Request.Type,
    responding respond: @escaping @Sendable (Request, ControlPeer) -> ControlResponse
  ) {
    readers[Request.verb] = { decoder in
      let request: Request
      if Request.isNested {
        let container = try decoder.container(keyedBy: WireKey.self)
        request = try container.decode(Request.self, forKey: WireKey(Request.verb))
      } else {
        request = try Request(from: decoder)
      }
      try request.demandBounds()
      return ReceivedRequest(
        verb: Request.verb, neededRole: request.neededRole, lane: request.lane
      ) { peer in respond(request, peer) }
    }
  }

  fileprivate func reader(_ verb: String) -> Reader? { readers[verb] }
}

/// A request that has arrived, and how it is answered.
package struct ReceivedRequest: Sendable {
  /// The request's word on the wire.
  let verb: String
  /// The role that its client needs.
  let neededRole: ControlRole
  /// The lane of the request: requests in one lane are carried out in turn.
  let lane: ControlLane
  /// Carries it out for a client.
  package let answer: @Sendable (ControlPeer) -> ControlResponse
}

extension ReceivedRequest: Decodable {
  /// Where a decoder of requests has its ``ControlAnswers``.
  static let answers = unsafe CodingUserInfoKey(rawValue: "answers").unsafelyUnwrapped

  /// - Throws: ``ControlFailure`` with code `unsupported` for a verb or a protocol of the future.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: WireKey.self)
    let version = try container.decodeIfPresent(Int.self, forKey: .protocol) ?? 1
    guard version <= ControlProtocol.version else { throw ControlFailure.newer(version) }
    let verb = try container.decode(String.self, forKey: .verb)
    guard let read = (decoder.userInfo[Self.answers] as? ControlAnswers)?.reader(verb) else {
      throw ControlFailure.unknownVerb(verb)
    }
    self = try read(decoder)
  }
}
