// SPDX-License-Identifier: MIT

package import WaxwingPatches
import WaxwingReflection

/// The operator's configuration file as this process found it when it began to listen.
package struct HostConfiguration: Sendable {
  /// The file; nil: there is none.
  package var path: String?
  /// The contents of the file. If there is no file, or it is invalid, only the folder for kept
  /// patches is set.
  package var contents = Configuration()
  /// The problems of the file, one line each. If there are any, no patch is applied, because it is
  /// not known what the file was to forbid.
  package var trouble: [String] = []

  init(
    path: String? = nil, contents: Configuration = Configuration(), trouble: [String] = []
  ) {
    self.path = path
    self.contents = contents
    self.trouble = trouble
  }

  /// Reads `PROGRAM.conf` in the configuration folder.
  package static func read() -> HostConfiguration {
    read("\(ConfigurationFolder.path)/\(ProgramName.current).conf")
  }

  static func read(_ path: String) -> HostConfiguration {
    do throws(ConfigurationErrors) {
      let found = try ConfigurationReader.read(path, limitNames: LimitNames.all)
      guard let found else { return HostConfiguration() }
      return HostConfiguration(path: path, contents: found)
    } catch {
      var configuration = HostConfiguration(
        path: path, trouble: error.errors.map(\.description))
      configuration.contents.store = error.store
      return configuration
    }
  }

  /// - Throws: `WaxwingError` if the file does not hold.
  func demandSound() throws {
    guard !trouble.isEmpty else { return }
    throw WaxwingError(
      .refused, "this program's configuration has mistakes, so patching is disabled",
      details: trouble,
      remedy:
        "fix it and run `waxwing config reload`; patches can be reverted meanwhile")
  }
}
