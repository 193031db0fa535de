// SPDX-License-Identifier: MIT

/// The exit codes of the tool. Scripts depend on the numbers, so they never change.
package enum ExitCode: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case refused = 3
  case conflict = 4
  case stalled = 5
  case partial = 6
  case noDaemon = 7
  case notPermitted = 8
  case patched = 9
  case degraded = 10

  /// The code's line in `waxwing --help`.
  package var meaning: String {
    switch self {
    case .success: "done; status: the program is at baseline"
    case .failure:
      "unexpected failure; doctor: something does not work; test: a test fails; shadow, replay: calls differ"
    case .usage: "wrong arguments"
    case .refused:
      "rejected, or not there: a patch, a script, a file with mistakes, a name that nothing matches"
    case .conflict: "something is in the way: another patch or request, a file that exists"
    case .stalled: "no answer in time, or calls did not end in time"
    case .partial: "partly done"
    case .noDaemon: "no daemon"
    case .notPermitted:
      "the daemon belongs to another user, or this user's role does not allow the request"
    case .patched: "status: patches are live, and all is well"
    case .degraded: "status: overrides have failed, or something else is wrong"
    }
  }
}
