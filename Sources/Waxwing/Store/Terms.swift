// SPDX-License-Identifier: MIT

import WaxwingPatches

extension Engine {
  /// For how long patches are applied.
  struct Terms {
    /// The patches' detached signatures, in their order; empty: they have none.
    var signatures: [PatchFile?] = []
    /// Whether they are live again after a restart.
    var keeps = false
    /// After how many seconds they end by themselves, unless they are confirmed.
    var trialSeconds: Double?

    func signature(_ index: Int) -> PatchFile? {
      index < signatures.count ? signatures[index] : nil
    }
  }
}
