// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// Where a layer is among those of its patch point: the highest is nearest to the caller.
package struct LayerRank: Hashable, Comparable, Sendable {
  package let session: UInt64
  /// Among the layers of one session.
  let order: UInt64

  package init(session: UInt64 = 0, order: UInt64 = 0) {
    self.session = session
    self.order = order
  }

  package static func < (one: LayerRank, other: LayerRank) -> Bool {
    (one.session, one.order) < (other.session, other.order)
  }

  init(_ raw: wax_runtime_rank) {
    self.init(session: raw.session, order: raw.order)
  }

  var raw: wax_runtime_rank { wax_runtime_rank(session: session, order: order) }
}
