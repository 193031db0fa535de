// SPDX-License-Identifier: MIT

package import WaxwingFleet
package import WaxwingToolKit

/// A command of one of the fleet's programs: its help as data, and what it does.
package protocol FleetCommand: DescribedCommand {
  /// Whether it works on a fleet, so that it has the options of ``FleetStore``, too.
  var usesStore: Bool { get }

  /// Runs it.
  /// - Returns: The exit code.
  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit
}

extension FleetCommand {
  package var usesStore: Bool { true }
  package var examples: [String] { [] }
  package var argumentCount: ClosedRange<Int> { 0...0 }

  /// Its own options, and those of the store.
  var allOptions: [Option] { options + (usesStore ? FleetStore.options : []) }
}

/// A command with all of its options, for the manual and completions.
struct FleetCommandHelp: DescribedCommand {
  let command: any FleetCommand
  var name: String { command.name }
  var summary: String { command.summary }
  var usage: [String] { command.usage }
  var arguments: [Argument] { command.arguments }
  var options: [Option] { command.allOptions }
  var notes: [String] { command.notes }
  var examples: [String] { command.examples }
  var argumentCount: ClosedRange<Int> { command.argumentCount }
}
