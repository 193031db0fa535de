// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// The definitions of the program that a command line names.
struct ProgramStubs {
  /// The name of the program.
  let program: String
  let text: String
  let typeCount: Int
  /// The daemon that was asked; nil: a file was read.
  let daemon: DaemonInfo?
  /// An override of one of its methods.
  let example: (lines: [String], owner: String)
  /// Parts that are missing, and the reasons.
  let problems: [String]

  init(
    _ arguments: ParsedArguments, command: String, isStatic: Bool
  ) throws(CommandError) {
    let asksDaemon = arguments["--program"] != nil || arguments["--socket"] != nil
    switch (asksDaemon, arguments.positional.first) {
    case (true, let file?):
      throw .usage("'\(command)' takes a file or a daemon: '\(file)'", command: command)
    case (true, nil):
      guard !isStatic else {
        throw .usage("'--static' reads a file: name one", command: command)
      }
      let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
      try self.init(of: daemon, arguments)
    case (false, let file?):
      let listing = try PointsListing(
        file: file, isStatic: isStatic, timeout: try arguments.seconds("--timeout") ?? 30,
        mayHaveNone: true)
      let closures = try Self.closures(
        PointsListing(
          file: file, isStatic: isStatic, timeout: try arguments.seconds("--timeout") ?? 30,
          kind: .closures))
      try self.init(file: file, shown: file, listing, closures, arguments, isStatic: isStatic)
    case (false, nil): throw .usage("'\(command)' needs PROGRAM", command: command)
    }
  }

  /// Creates the stubs of the file or daemon that `--program` or `--socket` names; nil if neither
  /// is given.
  init?(_ arguments: ParsedArguments) throws(CommandError) {
    guard let file = arguments["--program"], file.contains("/") else {
      guard arguments["--program"] != nil || arguments["--socket"] != nil else { return nil }
      let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
      try self.init(of: daemon, arguments)
      return
    }
    guard arguments["--socket"] == nil else {
      throw .usage("'--socket' and a program's file cannot be combined", command: arguments.command)
    }
    let listing = try PointsListing(
      file: file, isStatic: false, timeout: try arguments.seconds("--timeout") ?? 30,
      mayHaveNone: true)
    let closures = try Self.closures(
      PointsListing(
        file: file, isStatic: false, timeout: try arguments.seconds("--timeout") ?? 30,
        kind: .closures))
    try self.init(file: file, shown: file, listing, closures, arguments, isStatic: false)
  }

  /// The file of a daemon is the one that it runs, also if another is in its place by now.
  init(of daemon: borrowing Daemon, _ arguments: ParsedArguments) throws(CommandError) {
    let file = "/proc/\(daemon.info.pid)/exe"
    guard unsafe access(file, R_OK) == 0 else {
      throw CommandError(
        .failure,
        "cannot read the file of \(daemon.title): \(unsafe String(cString: strerror(errno)))",
        remedy:
          "run this as its user, or name the program's file: waxwing stubs ./\(daemon.info.program)"
      )
    }
    let listing = try PointsListing(of: daemon, matching: nil)
    try self.init(
      file: file, shown: FactsSearch.resolved(file), listing, Self.closures(of: daemon),
      arguments, isStatic: false)
  }

  /// The closures that can be overridden, or of which that is not known.
  private static func closures(_ listing: PointsListing) -> [ListedPoint] {
    listing.points.filter { $0.refusal == nil }
  }

  /// The closures that can be overridden; none if the daemon does not know closures.
  private static func closures(of daemon: borrowing Daemon) -> [ListedPoint] {
    do throws(CommandError) {
      return closures(try PointsListing(of: daemon, matching: nil, kind: .closures))
    } catch {
      return []
    }
  }

  /// - Parameter shown: The path by which modules are found.
  init(
    file: String, shown: String, _ listing: PointsListing, _ closures: [ListedPoint],
    _ arguments: ParsedArguments, isStatic: Bool
  ) throws(CommandError) {
    let outline = try ProgramOutline(
      file: file, points: listing.points, closures: closures)
    let comments = ModuleComments(
      outline.modules, program: shown, folders: arguments.lists["--modules"] ?? [])
    program = listing.program
    daemon = listing.daemon
    text = DefinitionFile(program: listing.program, outline, comments).text
    typeCount = outline.types.count
    example = listing.example
    let unchecked = listing.unchecked.flatMap { reason in
      isStatic ? nil : "which points can be overridden was not checked: \(reason)"
    }
    problems = [unchecked].compactMap(\.self) + comments.problems
  }
}
