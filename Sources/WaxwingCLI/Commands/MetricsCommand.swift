// SPDX-License-Identifier: MIT

import WaxwingControl

/// `waxwing metrics`: a daemon's counters for Prometheus.
struct MetricsCommand: Command {
  let name = "metrics"
  let summary = "prints a daemon's counters in the text format of Prometheus"
  let usage = ["[PROGRAM | --program NAME | --socket PATH]"]
  let arguments = [Argument("PROGRAM", "the daemon's program name", .daemon)]
  let options = Option.daemon
  let notes = [
    """
    For the textfile collector of node_exporter, write to a second file and rename it:
    `waxwing metrics bankd > bankd.prom.new && mv bankd.prom.new bankd.prom`.
    """
  ]
  let examples = ["waxwing metrics", "waxwing metrics bankd"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments, program: arguments.positional.first).path()
    let daemon = try Daemon(at: path, arguments)
    guard case .metrics(let text) = try daemon.send(.metrics) else {
      throw CommandError(Daemon.mismatch(name))
    }
    console.print(document: text.hasSuffix("\n") ? String(text.dropLast()) : text)
    return .success
  }
}
