// SPDX-License-Identifier: MIT

import WaxwingBridge

extension Engine {
  /// What the loaded patches hold, oldest first.
  func liveObjects(collecting: Bool) throws -> [LiveObjects] {
    try operation {
      finishDraining()
      return sessions.map { session in
        let held = session.runtime.heldValues(collecting: collecting)
        return LiveObjects(
          patch: session.name, objects: held.objects, values: held.values, errors: held.errors,
          memory: session.runtime.memory)
      }
    }
  }
}
