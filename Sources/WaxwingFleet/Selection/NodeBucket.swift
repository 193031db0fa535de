// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Which nodes come first in a rollout: as good as drawn by lot, another order in each rollout, and the same
/// wherever it is computed.
package enum NodeBucket {
  /// A number below 10,000: the node has the set from the stage on that has more basis points.
  package static func of(_ node: String, rollout: String) -> Int {
    let hash = ContentHash(of: Array(rollout.utf8) + [0] + Array(node.utf8)).hex
    return Int((UInt64(hash.prefix(16), radix: 16) ?? 0) % 10_000)
  }
}
