// SPDX-License-Identifier: MIT

import WaxwingDeclarations

extension DeclarationKind {
  /// Why functions of this kind can be neither called nor overridden, whatever their types are; nil: they can.
  var refusal: String? {
    switch self {
    case .function, .operatorFunction, .getter, .setter, .subscriptGetter, .subscriptSetter,
      .initializer, .allocatingInitializer, .accessor(.willSet), .accessor(.didSet),
      .deallocatingDeinitializer:
      nil
    case .accessor(let accessor), .subscriptAccessor(let accessor):
      Self.refusal(of: accessor, remedy: "override the getter or the setter")
    case .wrapperFieldInitializer:
      "the compiler made it, to give a wrapped property its first value: override the initializer that "
        + "assigns the property"
    default: "only functions, initializers, getters, setters and observers can be overridden"
    }
  }

  /// The reason why a function cannot be overridden whose property has neither a getter nor a
  /// setter that can be; nil if it can be.
  var refusalWithoutGetter: String? {
    switch self {
    case .accessor(.willSet), .accessor(.didSet): nil
    case .accessor(let accessor), .subscriptAccessor(let accessor):
      Self.refusal(
        of: accessor,
        remedy:
          "there is no getter or setter to override; override the functions that use it, or write it with "
          + "`get` and `set`")
    default: refusal
    }
  }

  private static func refusal(of accessor: Accessor, remedy: String) -> String {
    "`\(accessor)` is a coroutine or an addressor, not a function that returns: \(remedy)"
  }
}

/// Functions that Swift code puts in the place of others.
enum DynamicReplacement {
  /// Why they cannot be overridden themselves.
  static let refusal =
    "it is a `@_dynamicReplacement`, and calls of it look at no replacement entry: override the function "
    + "that it replaces, whose original it then is"
}
