// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The commands that run scripts and what is typed.
package enum ShellCommands {
  package static let run: any Command = RunCommand()
  package static let shell: any Command = ShellCommand()
  /// The process that a shell starts for its code.
  package static let shellProgram: any Command = ShellProgramCommand()
}
