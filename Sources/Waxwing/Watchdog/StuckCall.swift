// SPDX-License-Identifier: MIT

import Glibc
import WaxwingInterception

/// A call that has been in a patch for longer than the host's patience.
struct StuckCall: Sendable {
  /// What no other call of the patch has.
  enum Identity: Hashable, Sendable {
    /// A call of what an override stands in for.
    case override(UInt64)
    /// A call of a Lua function that Swift holds, in one of the patch's Lua states.
    case function(state: Int, Int)
  }

  let identity: Identity
  /// `Bank.Account.withdraw(_:memo:)`
  let function: String
  /// The kernel's id.
  let thread: UInt64
  let began: CoarseTime
  /// The Lua functions that it is in, innermost first, or a sentence why they are not known.
  var stack: [String] = []

  var isOverride: Bool {
    if case .override = identity { true } else { false }
  }

  func laggard(of patch: String) -> Restoration.Laggard {
    Restoration.Laggard(
      patch: patch, function: function, threadID: thread, threadName: ThreadName.of(thread),
      seconds: began.age / .seconds(1), stack: stack)
  }
}
