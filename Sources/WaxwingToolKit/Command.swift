// SPDX-License-Identifier: MIT

/// A verb of the tool: its help as data, and what it does.
package protocol Command: DescribedCommand {
  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode
}
