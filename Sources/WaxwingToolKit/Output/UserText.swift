// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches

/// Users in what the tool prints.
package enum UserText {
  /// `bankd (uid 998)`, or the number alone.
  static func named(_ uid: UInt32) -> String {
    AccountNames.name(ofUser: uid).map { "\($0) (uid \(uid))" } ?? "uid \(uid)"
  }

  /// The name of a user; nil for the one that the tool runs as.
  package static func other(_ uid: UInt32) -> String? { uid == geteuid() ? nil : named(uid) }
}
