// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing complete`: prints the names that the scripts for shells ask for while a user types. If
/// it knows none it prints nothing, because an error would be printed into the line.
struct CandidatesCommand: Command {
  let name = "complete"
  let summary = "prints the names that a shell's completion asks for, a line each"
  let usage = ["daemon", "patch | override [--program NAME | --socket PATH]"]
  let arguments: [Argument] = [
    .word("daemon", "the running daemons and instances"),
    .word("patch", "the live patches of a daemon"),
    .word("override", "the functions that they override"),
  ]
  let options: [Option] = [.program, .socket]
  let notes = [
    """
    The scripts that `waxwing completion` prints call this. It gives up after two seconds, and prints
    nothing if there is no daemon, or if it is not clear which one is meant.
    """
  ]
  let examples = ["waxwing complete patch --program bankd"]
  let argumentCount = 1...1

  /// The seconds for which a completion waits for the daemon. A user would not wait longer for a
  /// name.
  private static let timeout = "2"

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let word = arguments.positional[0]
    guard let kind = ValueKind.lookedUp.first(where: { $0.tag == word }) else {
      throw unknownWord(word)
    }
    var arguments = arguments
    arguments.values["--timeout"] = Self.timeout
    var names: [String] = []
    do throws(CommandError) { names = try self.names(kind, arguments) } catch {
      // Without a daemon there are no names.
    }
    let shown = Set(names).sorted()
    if !shown.isEmpty { console.print(shown) }
    return .success
  }

  private func names(
    _ kind: ValueKind, _ arguments: ParsedArguments
  ) throws(CommandError) -> [String] {
    if kind == .daemon { return try daemons() }
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    let patches = try daemon.send(ListRequest())
    if kind == .livePatch { return patches.map(\.name) }
    return patches.flatMap { $0.overrides.map(\.qualifiedName) }
  }

  private func daemons() throws(CommandError) -> [String] {
    do throws(ControlError) {
      return try SocketPlaces.current().liveDaemons().daemons.map(\.name.text)
    } catch {
      throw CommandError(error)
    }
  }
}
