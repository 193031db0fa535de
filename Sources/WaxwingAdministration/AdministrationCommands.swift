// SPDX-License-Identifier: MIT

package import WaxwingCommandLine

/// The commands for what an administrator looks after on a host.
package enum AdministrationCommands {
  package static let store: any Command = StoreCommand()
  package static let audit: any Command = AuditCommand()
  package static let config: any Command = ConfigCommand()
  package static let sign: any Command = SignCommand()
  package static let verify: any Command = VerifyCommand()
  package static let doctor: any Command = DoctorCommand()
}
