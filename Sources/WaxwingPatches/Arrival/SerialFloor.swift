// SPDX-License-Identifier: MIT

/// The highest serial number that a key has signed for a program and that was applied there. No older
/// patch of that key is let in again.
package struct SerialFloor: Hashable, Sendable {
  /// The program that was patched.
  package let program: String

  /// The key, as ``Signer/key`` names it. A new key begins anew.
  package let key: String

  /// The lowest serial number that is accepted.
  package let serial: Int

  /// Creates a floor.
  package init(program: String, key: String, serial: Int) {
    self.program = program
    self.key = key
    self.serial = serial
  }
}
