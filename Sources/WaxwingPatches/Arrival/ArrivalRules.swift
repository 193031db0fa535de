// SPDX-License-Identifier: MIT

import WaxwingSystem

/// The reasons to refuse a patch that arrives: it has expired, is older than its key's last one, or
/// far ahead of it.
package struct ArrivalRules: Hashable, Sendable {
  /// How far above the floor a serial number may be. A number near the end of all numbers would shut
  /// out every later patch of the key.
  var serialJump: Int

  /// Creates rules.
  package init(serialJump: Int) { self.serialJump = serialJump }

  /// Refuses a patch that has expired.
  package static func checkExpiry(
    of manifest: PatchManifest, in file: String, at time: TrustedTime
  ) throws(PatchError) {
    guard let expires = manifest.expires, time.seconds >= expires else { return }
    throw PatchError(
      .policy, file: file,
      message:
        "the patch expired \(UTCDate.text(expires)); it is \(UTCDate.text(time.seconds)) now",
      remedy: "have a newer version signed, with a later `expires`")
  }

  /// Refuses a serial number below the floor, or too far above it.
  /// - Returns: The floor that the patch makes.
  package func floor(
    of manifest: PatchManifest, in file: String, signer: Signer, program: String,
    _ floors: any RollbackProtection
  ) throws(PatchError) -> SerialFloor? {
    guard let serial = manifest.serial else { return nil }
    let floor = try floors.floor(program: program, key: signer.key)?.serial ?? 0
    guard serial >= floor else {
      throw PatchError(
        .policy, file: file,
        message: "its serial \(serial) is below \(floor), the last that \(signer.identity) has "
          + "signed for `\(program)` with this key",
        remedy: "if you still want it, sign it again with a serial of \(floor + 1) or more")
    }
    guard serial - floor <= serialJump else {
      throw PatchError(
        .policy, file: file,
        message:
          "its serial \(serial) is more than \(serialJump) above \(floor), the last of this key",
        remedy: "continue from \(floor); if a key has used up its numbers, replace the key")
    }
    return SerialFloor(program: program, key: signer.key, serial: serial)
  }
}
