// SPDX-License-Identifier: MIT

/// The kind of an argument or of an option's value, which decides how a shell completes it.
package enum ValueKind: Sendable, Equatable {
  /// A value for which nothing can be offered.
  case text
  case file
  case folder
  /// A `.lua` file, or a folder.
  case patchFile
  /// A command of the shell, followed by its arguments.
  case commandLine
  /// A running daemon or instance, as `--program` takes it.
  case daemon
  /// A live patch of the daemon that the command line means.
  case livePatch
  /// A function that is overridden there.
  case override
  /// One of these words.
  case words([String])

  /// A word for it in the scripts; those that the tool looks up are what `waxwing complete` takes.
  package var tag: String {
    switch self {
    case .text: "text"
    case .file: "file"
    case .folder: "folder"
    case .patchFile: "patch-file"
    case .commandLine: "command"
    case .daemon: "daemon"
    case .livePatch: "patch"
    case .override: "override"
    case .words: "words"
    }
  }

  /// The kinds of values that only the running daemons can tell.
  package static let lookedUp = [ValueKind.daemon, .livePatch, .override]
}
