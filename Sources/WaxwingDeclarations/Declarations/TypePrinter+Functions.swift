// SPDX-License-Identifier: MIT

extension TypePrinter {
  /// A function type, or with labels the signature of a declaration.
  mutating func write(_ type: FunctionType, labels: [String?]) {
    writeAttributes(of: type)
    writeParameters(type.parameters, labels: labels)
    if type.isAsync { text += " async" }
    if type.isThrowing { text += " throws" }
    if let thrown = type.thrownType {
      text += "("
      write(thrown)
      text += ")"
    }
    text += " -> "
    if type.hasSendingResult { text += "sending " }
    write(type.result)
  }

  private mutating func writeAttributes(of type: FunctionType) {
    switch type.representation {
    case .escaping, .nonescaping, .uncurried: break
    case .autoclosure: text += "@autoclosure "
    case .escapingAutoclosure: text += isQualified ? "@autoclosure " : "@autoclosure @escaping "
    case .thin: text += "@convention(thin) "
    case .cFunction: text += "@convention(c) "
    case .block: text += "@convention(block) "
    case .escapingBlock: text += "@escaping @convention(block) "
    }
    switch type.isolation {
    case .any: text += "@isolated(any) "
    case .globalActor(let actor):
      text += "@"
      write(actor)
      text += " "
    case .caller, nil: break
    }
    writeDifferentiability(of: type)
    if type.isolation == .caller { text += "nonisolated(nonsending) " }
    if type.isSendable { text += "@Sendable " }
  }

  private mutating func writeDifferentiability(of type: FunctionType) {
    switch type.differentiability.map(Unicode.Scalar.init) {
    case "f": text += "@differentiable(_forward) "
    case "r": text += "@differentiable(reverse) "
    case "l": text += "@differentiable(_linear) "
    case "d": text += "@differentiable "
    default: break
    }
  }

  /// A list in parentheses; labels, where there are any, stand for every element.
  mutating func writeParameters(_ elements: [TupleElement], labels: [String?]) {
    let isLabelled = labels.contains { $0 != nil }
    text += "("
    for (index, element) in elements.enumerated() {
      if index > 0 { text += ", " }
      if isLabelled {
        let label = labels.indices.contains(index) ? labels[index] : nil
        text += (label ?? "_") + ": "
      } else if let label = element.label {
        text += label + ": "
      }
      write(element.type)
      if element.isVariadic { text += "..." }
    }
    text += ")"
  }
}
