// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether properties that can change are read to show them, if a client asks for them. Only the
/// thread that has their lock, or is on their actor, reads them safely.
package enum FieldVisibility {
  private static let areHidden = Atomic(false)

  /// Sets the policy.
  package static func use(areHidden: Bool) { self.areHidden.store(areHidden, ordering: .relaxed) }

  /// Why they are not shown; nil: they are.
  package static var refusal: String? {
    areHidden.load(ordering: .relaxed)
      ? "the program's policy hides properties that can change" : nil
  }

  /// The remedy for the refusal.
  package static let remedy =
    "the operator's file can allow it with `fields = allow`; what does not change is shown without"
}
