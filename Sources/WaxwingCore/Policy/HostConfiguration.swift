// SPDX-License-Identifier: MIT

package import WaxwingPatches
import WaxwingReflection

/// The operator's configuration file as this process found it when it began to listen.
package struct HostConfiguration: Sendable {
  /// The file; nil: there is none.
  package var path: String?
  /// What it says; where there is none, or it does not hold, nothing but where patches are kept.
  package var contents = Configuration()
  /// What is wrong with it, a line each. Then nothing is applied: what the file was to forbid is not
  /// known.
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
