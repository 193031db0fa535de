// SPDX-License-Identifier: MIT

package import WaxwingFleet

/// What the programs tell the shell: the numbers of `waxwing`, as far as they have a meaning here.
package enum FleetExit: Int32, Sendable {
  case success = 0
  case failure = 1
  case usage = 2
  case refused = 3
  case conflict = 4
  case stalled = 5
  case partial = 6
  case notPermitted = 8
  case degraded = 10

  /// The code for an error.
  package init(_ error: FleetError) {
    self =
      switch error.code {
      case .unavailable, .cancelled: .stalled
      case .denied, .expired: .notPermitted
      case .conflict, .compacted: .conflict
      case .notFound, .untrusted: .refused
      case .invalid: .usage
      }
  }
}
