// SPDX-License-Identifier: MIT

package import WaxwingControl
import WaxwingDeclarations
import WaxwingPatches

/// Finds the control socket that a command line means.
package struct DaemonLocator {
  private let socket: String?
  private let program: String?
  private let command: String
  private let places = SocketPlaces.current()

  /// - Parameter program: a name given without `--program`, where that is not PROGRAM.
  package init(_ arguments: ParsedArguments, program: String? = nil) throws(CommandError) {
    let programs = [arguments["--program"], program, arguments.daemon].compactMap(\.self)
    let ways = [arguments["--socket"]].compactMap(\.self) + programs
    guard ways.count <= 1 else {
      throw .usage(
        "the daemon is specified more than once: \(ways.joined(separator: ", "))",
        command: arguments.command)
    }
    socket = arguments["--socket"]
    self.program = programs.first
    command = arguments.command
  }

  /// Whether the command line means this daemon; true for each if it names none.
  package func means(_ daemon: LiveDaemon) -> Bool {
    if let socket { return socket == daemon.path }
    return program.map(daemon.isMeant(by:)) ?? true
  }

  /// The path of the daemon's socket: that of the named socket or program, or else of the patch's
  /// own program, or else of the only live daemon.
  package func path(patchProgram: String? = nil) throws(CommandError) -> String {
    if let socket { return socket }
    if let program = program ?? patchProgram { return try path(of: program) }
    let findings = try findings()
    switch findings.daemons.count {
    case 1: return findings.daemons[0].path
    case 0:
      throw CommandError(
        .noDaemon, "no daemon: nothing listens in \(places.title)",
        details: findings.leftOut.map(\.message),
        remedy: "start the program, or name its socket with --socket")
    default: throw ambiguous("\(findings.daemons.count) daemons are running", findings.daemons)
    }
  }

  private func path(of program: String) throws(CommandError) -> String {
    guard !program.contains("/"), !program.hasPrefix(".") else {
      throw .usage("'\(program)' is not a program's name", remedy: "for a path use --socket PATH")
    }
    let findings = try findings()
    let meant = Self.meant(by: program, findings.daemons)
    if meant.count == 1 { return meant[0].path }
    guard meant.isEmpty else {
      throw ambiguous("\(meant.count) instances of \(program) are running", meant)
    }
    let path: String
    do { path = try places.own.socketPath(for: program) } catch { throw CommandError(error) }
    guard !findings.daemons.isEmpty || !findings.leftOut.isEmpty else { return path }
    guard !findings.daemons.isEmpty else {
      throw CommandError(
        .noDaemon, "no daemon: nothing listens at \(path)",
        details: findings.leftOut.map(\.message), remedy: findings.leftOut[0].remedy)
    }
    let near = NearestNames.question(for: program, in: findings.daemons.map(\.name.text))
    throw CommandError(
      .noDaemon, "no daemon: nothing listens at \(path); running are",
      details: Self.lines(findings.daemons) + findings.leftOut.map(\.message),
      remedy: near ?? "start the program, or name one of these")
  }

  /// The daemons that the text means. A daemon whose whole name, with its instance, equals the text
  /// is preferred over all others.
  private static func meant(by text: String, _ daemons: [LiveDaemon]) -> [LiveDaemon] {
    let named = daemons.filter { $0.name.instance != nil && $0.name.text == text }
    return named.isEmpty ? daemons.filter { $0.isMeant(by: text) } : named
  }

  private func ambiguous(_ message: String, _ daemons: [LiveDaemon]) -> CommandError {
    let names = daemons.map { Self.selector(of: $0, among: daemons) }
    let example = names.lazy.compactMap(\.self).first.map { "--program \($0)" }
    return CommandError(
      .usage, message, details: Self.lines(daemons),
      remedy: "choose one: waxwing \(command) … \(example ?? "--socket \(daemons[0].path)")")
  }

  /// The text with which `--program` means this daemon and no other; nil if only its socket
  /// identifies it.
  private static func selector(of daemon: LiveDaemon, among all: [LiveDaemon]) -> String? {
    let candidates =
      [daemon.name.text] + (daemon.pid.map { ["\(daemon.program)@\($0)"] } ?? [])
    return candidates.first { meant(by: $0, all) == [daemon] }
  }

  private func findings() throws(CommandError) -> SocketPlaces.Findings {
    do { return try places.liveDaemons() } catch { throw CommandError(error) }
  }

  private static func lines(_ daemons: [LiveDaemon]) -> [String] {
    daemons.map { daemon in
      let user = UserText.other(daemon.uid).map { ", user \($0)" } ?? ""
      let isTwin = daemons.count { $0.name == daemon.name } > 1
      let socket = isTwin ? ", socket \(daemon.path)" : ""
      return "\(daemon.name.text) (\(daemon.pid.map { "pid \($0)" } ?? "busy")\(user)\(socket))"
    }
  }
}
