// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The command that editors start to debug patches.
package enum DebugCommands {
  package static let debug: any Command = DebugCommand()
}
