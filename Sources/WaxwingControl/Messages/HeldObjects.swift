// SPDX-License-Identifier: MIT

/// What one patch's Lua code holds of its program.
package struct HeldObjects: Hashable, Sendable, Codable {
  /// The patch.
  package let patch: String

  /// Objects by class.
  package let objects: [String: Int]

  /// Copies of structs and enums by type.
  package let values: [String: Int]

  /// Swift errors.
  package let errors: Int

  /// Bytes that its Lua state holds.
  let memory: Int

  /// Creates a count.
  package init(
    patch: String, objects: [String: Int], values: [String: Int], errors: Int, memory: Int
  ) {
    self.patch = patch
    self.objects = objects
    self.values = values
    self.errors = errors
    self.memory = memory
  }
}
