// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches

/// Who types, for the history: it proves nothing.
enum Operator {
  /// `alice@host`
  static var name: String {
    var host = [CChar](repeating: 0, count: 256)
    let hasHost = unsafe gethostname(&host, host.count - 1) == 0
    let text = String(
      decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(user)@\(hasHost ? text : "localhost")"
  }

  private static var user: String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return unsafe String(cString: name)
  }
}
