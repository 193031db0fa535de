// SPDX-License-Identifier: MIT

/// What a control server does for clients, and for which.
struct ServerClients: Sendable {
  let access: ControlAccess
  let refused: ControlServer.RefusalHandler
  let handler: ControlServer.PeerHandler

  /// Carries a request out if its sender may ask it.
  func answer(_ request: ControlRequest, from peer: ControlPeer) -> ControlResponse {
    let failure: ControlFailure
    switch access.role(of: peer) {
    case let role? where role >= request.neededRole: return handler(request, peer)
    case let role?: failure = access.tooLittle(peer, role, request)
    case nil: failure = access.noRole(peer)
    }
    refused(ControlRefusal(peer: peer, verb: request.verb, message: failure.message))
    return .failure(failure)
  }
}
