// SPDX-License-Identifier: MIT

import Glibc

/// Libraries of the toolchain that runs the tests.
enum ToolchainLibrary: String, CaseIterable {
  case swiftCore
  case swiftConcurrency = "swift_Concurrency"
  case foundation = "Foundation"
  case foundationEssentials = "FoundationEssentials"

  var path: String { Self.directory + "/lib\(rawValue).so" }

  /// Where this process's standard library was loaded from.
  private static let directory: String = {
    guard let maps = fopen("/proc/self/maps", "r") else { return "" }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard let start = text.firstIndex(of: "/"), text.contains("/libswiftCore.so") else { continue }
      return text[start...].split(separator: "/", omittingEmptySubsequences: false)
        .dropLast().joined(separator: "/")
    }
    return ""
  }()
}
