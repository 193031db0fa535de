// SPDX-License-Identifier: MIT

/// The parts of a declaration's official text.
struct EntityShape {
  /// How the type follows the name.
  enum TypeStyle: Hashable {
    /// The type is not printed.
    case none
    /// The type is printed after a colon.
    case colon
    /// The type is printed at once, as the parameters of a function.
    case function
  }

  var context: DeclarationContext
  var name: DeclarationName?
  /// The word in place of the name, such as `subscript`.
  var word = ""
  /// The word after the name, such as `getter`.
  var suffix = ""
  var typeStyle = TypeStyle.none
  var declaration: FunctionDeclaration?
  var arguments: [TypeNode] = []
  /// The word before a context that is written after the name.
  var preposition = " in "

  init(_ type: NominalType) {
    context = type.context
    name = type.name
  }

  init(_ declaration: FunctionDeclaration, arguments: [TypeNode] = []) {
    context = declaration.context
    self.declaration = declaration
    self.arguments = arguments
    name = declaration.name
    word = declaration.kind.isSubscript ? "subscript" : ""
    (suffix, typeStyle) = Self.suffix(of: declaration)
    switch declaration.kind {
    case .defaultArgument, .propertyInitializer, .wrapperInitializer, .projectionInitializer,
      .wrapperFieldInitializer:
      preposition = " of "
    default: break
    }
  }

  private static func suffix(of declaration: FunctionDeclaration) -> (String, TypeStyle) {
    let isClass = declaration.context.memberOf?.kind == .class && !declaration.isInExtension
    return switch declaration.kind {
    case .function, .operatorFunction, .subscript: ("", .function)
    case .property: ("", .colon)
    case .getter, .subscriptGetter: ("getter", .colon)
    case .setter, .subscriptSetter: ("setter", .colon)
    case .accessor(.globalGetter), .subscriptAccessor(.globalGetter): ("getter", .colon)
    case .accessor(let accessor), .subscriptAccessor(let accessor): (accessor.rawValue, .colon)
    case .allocatingInitializer: (isClass ? "__allocating_init" : "init", .function)
    case .initializer: ("init", .function)
    case .deinitializer: ("deinit", .none)
    case .deallocatingDeinitializer: (isClass ? "__deallocating_deinit" : "deinit", .none)
    case .isolatedDeinitializer: (isClass ? "__isolated_deallocating_deinit" : "deinit", .none)
    case .closure(let index): ("closure #\(index + 1)", .function)
    case .implicitClosure(let index): ("implicit closure #\(index + 1)", .function)
    case .defaultArgument(let index): ("default argument \(index)", .none)
    case .propertyInitializer: ("variable initialization expression", .none)
    case .wrapperInitializer: ("property wrapper backing initializer", .none)
    case .projectionInitializer: ("property wrapper init from projected value", .none)
    case .wrapperFieldInitializer: ("property wrapped field init accessor", .none)
    case .fieldInitializer: ("__ivar_initializer", .none)
    case .fieldDestroyer: ("__ivar_destroyer", .none)
    }
  }

  /// Whether the context comes after the name: `closure #1 in f()`.
  var hasContextLast: Bool { suffix.contains(" ") || name?.localIndex != nil }
}

extension FunctionDeclaration {
  var isInExtension: Bool {
    if case .extension = context { true } else { false }
  }
}
