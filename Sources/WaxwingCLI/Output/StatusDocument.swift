// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What `waxwing status --json` prints: what the daemon says, `state` in a word, and the
/// number of its user.
struct StatusDocument: Encodable {
  let status: DaemonStatus
  let uid: UInt32

  private enum Key: String, CodingKey { case state, uid }

  func encode(to encoder: any Encoder) throws {
    try status.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(status.condition.rawValue, forKey: .state)
    try container.encode(uid, forKey: .uid)
  }
}
