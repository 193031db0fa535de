// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// How large the store's parts may be.
enum StoreSizes {
  /// The size of the state document, and of a file that is read as one.
  static let document = 1 << 20
  /// Bytes of a patch's file: its files, its signature, and their names.
  static let blob = PatchSizes.bundle
  /// Bytes of the boot record, which is overwritten in place.
  static let boot = 512
  /// Strikes and quarantined patches that are remembered, the newest.
  static let history = 64
}
