// SPDX-License-Identifier: MIT

package import WaxwingToolKit

/// A command of one of the fleet's programs: its help as data, and what it does.
package protocol FleetCommand: DescribedCommand {
  /// Whether the command works on a fleet, and so has the options of ``FleetStore``.
  var usesStore: Bool { get }

  /// Runs it.
  /// - Throws: `FleetError` or `CommandError`.
  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode
}

extension FleetCommand {
  package var usesStore: Bool { true }
  package var examples: [String] { [] }
  package var argumentCount: ClosedRange<Int> { 0...0 }
}

/// A command of a fleet's program as the kit runs it: with the options of the store, and with errors of one kind.
struct FleetKitCommand: Command {
  let command: any FleetCommand
  var name: String { command.name }
  var summary: String { command.summary }
  var usage: [String] { command.usage }
  var arguments: [Argument] { command.arguments }
  var options: [Option] { command.options + (command.usesStore ? FleetStore.options : []) }
  var notes: [String] { command.notes }
  var examples: [String] { command.examples }
  var argumentCount: ClosedRange<Int> { command.argumentCount }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    do {
      return try command.run(arguments, console)
    } catch let error as FleetError {
      throw CommandError(error)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.failure, "\(error)", remedy: "please report this")
    }
  }
}

extension CommandError {
  /// An error of a fleet, with the exit code for its kind.
  package init(_ error: FleetError) {
    let code: ExitCode =
      switch error.code {
      case .unavailable, .cancelled: .stalled
      case .denied, .expired: .notPermitted
      case .conflict, .compacted: .conflict
      case .notFound, .untrusted: .refused
      case .invalid: .usage
      }
    self.init(code, error.message, remedy: error.remedy)
  }
}
