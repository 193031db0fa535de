// SPDX-License-Identifier: MIT

/// The facts about the stored properties of classes and structs and the cases of enums that are
/// missing at run time, because a program is built with less reflection metadata than usual.
package enum MissingMetadata {
  /// The names are missing.
  case names
  /// All metadata is missing.
  case everything

  /// Creates the value; nil if nothing of the type, and of the types that it inherits from, is
  /// missing.
  package init?(_ type: any Any.Type) {
    var current: (any Any.Type)? = type
    while let type = current {
      if !TypeMetadata.isReflected(type) {
        self = .everything
        return
      }
      if FieldRecords.of(type).contains(where: { $0.name == nil }) {
        self = .names
        return
      }
      current = TypeMetadata.superclass(of: type)
    }
    return nil
  }

  /// The reason, and the remedy.
  package var description: String {
    switch self {
    case .names:
      "the program is built without the names of stored properties and cases; build it without "
        + "`-disable-reflection-names`"
    case .everything:
      "the program is built without reflection metadata; build it without "
        + "`-disable-reflection-metadata` and `-reflection-metadata-for-debugger-only`"
    }
  }
}
