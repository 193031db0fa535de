// SPDX-License-Identifier: MIT

import Foundation

/// The program's own two output streams, unbuffered, so that whoever waits for a line gets it.
enum Console {
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes a diagnostic; nothing can be done about an error stream that is gone.
  static func complain(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("bankd: \(message)\n".utf8))
  }
}
