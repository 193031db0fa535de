// SPDX-License-Identifier: MIT

import WaxwingReflection
import WaxwingToolKit

extension ElfError {
  /// What is wrong with the file, and what to do about it, which stands behind a semicolon.
  var parts: (message: String, remedy: String) {
    let parts = message.split(separator: "; ", maxSplits: 1).map(String.init)
    return (parts[0], parts.dropFirst().first ?? "")
  }
}

extension CommandError {
  /// An executable file that is missing or cannot be used.
  init(_ path: String, _ error: ElfError) {
    let (message, remedy) = error.parts
    self.init(.refused, "\(path): \(message)", remedy: remedy)
  }
}
