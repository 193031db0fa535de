// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet

/// The user who runs the command, for the history. The name proves nothing.
enum Operator {
  /// The user and the host, such as `alice@host`.
  static var name: String { "\(user)@\(HostName.own)" }

  private static var user: String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return unsafe String(cString: name)
  }
}
