// SPDX-License-Identifier: MIT

/// Copies of programs that a test runs or changes.
package enum ProgramCopy {
  /// Copies an executable by a process of its own. A copy that this process writes is open for writing in whatever
  /// another test starts meanwhile, and cannot be run until that ends ("Text file busy").
  /// - Throws: `TestSupportError` if it cannot be copied.
  package static func make(_ path: String, to target: String) throws {
    let result = try Command("/bin/cp", ["-p", path, target]).run()
    guard result.isSuccess else { throw TestSupportError("\(path): \(result)") }
  }
}
