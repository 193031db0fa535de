// SPDX-License-Identifier: MIT

extension TypePrinter {
  mutating func write(_ type: NominalType) {
    let node = TypeNode.nominal(type)
    if style != .unsugared, writeSugared(node) { return }
    if !isQualified, type.kind == .protocol { text += "any " }
    writeInside(node)
  }

  private mutating func writeSugared(_ type: TypeNode) -> Bool {
    if let payload = type.optionalPayload {
      writeInParentheses(payload)
      text += "?"
    } else if let element = type.arrayElement {
      text += "["
      write(element)
      text += "]"
    } else if let pair = type.dictionaryPair {
      text += "["
      write(pair.key)
      text += isQualified ? " : " : ": "
      write(pair.value)
      text += "]"
    } else {
      return false
    }
    return true
  }

  /// A type where `any` would be too much: a protocol in a list or a requirement.
  mutating func writeInside(_ type: TypeNode) {
    guard let nominal = type.nominal else { return write(type) }
    _ = write(.init(nominal), isPrefix: false)
    guard !nominal.arguments.isEmpty else { return }
    text += "<"
    writeList(nominal.arguments) { $0.write($1) }
    text += ">"
  }

  mutating func writeInParentheses(_ type: TypeNode) {
    let isSimple = isSimple(type)
    if !isSimple { text += "(" }
    write(type)
    if !isSimple { text += ")" }
  }

  private func isSimple(_ type: TypeNode) -> Bool {
    switch type {
    case .function, .constrainedExistential, .packExpansion, .packElement, .modified, .opaque,
      .opaqueResult:
      return false
    case .composition(let composition):
      if composition.superclass != nil { return false }
      if composition.isClassBound { return composition.protocols.isEmpty }
      return composition.partCount == 0 || (isQualified && composition.partCount == 1)
    case .nominal(let type): return isQualified || type.kind != .protocol
    default: return true
    }
  }

  mutating func write(_ composition: ProtocolComposition) {
    guard composition.partCount > 0 else {
      text += "Any"
      return
    }
    let onlyObject = composition.isClassBound && composition.partCount == 1
    if !isQualified, !onlyObject { text += "any " }
    let superclass = composition.superclass.map { [$0] } ?? []
    writeList(superclass + composition.protocols, separator: " & ") { $0.writeInside($1) }
    guard composition.isClassBound else { return }
    if !onlyObject { text += " & " }
    text += isQualified ? "Swift.AnyObject" : "AnyObject"
  }

  /// Writes the type as in source, `any P<X> & Q`.
  /// - Returns: false if it takes several types, or the protocol to which they belong is not named:
  ///   source has them in an order that no symbol tells.
  mutating func writeConstrained(_ base: TypeNode, _ requirements: [GenericRequirement]) -> Bool {
    guard case .composition(let parts) = base, requirements.count == 1,
      case .sameType(.dependentMember(.constrainedExistentialSelf, _, let owner), let type) =
        requirements[0],
      let index = parts.protocols.count == 1 ? 0 : owner.flatMap(parts.protocols.firstIndex)
    else { return false }
    text += "any "
    let superclass = parts.superclass.map { [$0] } ?? []
    writeList(Array((superclass + parts.protocols).enumerated()), separator: " & ") {
      printer, part in
      printer.writeInside(part.element)
      guard part.offset == superclass.count + index else { return }
      printer.text += "<"
      printer.write(type)
      printer.text += ">"
    }
    if parts.isClassBound { text += " & AnyObject" }
    return true
  }

  mutating func writeMetatype(_ type: TypeNode, _ representation: MetatypeRepresentation?) {
    write(representation)
    writeInParentheses(type)
    switch type {
    case .composition, .existentialMetatype: text += isQualified ? ".Protocol" : ".Type"
    default: text += ".Type"
    }
  }

  mutating func writeExistentialMetatype(
    _ type: TypeNode, _ representation: MetatypeRepresentation?
  ) {
    write(representation)
    write(type)
    text += ".Type"
  }

  private mutating func write(_ representation: MetatypeRepresentation?) {
    if let representation, isQualified { text += representation.rawValue + " " }
  }

  mutating func writeMember(of base: TypeNode, _ name: String, declaring: TypeNode?) {
    write(base)
    text += "."
    if let declaring, isQualified {
      write(declaring)
      text += "."
    }
    text += name
  }

  mutating func write(_ type: BuiltinType) {
    text += "Builtin.\(type.name)"
    guard case .fixedArray(let count, let element) = type else { return }
    text += "<"
    write(count)
    text += ", "
    write(element)
    text += ">"
  }
}
