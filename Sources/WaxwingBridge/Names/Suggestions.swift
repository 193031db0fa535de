// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// Suggests known names for a name that is not found.
///
/// Comparing it with all names of a program takes milliseconds, and a script may ask for wrong names as
/// fast as it can: so there are only so many answers in a second. Few names are compared at once, and always.
package enum Suggestions {
  private struct Budget {
    var left = 200.0
    var filledAt = ContinuousClock.now
  }

  private static let perSecond = 50.0
  private static let most = 200.0
  private static let budget = Mutex(Budget())

  private static func take() -> Bool {
    budget.withLock { budget in
      let now = ContinuousClock.now
      let earned = (now - budget.filledAt) / .seconds(1) * perSecond
      budget.left = min(budget.left + max(earned, 0), most)
      budget.filledAt = now
      guard budget.left >= 1 else { return false }
      budget.left -= 1
      return true
    }
  }

  /// The number of names up to which all are compared, which costs no more than making the message
  /// does.
  private static let few = 64

  /// The nearest names, best first; none if there are none, or if there have been too many questions about many names.
  package static func nearest(to name: String, in candidates: some Collection<String>) -> [String] {
    candidates.count <= few || take() ? NearestNames.nearest(to: name, in: candidates) : []
  }
}
