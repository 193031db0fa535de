// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Puts nodes into an order for a rollout. The order looks random, differs in each rollout, and is
/// the same wherever it is computed.
package enum NodeBucket {
  /// A number below 10,000: in rollouts of form 1 the node has the set from the stage on that has more basis points.
  package static func of(_ node: String, rollout: String) -> Int {
    Int(draw(node, rollout: rollout) % 10_000)
  }

  /// The node's number in a rollout: those with lower numbers come first.
  static func draw(_ node: String, rollout: String) -> UInt64 {
    let hash = ContentHash(of: Array(rollout.utf8) + [0] + Array(node.utf8)).hex
    return UInt64(hash.prefix(16), radix: 16) ?? 0
  }
}
