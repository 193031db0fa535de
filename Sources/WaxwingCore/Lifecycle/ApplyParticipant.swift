// SPDX-License-Identifier: MIT

/// Takes part in one apply: it may refuse it, and does its part of it. All calls come from the thread
/// that applies, in this order, within one operation of the engine.
package protocol ApplyParticipant: AnyObject {
  /// Whether older patches of the same keys are refused from now on.
  var raisesFloors: Bool { get }

  /// Is called before anything has been looked at.
  /// - Throws: The error with which the apply is refused.
  func begin() throws

  /// Is called when all patches are loaded and none is live: the last moment in which the apply can
  /// be refused.
  /// - Throws: The error with which the apply is refused; ``undo(_:)`` is called then.
  func prepare(_ plan: ApplyPlan) throws

  /// The patches go live next. Adds what those who apply should know to ``ApplyPlan/patches``.
  func commit(_ plan: inout ApplyPlan)

  /// Is called if nothing goes live, also if not all was loaded: takes back what `prepare` has
  /// done.
  func undo(_ plan: ApplyPlan)
}

extension ApplyParticipant {
  package var raisesFloors: Bool { true }
}
