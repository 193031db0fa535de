// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The commands that say what is in a program.
package enum ProgramCommands {
  package static let points: any Command = PointsCommand()
  package static let facts: any Command = FactsCommand()
}
