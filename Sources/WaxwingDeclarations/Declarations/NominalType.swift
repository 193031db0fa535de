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
  /// The name of the type.
  package let name: DeclarationName
  /// The declaration that the type is declared in; carries the generic arguments of enclosing
  /// types.
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

extension NominalType {
  /// Reads the mangled name of a type whose module and names are all spelled out: what most types have,
  /// and what takes no demangler. nil for all others.
  package init?(spelledOut name: Substring) {
    var rest = name.utf8
    guard let module = Self.identifier(&rest), !rest.isEmpty else { return nil }
    var context = DeclarationContext.module(module)
    while true {
      guard let name = Self.identifier(&rest), let kind = Self.kind(rest.popFirst()) else {
        return nil
      }
      let type = NominalType(
        kind: kind, name: DeclarationName(name), context: context, arguments: [])
      if rest.isEmpty {
        self = type
        return
      }
      context = .type(type)
    }
  }

  private static func kind(_ letter: UInt8?) -> Kind? {
    switch letter {
    case UInt8(ascii: "C"): .class
    case UInt8(ascii: "V"): .struct
    case UInt8(ascii: "O"): .enum
    default: nil
    }
  }

  /// Reads an identifier that repeats no words.
  private static func identifier(_ rest: inout Substring.UTF8View) -> String? {
    guard rest.first != UInt8(ascii: "0") else { return nil }
    var count = 0
    while let digit = rest.first, (0x30...0x39).contains(digit), count < rest.count {
      count = count * 10 + Int(digit - 0x30)
      rest.removeFirst()
    }
    guard count > 0, count <= rest.count else { return nil }
    let name = rest.prefix(count)
    rest = rest.dropFirst(count)
    return String(name)
  }
}
