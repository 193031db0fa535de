// SPDX-License-Identifier: MIT

/// Libraries of the toolchain that runs the tests.
enum ToolchainLibrary: String, CaseIterable {
  case swiftCore
  case swiftConcurrency = "swift_Concurrency"
  case foundation = "Foundation"
  case foundationEssentials = "FoundationEssentials"

  var path: String { Self.directory + "lib\(rawValue).so" }

  /// Where this process's standard library was loaded from.
  private static let directory: String = {
    let name = "libswiftCore.so"
    let file = MemoryMap.files.first { $0.path.hasSuffix("/" + name) }
    return file.map { String($0.path.dropLast(name.count)) } ?? "/usr/lib/swift/linux/"
  }()
}
