// SPDX-License-Identifier: MIT

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: WaxwingBenchmarks [--json FILE] [--points LIBRARY] [--plain PROGRAM] [--peers FOLDER]
                             [--brief] [ROUNDS [NAME]]
           WaxwingBenchmarks --count [NAME]
           WaxwingBenchmarks --report [--json FILE] [--table FILE [--update]] FOLDER…

      ROUNDS            more rounds, steadier medians; 15 by default
      NAME              only calls whose names end like that, and what they are compared with; or
                        one section: calls, async, models, threads, latency, memory, programs,
                        sessions, classes, lifetimes, startup, traces, daemon, peers
      --json FILE       writes all that is printed there, too
      --points LIBRARY  with 10,000 patch points, which the section startup loads
      --plain PROGRAM   bankd without implicit dynamic, for the section daemon
      --peers FOLDER    other bindings of Lua, for the section peers: see scripts/bench --peers
      --brief           makes few calls in each round: a trial of this program, no measurement
      --count           counts the instructions of calls, or of those alone whose names end like
                        NAME; under callgrind: see scripts/bench --instructions
      --report          what callgrind has counted, in a folder for each run; with a table the
                        ratios are compared with its: more than 5 % above it in all of the runs is
                        a failure, --update writes it anew

    """

  enum Mode {
    case measure, count, help
    /// Of what callgrind has counted.
    case report
    /// Of a start, in a process of its own: see `StartupBenchmarks`.
    case start(StartupBenchmarks.Kind)
  }

  private(set) var mode = Mode.measure
  private(set) var rounds = 15
  private(set) var name: String?
  private(set) var json: String?
  private(set) var points: String?
  private(set) var plain: String?
  private(set) var peers: String?
  private(set) var table: String?
  private(set) var folders: [String] = []
  private(set) var updates = false
  private(set) var isBrief = false

  /// - Returns: nil for arguments that make no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    var positional: [String] = []
    while let argument = rest.popFirst() {
      if argument.hasPrefix("-") {
        guard take(argument, &rest) else { return nil }
      } else {
        positional.append(argument)
      }
    }
    guard take(positional) else { return nil }
  }

  private mutating func take(_ option: String, _ rest: inout ArraySlice<String>) -> Bool {
    switch option {
    case "--help": mode = .help
    case "--count": mode = .count
    case "--report": mode = .report
    case "--update": updates = true
    case "--brief": isBrief = true
    default:
      guard let value = rest.popFirst() else { return false }
      switch option {
      case "--json": json = value
      case "--points": points = value
      case "--plain": plain = value
      case "--peers": peers = value
      case "--table": table = value
      case "--start":
        guard let kind = StartupBenchmarks.Kind(rawValue: value) else { return false }
        mode = .start(kind)
      default: return false
      }
    }
    return true
  }

  private mutating func take(_ positional: [String]) -> Bool {
    switch (mode, positional.count) {
    case (.count, 0...1):
      name = positional.first
    case (.report, 1...):
      folders = positional
    case (.measure, 0...2):
      guard let first = positional.first else { return true }
      guard let rounds = Int(first), rounds > 0 else { return false }
      self.rounds = rounds
      name = positional.dropFirst().first
    case (.report, _): return false
    default: return positional.isEmpty
    }
    return true
  }
}
