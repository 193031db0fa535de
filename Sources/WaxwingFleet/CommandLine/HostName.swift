// SPDX-License-Identifier: MIT

import Glibc

/// What this machine calls itself.
package enum HostName {
  /// The name; `localhost` if it has none.
  package static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? "localhost" : name
  }

  /// The name without its domain.
  package static var short: String { String(own.prefix { $0 != "." }) }
}
