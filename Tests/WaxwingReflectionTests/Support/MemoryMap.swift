// SPDX-License-Identifier: MIT

import Glibc

/// The files that this process has mapped.
enum MemoryMap {
  /// Each file once, with the address of its first byte.
  static let files: [(path: String, address: UInt)] = {
    guard let maps = fopen("/proc/self/maps", "r") else { return [] }
    defer { fclose(maps) }
    var files: [(path: String, address: UInt)] = []
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), maps) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      let text = String(decoding: bytes, as: UTF8.self)
      guard let start = text.firstIndex(of: "/"),
        let address = UInt(text.prefix { $0 != "-" }, radix: 16)
      else { continue }
      let path = String(text[start...])
      if files.last?.path != path { files.append((path, address)) }
    }
    return files
  }()
}
