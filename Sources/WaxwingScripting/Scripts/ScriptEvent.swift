// SPDX-License-Identifier: MIT

/// A turn in the life of a patch at which functions of its script are called.
package enum ScriptEvent: String, CaseIterable, Sendable {
  /// All is prepared, and nothing is live. A function that fails refuses the patch.
  case starting
  /// The overrides are live.
  case started
  /// The overrides are to be switched off.
  case ending
  /// No call is in the script any more, and none will be.
  case ended
  /// A message from outside has come, of which a function may say that it takes it.
  case message
}
