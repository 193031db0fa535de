// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// Prints a daemon's events, once or as they come.
struct LogView {
  /// The options of every command that shows events.
  static let options = [
    Option("-f", nil, "go on with what comes, until Ctrl-C"),
    Option("-n", "COUNT", "how many lines to begin with (default 20, 200 at most)"),
    Option("--patch", "NAME", "only events of this patch", .livePatch),
  ]
  static let json = Option("--json", nil, "print events as JSON, a line each")

  private let filter: LogFilter
  private let console: Console

  init(_ filter: LogFilter, _ console: Console) {
    self.filter = filter
    self.console = console
  }

  func run(_ arguments: ParsedArguments) throws(CommandError) {
    let path = try DaemonLocator(arguments).path()
    var follower = LogFollower(path, arguments)
    // Of other patches there may be many lines.
    let most = filter.takesAll ? min(try arguments.count("-n") ?? 20, 200) : 200
    let first = try follower.next(atMost: most).filter(filter.takes)
    show(of: follower, first.suffix(try arguments.count("-n") ?? 20))
    if first.isEmpty, let patch = filter.patch { try warn(ofUnknown: patch, path, arguments) }
    guard arguments["-f"] != nil else { return }
    Interruption.catchSignals()
    while !Interruption.hasCome {
      usleep(200_000)
      let lines = try follower.next(atMost: 200).filter(filter.takes)
      show(of: follower, lines[...])
    }
  }

  /// A patch that is not live may have been: that is no error.
  private func warn(
    ofUnknown patch: String, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) {
    let patches = try Daemon(at: path, arguments).send(ListRequest())
    let names = patches.map(\.name)
    if names.contains(patch) { return }
    let near = NearestNames.question(for: patch, in: names).map { "; \($0)" } ?? ""
    console.warn("no patch named `\(patch)` is live, and none has logged anything\(near)")
  }

  private func show(of follower: LogFollower, _ lines: ArraySlice<LogPage.Line>) {
    guard console.reportsJSON, let daemon = follower.daemon else {
      if !lines.isEmpty { console.print(lines.map(\.text)) }
      return
    }
    for line in lines { console.print(line: JSONValue(parsing: line.json), of: daemon) }
  }
}

/// Selects events by level and name.
struct LogFilter {
  let patch: String?
  private let levels: ArraySlice<LogPage.Level>?
  private let kind: (@Sendable (LogPage.Line) -> Bool)?

  /// - Parameter kind: Which of the events that the options ask for; nil: all of them.
  init(
    _ arguments: ParsedArguments, _ kind: (@Sendable (LogPage.Line) -> Bool)? = nil
  ) throws(CommandError) {
    patch = arguments["--patch"]
    self.kind = kind
    guard let level = arguments["--level"] else {
      levels = nil
      return
    }
    guard let index = LogPage.Level.all.firstIndex(of: LogPage.Level(rawValue: level)) else {
      let words = LogPage.Level.all.map(\.rawValue)
      throw .usage(
        "'--level' needs \(words.joined(separator: ", ")), not '\(level)'",
        command: arguments.command, remedy: NearestNames.question(for: level, in: words))
    }
    levels = LogPage.Level.all[index...]
  }

  /// Whether nothing is left out.
  var takesAll: Bool { patch == nil && levels == nil && kind == nil }

  func takes(_ line: LogPage.Line) -> Bool {
    (patch.map { $0 == line.patch } ?? true) && (levels.map { $0.contains(line.level) } ?? true)
      && (kind.map { $0(line) } ?? true)
  }
}
