// SPDX-License-Identifier: MIT

extension Option {
  package static let now = Option(
    "--now", nil, "make living objects of the patch's classes answer as their superclasses do")

  package static let json = Option("--json", nil, "print one JSON document")

  /// `--json` of a command that shows things as they happen.
  package static let jsonLines = Option("--json", nil, "print a JSON document a line")

  package static let replace = Option("--replace", nil, "end all other patches in the same step")

  package static let keep = Option(
    "--keep", nil, "make them live again after each start of the program")

  package static let trial = Option(
    "--trial", "TIME", "end them after this time (90s, 10m, 1h30m) unless they are confirmed")

  package static let ifCurrent = Option(
    "--if-current", "ID",
    "apply only if the live patches still have this ID, see status and list --json")

  package static let anyVersion = Option(
    "--any-version", nil, "also replace a higher version, or the same version with other content")

  package static let dryRun = Option(
    "--dry-run", nil, "let the daemon load and check them, and change nothing")

  package static let wait = Option(
    "--wait", "TIME", "how long to wait for calls inside an ending patch (default 10s)")

  /// Where the daemon is; for every command that talks to one.
  package static let daemon = [program, socket, timeout]

  package static let program = Option("--program", "NAME", "the daemon's program name", .daemon)
  package static let socket = Option("--socket", "PATH", "the daemon's control socket", .file)
  package static let timeout = Option(
    "--timeout", "TIME", "give up after this time: 5, 90s, 1h30m (default 30s)")
}
