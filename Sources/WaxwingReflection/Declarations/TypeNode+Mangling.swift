// SPDX-License-Identifier: MIT

extension TypeNode {
  /// The type as `_typeByName` takes it, without a prefix.
  ///
  /// Types with generic parameters in them have a name but no metadata that it could find.
  package var mangled: String { TypeMangler.mangled(self) }

  /// Reads a mangled type without a prefix, such as `SaySiG`; nil if it cannot be parsed, as with the
  /// symbolic references in a program's own metadata.
  package init?(mangled: String) {
    var demangler = Demangler(mangled.utf8)
    guard let type = demangler.type() else { return nil }
    self = type
  }
}
