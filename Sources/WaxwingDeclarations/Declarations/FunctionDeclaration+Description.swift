// SPDX-License-Identifier: MIT

extension FunctionDeclaration: CustomStringConvertible {
  /// The declaration as in source, without its type: `func deposit(_: Int, memo: String) throws ->
  /// Int`.
  package var description: String {
    let prefix = isStatic ? "static " : ""
    return switch kind {
    case .function, .operatorFunction:
      prefix + "func " + signatureText(name.sourceText, arrow: true)
    case .allocatingInitializer, .initializer: signatureText(initializerName, arrow: false)
    case .getter: prefix + "var \(name.sourceText): \(short(result)) { get }"
    case .setter: prefix + "var \(name.sourceText): \(short(interfaceType ?? .void)) { set }"
    case .property: prefix + "var \(name.sourceText): \(short(result))"
    case .accessor(let accessor):
      prefix + "var \(name.sourceText): \(short(interfaceType ?? .void)) { \(accessor) }"
    case .subscriptGetter: prefix + signatureText("subscript", arrow: true) + " { get }"
    case .subscriptSetter: prefix + signatureText("subscript", arrow: true) + " { set }"
    case .subscript: prefix + signatureText("subscript", arrow: true)
    case .subscriptAccessor(let accessor):
      prefix + signatureText("subscript", arrow: true) + " { \(accessor) }"
    case .wrapperFieldInitializer: "first value of " + (property?.description ?? "")
    default: baseName
    }
  }

  /// The type as in source: `(Request, Context) async throws -> String`.
  package var typeText: String { short(interfaceType ?? .void) }

  private var initializerName: String {
    guard case .nominal? = contextType, interfaceType?.function?.result.optionalPayload != nil
    else { return "init" }
    return "init?"
  }

  private func short(_ type: TypeNode) -> String { type.shortDescription(in: module) }

  private func signatureText(_ name: String, arrow: Bool) -> String {
    var text = name
    if let own = ownParameters { text += own }
    text += "(" + declaredText + ")"
    if isAsync { text += " async" }
    if isThrowing { text += " throws" }
    if let thrownType { text += "(" + short(thrownType) + ")" }
    let result = interfaceType?.function?.result ?? .void
    if arrow, result != .void { text += " -> " + short(result) }
    return text + conditionText
  }

  private var declaredText: String {
    let elements = interfaceType?.function?.parameters ?? []
    return elements.enumerated().map { index, element in
      let label = labels.indices.contains(index) ? labels[index] : nil
      let parameter = FunctionParameter(label: label, element)
      let isKept = parameter.type.function?.representation == .escaping
      let type = short(element.type) + (element.isVariadic ? "..." : "")
      return (label ?? "_") + ": " + (isKept && !element.isVariadic ? "@escaping " : "") + type
    }.joined(separator: ", ")
  }

  /// The generic parameters that the declaration adds to those of its context. A symbol counts only
  /// them, so their depth shows only in the types.
  private var ownParameters: String? {
    guard let interfaceType, let counts = genericSignature?.parameterCounts,
      counts.contains(where: { $0 > 0 })
    else { return nil }
    let first = max(interfaceType.deepestParameter - counts.count + 1, 0)
    let names = counts.enumerated().flatMap { level, count in
      (0..<count).map { index in
        let isPack = genericSignature?.isPack(depth: first + level, index: index) == true
        return (isPack ? "each " : "")
          + TypePrinter.parameterName(depth: first + level, index: index)
      }
    }
    return "<" + names.joined(separator: ", ") + ">"
  }

  private var conditionText: String {
    guard let genericSignature else { return "" }
    var printer = TypePrinter(style: .short(module: module))
    printer.writeConditions(of: genericSignature)
    return printer.text
  }
}
