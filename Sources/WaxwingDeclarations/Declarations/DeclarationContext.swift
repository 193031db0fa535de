// SPDX-License-Identifier: MIT

/// The context in which a declaration is declared.
package indirect enum DeclarationContext: Hashable, Sendable {
  /// The top level of a module.
  case module(String)
  /// A type.
  case type(NominalType)
  /// An extension: of a type, in a module, under conditions.
  case `extension`(of: NominalType, module: String, conditions: GenericSignature?)
  /// A function, closure or accessor; generic arguments if a type within it is bound.
  case declaration(FunctionDeclaration, arguments: [TypeNode])

  /// The module whose source has the declaration: the extension's where it is in one.
  var module: String? {
    switch self {
    case .module(let name): name
    case .type(let type): type.context.module
    case .extension(_, let module, _): module
    case .declaration(let declaration, _): declaration.context.module
    }
  }

  /// The type that the declaration is a member of, nil at top level and inside functions.
  package var memberOf: NominalType? {
    switch self {
    case .type(let type), .extension(let type, _, _): type
    case .module, .declaration: nil
    }
  }

  /// The context without generic arguments.
  var unbound: DeclarationContext {
    switch self {
    case .module: self
    case .type(let type): .type(type.unbound)
    case .extension(let type, let module, let conditions):
      .extension(of: type.unbound, module: module, conditions: conditions)
    case .declaration(let declaration, _): .declaration(declaration, arguments: [])
    }
  }
}
