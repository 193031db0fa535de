// SPDX-License-Identifier: MIT

import Foundation

/// A directory of its own, readable by this user only, that goes with this value.
package struct TemporaryDirectory: ~Copyable, Sendable {
  /// Absolute; short enough that a Unix socket in it has room for its name.
  package let path: String

  package init() throws {
    var template = Array("/tmp/waxwing-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestSupportError("mkdtemp: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file into the directory.
  ///
  /// - Returns: Its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  deinit {
    // A directory that cannot be removed must not fail the test that is over.
    try? FileManager.default.removeItem(atPath: path)
  }
}
