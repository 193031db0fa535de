// SPDX-License-Identifier: MIT

/// The versions of Swift that the engine is tested with, and those that this process has.
package struct Toolchain: Hashable, Sendable {
  /// The versions of the compiler with which the engine was tested, such as `6.3.1`. Runtimes leave
  /// out the last number.
  static let tested = ["6.3.1"]

  /// The version of the compiler that made the engine, exact or as a lower bound such as `6.4 or
  /// newer`.
  package let compiler: String
  /// The version of the standard library that is loaded, such as `6.3.0`.
  package let library: String

  package static let current = Toolchain(
    compiler: compiler, library: "\(_SwiftStdlibVersion.current)")

  #if compiler(>=6.4)
    private static let compiler = "6.4 or newer"
  #elseif compiler(>=6.3.2)
    private static let compiler = "6.3.2 or newer"
  #elseif compiler(>=6.3.1)
    private static let compiler = "6.3.1"
  #elseif compiler(>=6.3)
    private static let compiler = "6.3"
  #else
    private static let compiler = "older than 6.3"
  #endif

  /// A warning if the engine was not tested with these versions; nil if it was.
  package var warning: String? {
    let libraries = Self.tested.map(Self.release)
    if Self.tested.contains(compiler), libraries.contains(Self.release(library)) { return nil }
    return
      "Waxwing was tested with Swift \(Self.testedText); this is Swift \(compiler) with the standard "
      + "library of \(Self.release(library)). Its ABI passes the self-check"
  }

  package static var testedText: String { tested.joined(separator: ", ") }

  /// The release of a version, such as `6.3` for `6.3.1`.
  private static func release(_ version: String) -> String {
    version.split(separator: ".").prefix(2).joined(separator: ".")
  }
}
