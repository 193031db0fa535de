// SPDX-License-Identifier: MIT

extension FunctionDeclaration {
  /// The Swift name with labels: `deposit(_:memo:)`, `init(owner:)`, `title`, `subscript(_:)`.
  package var selector: String {
    switch kind {
    case .function, .operatorFunction, .allocatingInitializer, .initializer, .subscriptGetter,
      .subscriptSetter, .subscriptAccessor, .subscript:
      baseName + "(" + selectorLabels.map { ($0 ?? "_") + ":" }.joined() + ")"
    case .closure, .implicitClosure:
      enclosing.map { "\(baseName) in \(($0.initializedVariable ?? $0).selector)" } ?? baseName
    default: baseName
    }
  }

  /// The function, closure or accessor in which the declaration stands; nil if it is local to none.
  package var enclosing: FunctionDeclaration? {
    if case .declaration(let declaration, _) = context { declaration } else { nil }
  }

  /// The function that a closure stands in, in whatever closures of it; of one that gives a variable its first value, as in
  /// `var now = { Date() }`, the variable.
  package var function: FunctionDeclaration {
    switch kind {
    case .closure, .implicitClosure: enclosing?.initializedVariable ?? enclosing?.function ?? self
    default: self
    }
  }

  /// The variable or property that this gives its first value; nil: it is no function that does so.
  private var initializedVariable: FunctionDeclaration? {
    switch kind {
    case .propertyInitializer, .wrapperInitializer, .wrapperFieldInitializer: enclosing
    default: nil
    }
  }

  /// The labels of the declared parameters, including indices but not the new value of a setter.
  private var selectorLabels: [String?] {
    let count = interfaceType?.function?.parameters.count ?? 0
    return (0..<count).map { labels.indices.contains($0) ? labels[$0] : nil }
  }

  /// The type that the declaration, or the function that a closure stands in, is a member of, with its module:
  /// `Bank.Account`; nil if none.
  package var typeName: String? { function.context.memberOf?.qualifiedName }

  /// The selector with its type, or its module: `Bank.Account.deposit(_:memo:)`, `Bank.audit()`.
  package var qualifiedName: String {
    let prefix = typeName ?? module
    return prefix.isEmpty ? selector : prefix + "." + selector
  }

  /// The whole declaration as the runtime's `swift_demangle` writes it, without `?` and `[]`.
  var runtimeDescription: String {
    var printer = TypePrinter(style: .unsugared)
    _ = printer.write(.declaration(self, arguments: []), isPrefix: false)
    return printer.text
  }
}
