// SPDX-License-Identifier: MIT

internal import Glibc

/// The roles of users and groups.
///
/// Root and the user whose process this is own it: they can change it with a debugger, and the
/// configuration too. Nobody else has a role unless the operator's configuration names them.
package struct ControlAccess: Hashable, Sendable {
  /// The roles that were given; one who has several has the greatest.
  package var grants: [ControlRole: Set<ControlPrincipal>] = [:]

  /// The group that the socket's file is opened to; nil: it stays private to the process's user.
  package var socketGroup: UInt32?

  /// The file that says all this, for messages.
  package var file: String?

  /// Gives access only to root and the user of this process.
  package init() {}

  /// The role of a client; nil: it has none.
  package func role(of peer: ControlPeer) -> ControlRole? {
    if peer.uid == 0 || peer.uid == geteuid() { return .own }
    return grants.filter { !$0.value.isDisjoint(with: peer.principals) }.keys.max()
  }
}

extension ControlAccess {
  func noRole(_ peer: ControlPeer) -> ControlFailure {
    ControlFailure(
      .notPermitted,
      message: "uid \(peer.uid) may not use this process, which belongs to uid \(geteuid())",
      remedy: "run waxwing as that user or as root" + alternative("a role"))
  }

  func tooLittle(_ peer: ControlPeer, _ role: ControlRole, _ request: ReceivedRequest)
    -> ControlFailure
  {
    let needed = request.neededRole
    return ControlFailure(
      .notPermitted,
      message: "uid \(peer.uid) has the role `\(role.rawValue)` here; `\(request.verb)` needs "
        + "`\(needed.rawValue)`",
      remedy: "run waxwing as root or as uid \(geteuid())" + alternative("`\(needed.rawValue)`"))
  }

  private func alternative(_ what: String) -> String {
    file.map { ", or let the operator give \(what) to you in \($0)" } ?? ""
  }
}
