// SPDX-License-Identifier: MIT

/// The parts of a declaration that tell it apart from others of its name, as text.
extension FunctionDeclaration {
  /// The declared parameters, indices but not the new value of a setter, with their types as the
  /// official demangler writes them, `inout` and the like included; nil: there is no list of them.
  package var spelledParameters: [(label: String?, type: String)]? {
    guard hasParameterList else { return nil }
    return (interfaceType?.function?.parameters ?? []).enumerated().map { index, element in
      let label = labels.indices.contains(index) ? labels[index] : nil
      return (label, element.type.description + (element.isVariadic ? "..." : ""))
    }
  }

  /// Whether parentheses follow the name.
  private var hasParameterList: Bool {
    switch kind {
    case .function, .operatorFunction, .allocatingInitializer, .initializer, .subscriptGetter,
      .subscriptSetter, .subscriptAccessor, .subscript:
      true
    default: false
    }
  }

  /// The result of a call; for a property or subscript, its value.
  package var spelledResult: String {
    let type = interfaceType?.function.map(\.result)
    return ((kind.isAccessor || kind == .property) && !kind.isSubscript ? interfaceType : type)?
      .description ?? TypeNode.void.description
  }

  /// The requirements on generic parameters: by the extension, then by the declaration itself.
  package var spelledConditions: [String] {
    let signatures = [extensionConditions, genericSignature].compactMap(\.self)
    return signatures.flatMap(\.conditions).map { condition in
      var printer = TypePrinter(style: .qualified)
      printer.write(condition)
      return printer.text
    }
  }
}
