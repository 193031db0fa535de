// SPDX-License-Identifier: MIT

/// Who answers on a control socket.
package struct DaemonInfo: Hashable, Sendable, Codable {
  /// The program's name.
  package let program: String

  /// Which of the program's instances it is: `blue`, or its process id; nil for the first.
  package var instance: String?

  /// The process id.
  package let pid: Int32

  /// The engine's version.
  package let version: String

  /// The program's GNU build id in hexadecimal; nil if it was linked without one.
  package let buildID: String?

  /// The names of the loaded patches, oldest first.
  package let patches: [String]

  /// The newest protocol that the daemon speaks.
  let protocolVersion: Int

  /// The oldest protocol that the daemon speaks; nil where the engine does not say.
  package var oldestProtocolVersion: Int? = ControlProtocol.oldestVersion

  /// Stands for the set of live patches: it is another one after each change of it, and in each process.
  /// nil where the engine does not say.
  package var current: String?

  /// `bankd`, `bankd@blue`.
  package var name: String { instance.map { "\(program)@\($0)" } ?? program }

  /// Creates the description of a daemon.
  package init(
    program: String, pid: Int32, version: String = ControlProtocol.engineVersion,
    buildID: String? = nil, patches: [String] = [],
    protocolVersion: Int = ControlProtocol.version
  ) {
    self.program = program
    self.pid = pid
    self.version = version
    self.buildID = buildID
    self.patches = patches
    self.protocolVersion = protocolVersion
  }
}
