// SPDX-License-Identifier: MIT

import WaxwingControl

/// The version of agents and tools.
enum FleetVersion {
  /// The engine's.
  static var text: String { ControlProtocol.engineVersion }
}
