// SPDX-License-Identifier: MIT

/// A named type with the path to it.
package struct NominalType: Hashable, Sendable {
  /// How the type was declared. Actors are classes.
  package enum Kind: Hashable, Sendable {
    /// `class` or `actor`.
    case `class`
    /// `struct`.
    case `struct`
    /// `enum`.
    case `enum`
    /// `protocol`.
    case `protocol`
    /// `typealias`.
    case `typealias`
    /// A type imported from another language that is none of these.
    case other
  }

  /// How the type was declared.
  package let kind: Kind
  /// The type's name.
  package let name: DeclarationName
  /// What the type is declared in; carries the generic arguments of enclosing types.
  package let context: DeclarationContext
  /// The type's own generic arguments, empty if it is not generic or not bound.
  package let arguments: [TypeNode]

  /// The type without generic arguments, neither its own nor its enclosing types'.
  package var unbound: NominalType {
    NominalType(kind: kind, name: name, context: context.unbound, arguments: [])
  }

  /// The module that declares the type.
  package var module: String? { context.module }
}

extension NominalType {
  /// A type of the standard library.
  static func standard(_ kind: Kind, _ name: String, arguments: [TypeNode] = []) -> NominalType {
    NominalType(
      kind: kind, name: DeclarationName(name), context: .module("Swift"), arguments: arguments)
  }
}
