// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingPatches

extension HostConfiguration {
  /// The accounts that may use the control socket, and their roles.
  var access: ControlAccess {
    var access = ControlAccess()
    for (key, accounts) in contents.grants {
      guard let role = ControlRole(rawValue: key) else { continue }
      access.grants[role] = Set(accounts.map(ControlPrincipal.init))
    }
    access.socketGroup = contents.socketGroup
    access.file = path
    return access
  }
}

extension ControlPrincipal {
  init(_ account: Account) {
    switch account {
    case .user(let number): self = .user(number)
    case .group(let number): self = .group(number)
    }
  }
}
