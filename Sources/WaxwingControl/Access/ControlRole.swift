// SPDX-License-Identifier: MIT

/// The rights of a client at a daemon; each role also has the rights of the roles before it.
package enum ControlRole: String, Sendable, Comparable, CaseIterable {
  /// Look: list, status, explain, metrics, the audit log.
  case observe
  /// Apply patches that the daemon's rules let in, and end them.
  case operate
  /// The client may change the rules.
  case own

  private var rank: Int {
    switch self {
    case .observe: 0
    case .operate: 1
    case .own: 2
    }
  }

  /// The lesser role is the smaller.
  package static func < (a: ControlRole, b: ControlRole) -> Bool { a.rank < b.rank }
}
