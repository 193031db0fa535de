// SPDX-License-Identifier: MIT

import WaxwingOperations
import WaxwingPatches

/// The state of the store and of this run of the program. Unchecked: only for the thread that is in
/// an operation of the engine.
final class KeptState: @unchecked Sendable {
  /// A kept patch that was not started.
  struct Skipped {
    let patch: KeptPatch
    let reason: String
  }

  /// The store; nil if there is none, or it cannot be used.
  var store: PatchStore?
  /// The reason why the store cannot be used.
  var failure: StoreError?
  /// Why nothing was started.
  var disabled: String?
  /// The record of this run, once it is written.
  var record: BootRecord?
  var isCrashLoop = false
  var hasBooted = false
  /// Whether an open breaker keeps the run from counting as one that stays up.
  var isUnhealthy = false
  /// The reason why it is not known which serial numbers were applied here.
  var floorTrouble: String?
  var skipped: [Skipped] = []

  func isKept(_ hash: ContentHash) -> Bool {
    store?.state.active.contains { $0.hash == hash } ?? false
  }
}
