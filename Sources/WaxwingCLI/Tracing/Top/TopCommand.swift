// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// `waxwing top`: patches and overrides, live.
struct TopCommand: Command {
  let name = "top"
  let summary = "shows patches and overrides live: calls, times, errors, memory, tasks"
  let usage = ["[PROGRAM | --program NAME | --socket PATH] [OPTION…]"]
  let arguments = [Argument.daemon]
  let options =
    [
      Option("--every", "TIME", "how often it looks (default 1)"),
      Option(
        "--sort", "KEY", "calls (default), p50, p99, errors, memory, flight, tasks or name",
        .words(TopOrder.allCases.map(\.rawValue))),
      Option("--filter", "TEXT", "only overrides whose function or patch contains this"),
      Option("--once", nil, "print one interval, and end"),
    ] + Option.daemon + [.json]
  let notes = [
    """
    Keys: q ends it, arrows (j, k) select an override, Enter shows its calls as they happen, Esc ends
    that. s sorts by the next column; c, 5, 9, e, m, i, t, n sort by calls a second, p50, p99, errors,
    memory, calls in flight, tasks, name. / filters. w begins and ends measuring (`waxwing times`):
    without it there are no times. Tracing and measuring need the role operate.
    """,
    """
    Without a terminal, or with --json, it works as with --once. NO_COLOR in the environment turns
    colours off.
    """,
  ]
  let examples = ["waxwing top", "waxwing top bankd --sort p99", "waxwing top --once --json"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let every = max(0.1, try arguments.seconds("--every") ?? 1)
    let order = try order(arguments["--sort"])
    let path = try DaemonLocator(arguments).path()
    let first = try TopListing(path, arguments)
    var view = TopView(first.sample(after: nil))
    view.order = order
    view.filter = arguments["--filter"] ?? ""
    view.hasColours = Terminal.hasColours(STDOUT_FILENO)
    if Screen.isThere, !console.reportsJSON, arguments["--once"] == nil {
      var session = TopSession(first, path, arguments, every: every, view)
      try session.run()
      return .success
    }
    usleep(UInt32(every * 1e6))
    view.sample = try TopListing(path, arguments).sample(after: first)
    try print(view, console)
    return .success
  }

  private func order(_ word: String?) throws(CommandError) -> TopOrder {
    guard let word else { return .calls }
    guard let order = TopOrder(rawValue: word) else {
      let known = TopOrder.allCases.map(\.rawValue)
      throw .usage(
        "'--sort' needs one of \(known.joined(separator: ", ")), not '\(word)'", command: name,
        remedy: NearestNames.question(for: word, in: known))
    }
    return order
  }

  private func print(_ view: TopView, _ console: Console) throws(CommandError) {
    if console.reportsJSON {
      return try console.print(json: view.sample)
    }
    console.print(TopText(view).lines)
  }
}
