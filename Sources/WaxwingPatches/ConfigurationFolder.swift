// SPDX-License-Identifier: MIT

import Glibc

/// The folder in which the operator sets rules and roles.
package enum ConfigurationFolder {
  /// The path of the folder: `$WAXWING_CONFIG_DIR`, or else `/etc/waxwing`.
  package static var path: String { environment("WAXWING_CONFIG_DIR") ?? "/etc/waxwing" }

  /// The list of those who may sign patches.
  package static var signers: String { path + "/allowed_signers" }

  /// The list of keys that are revoked.
  package static var revoked: String { path + "/revoked_signers" }

  /// A variable of the environment, unless a user with fewer rights than this process has set it.
  package static func environment(_ name: String) -> String? {
    guard getuid() == geteuid(), getgid() == getegid(), let value = unsafe getenv(name) else {
      return nil
    }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
