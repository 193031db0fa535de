// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet

/// Who types, for the history: it proves nothing.
enum Operator {
  /// `alice@host`
  static var name: String { "\(user)@\(HostName.own)" }

  private static var user: String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return unsafe String(cString: name)
  }
}
