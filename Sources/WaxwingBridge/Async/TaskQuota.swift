// SPDX-License-Identifier: MIT

internal import Synchronization

/// How many tasks a script may have at once, and begin in a second. Each has a budget of its own: without
/// this a few lines could ask for all that the process has.
package final class TaskQuota: Sendable {
  /// The number of tasks that a script may have.
  package struct Limits: Hashable, Sendable {
    /// Tasks and children that have not ended; 0 for no limit.
    var live: Int
    /// Tasks that begin in a second, and twice as many at once; 0 for no limit.
    var perSecond: Int

    package init(live: Int = 10_000, perSecond: Int = 2000) {
      self.live = live
      self.perSecond = perSecond
    }
  }

  private struct Contents {
    var live = 0
    var starts: Double
    var filledAt = ContinuousClock.now
  }

  private let limits: Limits
  private let contents: Mutex<Contents>

  init(_ limits: Limits) {
    self.limits = limits
    contents = Mutex(Contents(starts: Double(limits.perSecond) * 2))
  }

  /// Takes room for a task of its own.
  /// - Returns: Why there is none; nil: there is.
  package func start() -> String? {
    contents.withLock { contents in
      if let reason = refusal(1, contents) { return reason }
      if limits.perSecond > 0 {
        let now = ContinuousClock.now
        let most = Double(limits.perSecond) * 2
        let earned = (now - contents.filledAt) / .seconds(1) * Double(limits.perSecond)
        contents.starts = min(contents.starts + max(earned, 0), most)
        contents.filledAt = now
        guard contents.starts >= 1 else {
          return "the patch begins more than \(limits.perSecond) tasks a second"
        }
        contents.starts -= 1
      }
      contents.live += 1
      return nil
    }
  }

  /// Takes room for children, which end before what begins them.
  package func add(_ count: Int) -> String? {
    contents.withLock { contents in
      if let reason = refusal(count, contents) { return reason }
      contents.live += count
      return nil
    }
  }

  private func refusal(_ count: Int, _ contents: Contents) -> String? {
    guard limits.live > 0, count > limits.live - contents.live else { return nil }
    return "the patch has \(contents.live) tasks that have not ended, and may have \(limits.live)"
  }

  /// How many have not ended.
  var live: Int { contents.withLock { $0.live } }

  /// Gives back room for `count` tasks.
  package func remove(_ count: Int) {
    contents.withLock { $0.live -= count }
  }
}
