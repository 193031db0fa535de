// SPDX-License-Identifier: MIT

import WaxwingControl

/// What `waxwing status --json` prints: what the daemon says, and `state` in a word.
struct StatusDocument: Encodable {
  let status: DaemonStatus

  private enum Key: String, CodingKey { case state }

  func encode(to encoder: any Encoder) throws {
    try status.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(status.condition.rawValue, forKey: .state)
  }
}
