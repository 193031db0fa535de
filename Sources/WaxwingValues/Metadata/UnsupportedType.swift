// SPDX-License-Identifier: MIT

/// A Swift type whose values cannot cross.
package struct UnsupportedType: Error, CustomStringConvertible {
  package let typeName: String
  package let reason: String

  package init(_ type: any Any.Type, because reason: String) {
    typeName = TypeName.short(type)
    self.reason = reason
  }

  package var description: String { "\(typeName): \(reason)" }
}
