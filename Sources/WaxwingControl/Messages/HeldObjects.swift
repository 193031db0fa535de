// SPDX-License-Identifier: MIT

/// The objects and values of the program that one patch's Lua code holds.
package struct HeldObjects: Hashable, Sendable, Codable {
  /// The name of the patch.
  package let patch: String

  /// The number of objects by class.
  package let objects: [String: Int]

  /// Copies of structs and enums by type.
  package let values: [String: Int]

  /// The number of Swift errors.
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
