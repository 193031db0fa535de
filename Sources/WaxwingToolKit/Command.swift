// SPDX-License-Identifier: MIT

/// A command of the tool: its help as data, and its action.
package protocol Command: DescribedCommand {
  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode
}
