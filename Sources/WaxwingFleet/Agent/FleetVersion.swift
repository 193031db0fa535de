// SPDX-License-Identifier: MIT

import WaxwingControl

/// The version of agents and tools.
package enum FleetVersion {
  /// The engine's.
  package static var text: String { ControlProtocol.engineVersion }
}
