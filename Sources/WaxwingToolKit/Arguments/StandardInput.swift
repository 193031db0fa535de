// SPDX-License-Identifier: MIT

import Glibc
package import WaxwingPatches

/// A patch that comes through a pipe, written as `-`.
package enum StandardInput {
  package static let word = "-"

  /// The name of standard input in messages. A patch from it without a manifest is called `stdin`.
  package static let name = "stdin.lua"

  package static func patch() throws(PatchError) -> PatchSource {
    try PatchSource(reading: STDIN_FILENO, named: name)
  }

  /// Refuses to read it twice.
  package static func checkOnce(_ paths: [String], command: String) throws(CommandError) {
    guard paths.count(where: { $0 == word }) > 1 else { return }
    throw .usage("'-' is given twice, and standard input can be read once", command: command)
  }
}
