// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingPatches

/// Where a program that is not running keeps its patches and its audit log: what its configuration says,
/// or the environment of this tool, which has to be the daemon's.
struct StoredPlaces {
  /// The program's name, or an instance's: `bankd@blue`.
  let program: String
  /// The folder that the program's folder is in; nil: there is no place for one.
  let folder: String?
  /// The path of the audit log; nil if no log is kept.
  let auditLog: String?

  /// - Parameter folder: The folder that the user named.
  init(of program: String, folder: String?) {
    self.program = program
    let name = SocketName(file: program + ".sock")
    let configuration = Self.configuration(name?.program ?? program)
    self.folder = folder ?? configuration.store ?? SystemEnvironment.current.stateFolder
    auditLog =
      configuration.audit.map { path in
        name?.instance.map { StoredFileName.audit(path, ofInstance: $0) } ?? path
      }
      ?? LogFolder.place(of: program, store: folder ?? configuration.store)
      .map { "\($0.folder)/\(program).audit" }
  }

  /// A file with mistakes keeps its daemon from patches, but still says where they are.
  private static func configuration(_ program: String) -> Configuration {
    do throws(ConfigurationErrors) {
      let path = "\(ConfigurationFolder.path)/\(program).conf"
      return try ConfigurationReader.read(path, limitNames: nil) ?? Configuration()
    } catch {
      var configuration = Configuration()
      configuration.store = error.store
      return configuration
    }
  }
}
