// SPDX-License-Identifier: MIT

package import WaxwingFleet

/// A command of one of the fleet's programs: its help as data, and what it does.
package protocol FleetCommand: Sendable {
  /// The word or words that call it: `rollout start`.
  var name: String { get }
  /// One line for the list of commands; no capital, no period.
  var summary: String { get }
  /// The forms that it takes, without the program's name and its own.
  var usage: [String] { get }
  /// Without those of ``FleetStore``.
  var options: [FleetOption] { get }
  /// Paragraphs below the options.
  var notes: [String] { get }
  /// How many positional arguments it takes.
  var argumentCount: ClosedRange<Int> { get }

  /// Runs it.
  /// - Returns: The exit code.
  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit
}

extension FleetCommand {
  package var notes: [String] { [] }
  package var options: [FleetOption] { [] }
  package var argumentCount: ClosedRange<Int> { 0...0 }
}
