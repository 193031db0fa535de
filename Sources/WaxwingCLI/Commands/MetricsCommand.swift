// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing metrics`: a daemon's counters for Prometheus.
struct MetricsCommand: Command {
  let name = "metrics"
  let summary = "prints a daemon's counters in the text format of Prometheus"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [--openmetrics] [--json]"]
  let arguments = [Argument.daemon]
  let options =
    [Option("--openmetrics", nil, "print OpenMetrics 1.0, and not Prometheus's text format 0.0.4")]
    + Option.daemon + [.json]
  let notes = [
    """
    For the textfile collector of node_exporter, write to a second file and rename it:
    `waxwing metrics bankd > bankd.prom.new && mv bankd.prom.new bankd.prom`.
    """
  ]
  let examples = ["waxwing metrics", "waxwing metrics bankd --openmetrics"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments).path()
    let daemon = try Daemon(at: path, arguments)
    let openMetrics = arguments["--openmetrics"] != nil
    if openMetrics, arguments.has(.json) {
      throw .usage("'--json' and '--openmetrics' cannot be combined", command: name)
    }
    let text = try daemon.send(MetricsRequest(openMetrics: openMetrics))
    // A daemon of an older version does not know that it was asked for that.
    if openMetrics, !text.hasSuffix("# EOF\n") {
      throw CommandError(
        .failure, "the daemon is of a version that does not write OpenMetrics",
        remedy: "leave out --openmetrics, or update the engine in the program")
    }
    if arguments.has(.json) {
      try console.print(json: ["samples": MetricSample.all(in: text)], of: daemon.info)
      return .success
    }
    console.print(document: text.hasSuffix("\n") ? String(text.dropLast()) : text)
    return .success
  }
}
