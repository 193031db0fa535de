// SPDX-License-Identifier: MIT

import Synchronization

/// The services of a control server for its clients, and their access.
final class ServerClients: Sendable {
  private let currentAccess: Mutex<ControlAccess>
  let refused: ControlServer.RefusalHandler
  let left: ControlServer.DepartureHandler
  let answers: ControlAnswers

  init(
    access: ControlAccess, refused: @escaping ControlServer.RefusalHandler,
    left: @escaping ControlServer.DepartureHandler = { _ in },
    answers: ControlAnswers
  ) {
    currentAccess = Mutex(access)
    self.refused = refused
    self.left = left
    self.answers = answers
  }

  /// The roles of users and groups. A change also holds for clients that are connected already.
  var access: ControlAccess {
    get { currentAccess.withLock { $0 } }
    set { currentAccess.withLock { $0 = newValue } }
  }

  /// Carries a request out if its sender may ask it.
  func answer(_ request: ReceivedRequest, from peer: ControlPeer) -> ControlResponse {
    let access = access
    let failure: ControlFailure
    switch access.role(of: peer) {
    case let role? where role >= request.neededRole: return request.answer(peer)
    case let role?: failure = access.tooLittle(peer, role, request)
    case nil: failure = access.noRole(peer)
    }
    refused(ControlRefusal(peer: peer, verb: request.verb, message: failure.message))
    return .failure(failure)
  }
}
