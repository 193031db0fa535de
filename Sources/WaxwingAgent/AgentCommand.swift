// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingSystem
import WaxwingToolKit

/// `waxwing-agent`: runs until it is told to end.
struct AgentCommand: FleetCommand {
  let name = ""
  let summary = "keeps the daemons of this host where their fleet's rollout says"
  let usage = ["--fleet NAME (--etcd URLS | --folder DIR) [OPTION…]"]
  private static let noKeep = Option(
    "--no-keep", nil,
    "patches are not live again after a daemon's restart until the agent applies them")
  let options = [
    Option("--node", "NAME", "the node's name (this host's)"),
    Option("--program", "NAME", "whose daemons are patched (the fleet's name)"),
    Option("--labels", "LIST", "what selectors choose the node by: region=eu,canary=true"),
    Option(
      "--state", "DIR", "what the agent remembers (/var/lib/waxwing-agent, or $STATE_DIRECTORY)",
      .folder),
    Option("--jitter", "TIME", "a change, but no halt, waits up to so long (5s)"),
    Option("--trial", "TIME", "after how long a set ends that the agent does not renew (30m)"),
    Option("--report", "TIME", "how often the node reports (10s)"),
    Option("--alone", "TIME", "for how long a canary goes on without the store (15m)"),
    Option(
      "--metrics", "FILE", "what the program counts itself, in Prometheus's text format", .file),
    Option("--requests", "NAME", "the metric of its requests"),
    Option("--errors", "NAME", "the metric of those that it failed"),
    Option("--latency", "NAME", "the metric of its 99th percentile, in microseconds"),
    noKeep,
  ]
  let notes = [
    """
    The agent needs the role `operate` of the daemons, and nothing else on this host. Each daemon
    verifies each patch itself. Without the store nothing changes. The agent logs to standard error,
    and ends with SIGTERM; the daemons stay as they are.
    """,
    "`waxwing-agent completion SHELL` prints a script that completes its options, `waxwing-agent man` its page.",
  ]

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let store = try FleetStore(arguments)
    let options = try options(arguments, store.keys.fleet)
    let log = AgentLog(program: console.program)
    var read: (@Sendable () -> Agent.ProgramCounts?)?
    if let counts = try ProgramCountsFile(arguments) { read = { counts.read() } }
    let agent = Agent(
      options, store.backend, store.keys, store.verifier,
      SocketPort(program: options.program, keeps: !arguments.has(Self.noKeep)),
      counts: read,
      log: { log.write($0) })
    let signals = StopSignals()
    try agent.start()
    log.write(
      "node \(options.node) of fleet \(store.keys.fleet), for \(options.program), by \(store.backend.title)"
    )
    signals.wait()
    log.write("ends; the daemons stay as they are")
    agent.stop()
    return .success
  }

  private func options(
    _ arguments: ParsedArguments, _ fleet: String
  ) throws(FleetError) -> AgentOptions {
    let node = arguments["--node"] ?? HostName.short
    guard FleetKeys.isName(node) else {
      throw FleetError(.invalid, "'\(node)' is not a node's name", remedy: "give --node")
    }
    var options = AgentOptions(node: node, program: arguments["--program"] ?? fleet)
    options.labels = try labels(arguments["--labels"] ?? "")
    func seconds(_ name: String, _ value: inout Double) throws(FleetError) {
      if let seconds = try arguments.wholeSeconds(name) { value = Double(seconds) }
    }
    try seconds("--jitter", &options.jitterSeconds)
    try seconds("--trial", &options.trialSeconds)
    try seconds("--report", &options.reportSeconds)
    try seconds("--alone", &options.mostSecondsWithoutStore)
    guard options.trialSeconds > 0, options.reportSeconds > 0 else {
      throw FleetError(
        .invalid, "--trial and --report need a time that is not 0",
        remedy: "leave them out for 30m and 10s")
    }
    options.leaseSeconds = max(options.leaseSeconds, Int(options.reportSeconds * 3))
    let folder =
      arguments["--state"] ?? ConfigurationFolder.environment("STATE_DIRECTORY")
      ?? "/var/lib/waxwing-agent"
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      throw FleetError(
        .invalid, "the agent cannot write to \(folder): \(ErrorNumber(value: errno).text)",
        remedy: "create it, or give --state")
    }
    options.serialFile = "\(folder)/\(fleet).serial"
    return options
  }

  private func labels(_ text: String) throws(FleetError) -> [String: String] {
    var labels: [String: String] = [:]
    for word in text.split(separator: ",") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, parts[0] != "node", parts[0] != "build" else {
        throw FleetError(
          .invalid, "'\(word)' is not a label",
          remedy: "write NAME=VALUE, with a name other than node and build")
      }
      labels[String(parts[0])] = String(parts[1])
    }
    return labels
  }
}
