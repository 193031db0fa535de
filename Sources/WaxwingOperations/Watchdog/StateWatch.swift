// SPDX-License-Identifier: MIT

import Glibc
package import WaxwingLua

/// Sees when a thread stays in a Lua state. A call that waits in Swift code has left it, and one that
/// runs Lua code is ended by its limits: whoever stays all the same runs what no limit reaches, and all
/// other calls of the patch wait.
package struct StateWatch: Sendable {
  /// How long a stay may be.
  package struct Limits: Sendable {
    /// The limit of the thread's own time.
    let own: Duration
    let real: Duration

    package init(own: Duration, real: Duration) {
      self.own = own
      self.real = real
    }
  }

  private struct Stay: Sendable {
    let presence: LuaState.Presence
    let since: ContinuousClock.Instant
    let ownTime: Duration
  }

  private var stay: Stay?

  package init() {}

  /// Looks at the state, which is not closed meanwhile.
  /// - Returns: The thread that has stayed for too long, and for how long it has been seen to.
  package mutating func look(
    at state: LuaState, _ limits: Limits
  ) -> (thread: UInt64, seconds: Duration)? {
    guard let presence = state.presence, let ownTime = Self.ownTime(of: presence.thread) else {
      stay = nil
      return nil
    }
    guard let stay, stay.presence == presence else {
      stay = Stay(presence: presence, since: .now, ownTime: ownTime)
      return nil
    }
    let seen = ContinuousClock.now - stay.since
    guard ownTime - stay.ownTime > limits.own || seen > limits.real else { return nil }
    return (presence.thread, seen)
  }

  /// The CPU time of a thread; nil if the thread has ended. The clock's number is made as
  /// clock_getcpuclockid(3) does it for threads.
  private static func ownTime(of thread: UInt64) -> Duration? {
    let clock = clockid_t(bitPattern: ~UInt32(truncatingIfNeeded: thread) << 3 | 6)
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
