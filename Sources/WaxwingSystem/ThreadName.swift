// SPDX-License-Identifier: MIT

import Glibc

/// Reads names of threads.
package enum ThreadName {
  /// The name of a thread as `ps -L -o comm` shows it; empty if the thread has ended.
  package static func of(_ thread: UInt64) -> String {
    guard let file = unsafe fopen("/proc/self/task/\(thread)/comm", "re") else { return "" }
    defer { unsafe fclose(file) }
    var buffer = [CChar](repeating: 0, count: 64)
    guard unsafe fgets(&buffer, Int32(buffer.count), file) != nil else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
