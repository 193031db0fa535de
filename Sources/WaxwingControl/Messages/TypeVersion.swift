// SPDX-License-Identifier: MIT

/// How many live patches change a type or module.
package struct TypeVersion: Hashable, Sendable, Codable {
  /// The name of the type, such as `Bank.Account`.
  package let type: String

  /// The class version: 0 is the program's own.
  package let version: Int

  /// The patches, oldest first.
  package let patches: [String]

  /// Creates a version.
  package init(type: String, version: Int, patches: [String]) {
    self.type = type
    self.version = version
    self.patches = patches
  }
}
