// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The command that checks patches.
package enum CheckCommands {
  package static let check: any Command = CheckCommand()
}
