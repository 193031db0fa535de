// SPDX-License-Identifier: MIT

/// A function as its symbol declares it: its context, its name, its parameters and its result.
package struct FunctionDeclaration: Hashable, Sendable {
  /// The kind of the declaration.
  package var kind: DeclarationKind
  /// The context in which the declaration is declared.
  package var context: DeclarationContext
  /// The name; its text is empty for initializers, subscripts and other declarations without a
  /// name.
  package var name: DeclarationName
  /// The argument labels, nil for `_`; a subscript's for its accessors.
  package var labels: [String?]
  /// The type as the symbol has it: a property's own for its accessors, nil for `deinit`.
  package var interfaceType: TypeNode?
  /// The generic parameters that the declaration adds to or requires of its context.
  package var genericSignature: GenericSignature?
  /// Whether the declaration is `static` or `class`.
  package var isStatic = false
  /// Whether a `didSet` takes no old value. The compiler omits the parameter if nothing uses it,
  /// and the symbol does not tell.
  package var ignoresOldValue = false
}

extension FunctionDeclaration {
  /// Reads the declaration that a symbol names, `$s…` or `_$s…`.
  ///
  /// Answers nil for what is not a plain function: thunks, witnesses, metadata, and what cannot be
  /// parsed. Hostile names are safe; time and memory are bounded by the name's length.
  package init?(symbol: String) {
    guard let symbol = SwiftSymbol(symbol), symbol.variants.isEmpty else { return nil }
    self = symbol.declaration
  }

  /// The module whose source has the declaration: the extension's where it is in one.
  package var module: String { context.module ?? "" }

  /// The type that the declaration is a member of, nil for free and local functions.
  package var contextType: TypeNode? { context.memberOf.map(TypeNode.nominal) }

  /// The module of the extension that has the declaration, nil outside extensions.
  package var extensionModule: String? {
    if case .extension(_, let module, _) = context { module } else { nil }
  }

  /// The conditions of the extension that has the declaration.
  package var extensionConditions: GenericSignature? {
    if case .extension(_, _, let conditions) = context { conditions } else { nil }
  }

  /// The name without labels: `deposit`, `init`, `subscript`, `deinit`, `+`.
  package var baseName: String {
    switch kind {
    case .allocatingInitializer, .initializer: "init"
    case .deinitializer, .deallocatingDeinitializer, .isolatedDeinitializer: "deinit"
    case .closure(let index): "closure #\(index + 1)"
    case .implicitClosure(let index): "implicit closure #\(index + 1)"
    case .defaultArgument(let index): "default argument \(index)"
    default: kind.isSubscript ? "subscript" : name.plainText
    }
  }

  /// The property that it belongs to, where the compiler has made it for one.
  package var property: FunctionDeclaration? {
    guard case .declaration(let outer, _) = context, outer.kind == .property else { return nil }
    return outer
  }

  /// The mark of a declaration that is private to a file.
  package var privateDiscriminator: String? { name.privateDiscriminator }
}
