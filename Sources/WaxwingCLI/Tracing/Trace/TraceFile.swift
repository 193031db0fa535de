// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// A file that a trace writes in addition to its output.
protocol TraceFile: AnyObject {
  /// Adds a call that has ended.
  func add(_ call: TracedCall, _ selector: String) throws(CommandError)
  /// Completes the file.
  func close() throws(CommandError)
}

/// Writes the text of such a file. Safe: only this class sees its pointer, and nothing is written
/// once it is closed.
@safe
final class TraceWriter {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>

  init(_ path: String) throws(CommandError) {
    guard let file = unsafe fopen(path, "w") else { throw Self.failure(path) }
    self.path = path
    unsafe self.file = file
  }

  func write(_ text: String) throws(CommandError) {
    guard unsafe fputs(text, file) >= 0 else { throw Self.failure(path) }
  }

  func close() throws(CommandError) {
    guard unsafe fclose(file) == 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError(
      .failure, "cannot write \(path): \(unsafe String(cString: strerror(errno)))",
      remedy: "give another file with --output")
  }
}
