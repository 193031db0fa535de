// SPDX-License-Identifier: MIT

package import WaxwingFleet

/// What the programs tell the shell: the numbers of `waxwing`, as far as they have a meaning here.
package enum FleetExit: Int32, CaseIterable, Sendable {
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

  /// The code's line in the manual.
  package var meaning: String {
    switch self {
    case .success: "done"
    case .failure: "unexpected failure"
    case .usage: "wrong arguments, or a file of yours is wrong"
    case .refused: "something is not there, not signed, or was found bad"
    case .conflict: "another change is in the way"
    case .stalled: "the store does not answer"
    case .partial: "partly done"
    case .notPermitted: "the user's roles do not allow it"
    case .degraded:
      "status: a halt, or a rollout that goes back; doctor: a finding; control --once: another one leads"
    }
  }
}
