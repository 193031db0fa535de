// SPDX-License-Identifier: MIT

import Glibc

/// What this machine calls itself.
enum HostName {
  /// The name; `host` if it has none.
  static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "host" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? "host" : name
  }
}
