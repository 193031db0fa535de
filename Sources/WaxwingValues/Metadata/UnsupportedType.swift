// SPDX-License-Identifier: MIT

/// A Swift type whose values cannot cross.
package struct UnsupportedType: Error, CustomStringConvertible {
  private let type: any Any.Type
  package let reason: String

  package init(_ type: any Any.Type, because reason: String) {
    self.type = type
    self.reason = reason
  }

  package var typeName: String { TypeName.short(type) }

  package var description: String { "\(typeName): \(reason)" }
}
