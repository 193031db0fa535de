// SPDX-License-Identifier: MIT

import WaxwingControl

/// The version of agents and tools.
enum FleetVersion {
  /// The version of the engine.
  static var text: String { ControlProtocol.engineVersion }
}
