// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingOperations
import WaxwingToolKit

/// `waxwing audit`: what was done to a program, and whether the record of it is whole.
struct AuditCommand: Command {
  let name = "audit"
  let summary = "shows what was done to a program and by whom, or verifies the log"
  let usage = [
    "[PROGRAM | --program NAME | --socket PATH | --file FILE] [-n N] [--json]",
    "verify [FILE…] [--program NAME | --socket PATH] [--json]",
  ]
  let arguments: [Argument] = [
    .daemon(at: 1),
    .word("verify", "follow the chain of the records"),
    Argument("FILE", "an audit log; several files are the parts of one log, oldest first", .file),
  ]
  let options =
    Option.daemon + [
      Option("--file", "FILE", "read this audit log instead of asking a daemon", .file),
      Option("-n", "N", "show the last N records (default 20, at most 1000)"), .json,
    ]
  let notes = [
    """
    Each record contains the SHA-256 of the one before it. `verify` follows that chain; if a record
    was changed, removed or moved, it says which, and the exit code is 3. The file does not show
    whether records were removed from its end: compare the head with the one that `waxwing status`
    prints, or leave out FILE; then the daemon tells where its log is and how it ends.
    """
  ]
  let examples = [
    "waxwing audit bankd -n 5", "waxwing audit verify",
    "waxwing audit verify /var/log/waxwing/bankd.audit",
  ]
  let argumentCount = 0...64

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    if arguments.positional.first == "verify" {
      let files = Array(arguments.positional.dropFirst())
      try AuditVerification(files: files, arguments).run(console)
      return .success
    }
    guard arguments.positional.count <= 1 else {
      throw .usage(
        "'\(name)' takes no further argument: '\(arguments.positional[1])'", command: name)
    }
    let answer = try answered(arguments)
    if arguments.has(.json) {
      let document = AuditDocument(log: answer.log, lines: answer.lines)
      try console.print(json: document, of: answer.daemon)
    } else {
      console.print(AuditRecordText(lines: answer.lines).shown(answer.log))
    }
    return .success
  }

  private struct Answer {
    let log: String
    let lines: [String]
    /// nil: a file was read.
    var daemon: DaemonInfo?
  }

  /// A word that names no daemon may be a mistyped one.
  private func answered(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> Answer {
    do throws(CommandError) { return try lines(arguments) } catch {
      guard error.exitCode == .noDaemon, let word = arguments.daemon ?? arguments.positional.first,
        let question = NearestNames.question(for: word, in: firstWords)
      else { throw error }
      throw CommandError(error.exitCode, error.message, details: error.details, remedy: question)
    }
  }

  private func lines(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> Answer {
    let count = try count(arguments)
    if let file = arguments["--file"] {
      do throws(AuditError) {
        return Answer(log: file, lines: try AuditText.lastLines(count, of: file))
      } catch {
        throw CommandError(error)
      }
    }
    let path = try DaemonLocator(arguments, program: arguments.positional.first).path()
    let daemon = try Daemon(at: path, arguments)
    let excerpt = try daemon.send(AuditRequest(last: count))
    guard let log = excerpt.state.path else { throw .noAuditLog(daemon.title) }
    return Answer(log: log, lines: excerpt.lines, daemon: daemon.info)
  }

  private func count(_ arguments: ParsedArguments) throws(CommandError) -> Int {
    guard let text = arguments["-n"] else { return 20 }
    guard let count = Int(text), (1...1000).contains(count) else {
      throw .usage("'-n' needs a number from 1 to 1000, not '\(text)'", command: name)
    }
    return count
  }
}

extension CommandError {
  static func noAuditLog(_ daemon: String) -> CommandError {
    CommandError(
      .refused, "\(daemon) keeps no audit log",
      remedy:
        "set `audit` in its configuration, or WAXWING_LOG_DIR, to a place that it can write to")
  }

  init(_ error: AuditError) {
    self.init(.refused, error.message, remedy: error.remedy)
  }
}
