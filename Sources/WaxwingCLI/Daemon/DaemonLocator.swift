// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches
import WaxwingReflection

/// Finds the control socket that a command line means.
struct DaemonLocator {
  private let socket: String?
  private let program: String?
  private let command: String
  private let directory = SocketDirectory.current()

  /// - Parameter program: a name given without `--program`.
  init(_ arguments: ParsedArguments, program: String? = nil) throws(CommandError) {
    let ways = [arguments["--socket"], arguments["--program"], program].compactMap(\.self)
    guard ways.count <= 1 else {
      throw .usage(
        "the daemon is named more than once: \(ways.joined(separator: ", "))",
        command: arguments.command)
    }
    socket = arguments["--socket"]
    self.program = arguments["--program"] ?? program
    command = arguments.command
  }

  /// The path: of the named socket or program, else of the patch's own program, else of the only
  /// live daemon.
  func path(patchProgram: String? = nil) throws(CommandError) -> String {
    if let socket { return socket }
    if let program = program ?? patchProgram { return try path(of: program) }
    let daemons = try liveDaemons()
    switch daemons.count {
    case 1: return daemons[0].path
    case 0:
      throw CommandError(
        .noDaemon, "no daemon: nothing listens in \(directory.path)",
        remedy: "start the program, or name its socket with --socket")
    default:
      throw CommandError(
        .usage, "\(daemons.count) daemons are running", details: Self.lines(daemons),
        remedy: "say which: waxwing \(command) … --program \(daemons[0].program)")
    }
  }

  private func path(of program: String) throws(CommandError) -> String {
    guard !program.contains("/"), !program.hasPrefix(".") else {
      throw .usage("'\(program)' is not a program's name", remedy: "for a path use --socket PATH")
    }
    let path: String
    do { path = try directory.socketPath(for: program) } catch { throw CommandError(error) }
    let others = try liveDaemons()
    guard !others.isEmpty, !others.contains(where: { $0.program == program }) else { return path }
    let near = NearestNames.question(for: program, in: others.map(\.program))
    throw CommandError(
      .noDaemon, "no daemon: nothing listens at \(path); running are", details: Self.lines(others),
      remedy: near ?? "start the program, or name one of these")
  }

  private func liveDaemons() throws(CommandError) -> [LiveDaemon] {
    do { return try directory.liveDaemons() } catch { throw CommandError(error) }
  }

  private static func lines(_ daemons: [LiveDaemon]) -> [String] {
    daemons.map { "\($0.program) (\($0.pid.map { "pid \($0)" } ?? "busy"))" }
  }
}
