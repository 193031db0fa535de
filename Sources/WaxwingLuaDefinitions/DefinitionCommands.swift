// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The command that writes definitions.
package enum DefinitionCommands {
  package static let stubs: any Command = StubsCommand()
}
