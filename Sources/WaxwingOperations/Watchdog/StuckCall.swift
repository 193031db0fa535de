// SPDX-License-Identifier: MIT

import Glibc
package import WaxwingInterception

/// A call that has been in a patch for longer than the host's patience.
package struct StuckCall: Sendable {
  /// The identity of a call, which is unique in the patch.
  package enum Identity: Hashable, Sendable {
    /// A call of a function that an override stands in for.
    case override(UInt64)
    /// A call of a Lua function that Swift holds, in one of the patch's Lua states.
    case function(state: Int, Int)
  }

  package let identity: Identity
  /// The function's name, such as `Bank.Account.withdraw(_:memo:)`.
  package let function: String
  /// The kernel's id of the thread.
  package let thread: UInt64
  package let began: CoarseTime
  /// The Lua functions that it is in, innermost first, or a sentence why they are not known.
  package var stack: [String] = []

  package init(
    identity: Identity, function: String, thread: UInt64, began: CoarseTime, stack: [String] = []
  ) {
    self.identity = identity
    self.function = function
    self.thread = thread
    self.began = began
    self.stack = stack
  }

  package var isOverride: Bool {
    if case .override = identity { true } else { false }
  }
}
