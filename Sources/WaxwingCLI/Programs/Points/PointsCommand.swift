// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingPatches
import WaxwingToolKit

/// `waxwing points`: the patch points of an executable file, or of a running program.
struct PointsCommand: Command {
  private static let patch = Option(
    "--patch", nil, "print a patch whose overrides only call the original")
  private static let readsOnly = Option(
    "--static", nil, "only read the file: nothing is run, and nothing is checked")
  private static let selectors = Option(
    "--selectors", nil, "print full names, as `explain` and manifests take them")

  private static let closures = Option(
    "--closures", nil, "list closures in place of functions")
  private static let code = Option(
    "--code", nil, "list functions that have no replacement entry")

  private static let sources = Option(
    "--sources", nil, "show file and line, if debug information has them")

  let name = "points"
  let summary = "lists what can be overridden, as a patch writes it"
  let usage = [
    "PROGRAM [PATTERN] [--closures | --code] [--patch | --selectors] [--sources] [--static] [--json]",
    "[PATTERN] --program NAME | --socket PATH [--closures | --code] [--patch | --selectors] [--json]",
  ]
  let arguments = [
    Argument("PROGRAM", "an executable file", .file),
    Argument("PATTERN", "only points whose full names contain it, in upper or lower case"),
  ]
  let options = [closures, code, patch, selectors, sources, readsOnly] + Option.daemon + [.json]
  let notes = [
    """
    Points that `waxwing apply` would refuse are marked with `!` and the reason. To find out, the
    command starts PROGRAM, with the engine preloaded if it does not link Waxwing; the program describes
    itself and its libraries and exits before its `main`. With --static, or if PROGRAM is a library or
    cannot be preloaded, the file is only read. With --program or --socket, a running program answers.
    """,
    """
    With --closures, it lists the closures of the program and its libraries: the overrides of those are
    assigned to their names, and get no `self`.
    """,
    """
    With --code, it lists the functions that were not compiled with implicit dynamic. They can be overridden
    where the daemon may rewrite code: `code-entries = allow` in its configuration.
    """,
    """
    You can apply the output of --patch as it is; it changes nothing. It contains points that cannot
    be overridden as comments.
    """,
  ]
  let examples = [
    "waxwing points ./bankd", "waxwing points ./bankd account.withdraw --json",
    "waxwing points ./bankd account. --patch > account.lua",
    "waxwing points --program bankd account",
    "waxwing points --program bankd --closures routes",
  ]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let asksDaemon = arguments["--program"] != nil || arguments["--socket"] != nil
    try check(arguments, asksDaemon)
    let words = arguments.positional
    let pattern = (asksDaemon ? words.first : words.dropFirst().first)
    let listing = try asksDaemon ? ask(arguments, pattern) : read(words[0], arguments)
    var points = listing.points.filter { $0.matches(pattern) }
    if arguments.has(Self.sources) { try addSources(of: words[0], to: &points) }
    if let reason = listing.unchecked, !arguments.has(Self.readsOnly) {
      console.warn("which points can be overridden was not checked: \(reason)")
    }
    let withPatches = arguments.has(Self.patch)
    if arguments.has(.json) {
      let document = PointsDocument(listing, points, withPatches: withPatches)
      try console.print(json: document, of: listing.daemon)
      return points.isEmpty && pattern != nil ? .refused : .success
    }
    guard !points.isEmpty else {
      let all = pattern != nil && asksDaemon ? try ask(arguments, nil) : listing
      throw nothing(asksDaemon ? nil : words[0], pattern, all)
    }
    if withPatches {
      let text = PassThroughPatch(listing: listing, points: points).text
      console.print(document: text)
      if text.utf8.count >= PatchSizes.file {
        console.warn(
          "the patch has \(PatchSizes.text(text.utf8.count)), and `waxwing apply` takes files of "
            + "\(PatchSizes.text(PatchSizes.file)): name a PATTERN that fewer points contain")
      }
    } else if arguments.has(Self.selectors) {
      console.print(points.map(\.selector))
    } else {
      console.print(PointsText(listing: listing, points: points).lines)
    }
    return .success
  }

  private func check(
    _ arguments: ParsedArguments, _ asksDaemon: Bool
  ) throws(CommandError) {
    let words = arguments.positional
    if asksDaemon, words.count > 1 {
      throw .usage("'points' takes no further argument: '\(words[1])'", command: name)
    }
    if !asksDaemon, words.isEmpty { throw .usage("'points' needs PROGRAM", command: name) }
    for option in [Self.readsOnly, Self.sources] where asksDaemon && arguments.has(option) {
      throw .usage("'\(option.name)' reads a file: name one", command: name)
    }
    if arguments.has(Self.closures), arguments.has(Self.code) {
      throw .usage("'--closures' and '--code' cannot be combined", command: name)
    }
    if arguments.has(Self.patch), arguments.has(Self.selectors) {
      throw .usage("'--patch' and '--selectors' cannot be combined", command: name)
    }
  }

  private func kind(_ arguments: ParsedArguments) -> PointPage.Kind {
    arguments.has(Self.closures) ? .closures : arguments.has(Self.code) ? .code : .patchPoints
  }

  private func ask(
    _ arguments: ParsedArguments, _ pattern: String?
  ) throws(CommandError) -> PointsListing {
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    return try PointsListing(
      of: daemon, matching: pattern, kind: kind(arguments))
  }

  private func read(
    _ file: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> PointsListing {
    let timeout = try arguments.seconds("--timeout") ?? 30
    return try Progress.during("reading \(file)") { () throws(CommandError) in
      try PointsListing(
        file: file, isStatic: arguments.has(Self.readsOnly), timeout: timeout,
        kind: kind(arguments))
    }
  }

  private func addSources(
    of file: String, to points: inout [ListedPoint]
  ) throws(CommandError) {
    let places = try SourceLocator(path: file).places(of: Set(points.map(\.symbol)))
    for index in points.indices { points[index].source = places[points[index].symbol] }
  }

  private func nothing(
    _ file: String?, _ pattern: String?, _ listing: PointsListing
  ) -> CommandError {
    let program = file ?? "the program"
    if listing.kind == .closures, listing.points.isEmpty {
      return CommandError(
        .refused, "\(program) has no closures that a symbol names",
        remedy: "only closures are listed: `waxwing points` lists functions")
    }
    let all = listing.points
    let near = pattern.flatMap {
      NearestNames.question(forPart: $0, ofSelectors: all.map(\.selector))
    }
    let what = listing.kind.word
    return CommandError(
      .refused, "no \(what) of \(program) contains '\(pattern ?? "")'",
      remedy: (near.map { "\($0) " } ?? "")
        + "see all of them with `waxwing points\(file.map { " " + $0 } ?? "")"
        + "\(listing.kind == .patchPoints ? "" : " --\(listing.kind.rawValue)")`")
  }
}

extension ListedPoint {
  /// Whether the selector contains the text, whatever its case.
  fileprivate func matches(_ pattern: String?) -> Bool {
    guard let pattern, !pattern.isEmpty else { return true }
    return selector.lowercased().contains(pattern.lowercased())
  }
}
