// SPDX-License-Identifier: MIT

import Foundation

/// An executable that was built together with the tests.
package struct BuiltProduct {
  /// Absolute.
  package let path: String

  /// - Throws: `TestSupportError` if there is no such executable beside the test bundle; the test
  ///   target has to depend on the executable's target.
  package init(_ name: String) throws {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    path = folder.appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestSupportError("there is no executable at \(path)")
    }
  }
}
