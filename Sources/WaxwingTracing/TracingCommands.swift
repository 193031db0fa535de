// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The commands that show calls and objects of a running program.
package enum TracingCommands {
  package static let trace: any Command = TraceCommand()
  package static let shadow: any Command = ShadowCommand()
  package static let record: any Command = RecordCommand()
  package static let replay: any Command = ReplayCommand()
  package static let instances: any Command = InstancesCommand()
  package static let top: any Command = TopCommand()
}
