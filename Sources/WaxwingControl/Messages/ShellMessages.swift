// SPDX-License-Identifier: MIT

/// A request to a shell inside the program.
package enum ShellRequest: Hashable, Sendable, Codable {
  /// Opens a new shell.
  case open
  /// Run what was typed: an expression, or statements.
  case evaluate(shell: String, text: String)
  /// The words that one which was begun may be.
  case complete(shell: String, text: String)
  /// Whoever types is still there. A shell of which nothing is heard ends.
  case ping(shell: String)
  /// The piece that runs is to stop. Answered by `pong` at once.
  case interrupt(shell: String)
}

/// An answer of a shell inside the program.
package enum ShellReply: Hashable, Sendable, Codable {
  /// The shell, which is a patch of this name; to revert it is to end it.
  case opened(name: String)
  /// The piece has run.
  case done(output: String)
  /// The text is not complete: more has to follow.
  case incomplete
  /// The text has failed. `frames` are the Lua functions that were running, innermost first.
  case failed(output: String, message: String, frames: [String])
  case words([String])
  case pong
}
