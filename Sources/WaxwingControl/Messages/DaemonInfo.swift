// SPDX-License-Identifier: MIT

/// The program and process that answer on a control socket.
package struct DaemonInfo: Hashable, Sendable, Codable {
  /// The name of the program.
  package let program: String

  /// The instance of the program, such as `blue` or a process id; nil for the first one.
  package var instance: String?

  /// The process id.
  package let pid: Int32

  /// The version of the engine.
  package let version: String

  /// The program's GNU build id in hexadecimal; nil if it was linked without one.
  package let buildID: String?

  /// The names of the loaded patches, oldest first.
  package let patches: [String]

  /// The newest protocol that the daemon speaks.
  let protocolVersion: Int

  /// The oldest protocol that the daemon speaks; nil where the engine does not say.
  package var oldestProtocolVersion: Int? = ControlProtocol.oldestVersion

  /// An identifier of the set of live patches, which differs after each change of the set, and in
  /// each process; nil if the engine does not report it.
  package var current: String?

  /// The name with the instance, such as `bankd` or `bankd@blue`.
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
