// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// Files in which the kernel tells about processes.
enum SystemFile {
  private static let sizeLimit = 4 << 20

  /// The lines; none if the file cannot be read.
  static func lines(_ path: String) -> [Substring] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    guard let bytes = try? SystemCall.readAll(file, limit: sizeLimit) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
