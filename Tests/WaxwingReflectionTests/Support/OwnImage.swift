// SPDX-License-Identifier: MIT

import Glibc

/// The image that these tests were linked into: a program, or a library that a runner loads.
enum OwnImage {
  static let path: String = {
    guard let maps = fopen("/proc/self/maps", "r") else { return "" }
    defer { fclose(maps) }
    let fallback = "/proc/self/exe"
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), maps) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      let text = String(decoding: bytes, as: UTF8.self)
      if let start = text.firstIndex(of: "/"), text.hasSuffix(".xctest") {
        return String(text[start...])
      }
    }
    return fallback
  }()
}
