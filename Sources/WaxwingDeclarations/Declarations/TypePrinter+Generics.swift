// SPDX-License-Identifier: MIT

extension TypePrinter {
  /// Writes the parameters by depth, then their requirements.
  mutating func write(_ signature: GenericSignature) {
    text += "<"
    for (depth, count) in signature.parameterCounts.enumerated() {
      if depth > 0 { text += "><" }
      writeList(Array(0..<count)) { $0.writeParameter(depth: depth, index: $1, of: signature) }
    }
    writeConditions(of: signature)
    text += ">"
  }

  mutating func writeConditions(of signature: GenericSignature) {
    let conditions = signature.conditions
    guard !conditions.isEmpty else { return }
    text += " where "
    writeList(conditions) { $0.write($1) }
  }

  private mutating func writeParameter(
    depth: Int, index: Int, of signature: GenericSignature
  ) {
    if signature.isPack(depth: depth, index: index) { text += "each " }
    let value = signature.valueType(depth: depth, index: index)
    if value != nil { text += "let " }
    text += Self.parameterName(depth: depth, index: index)
    if let value {
      text += ": "
      write(value)
    }
  }

  mutating func write(_ requirement: GenericRequirement) {
    switch requirement {
    case .conformance(let subject, let bound), .superclass(let subject, let bound):
      write(subject)
      text += ": "
      writeInside(bound)
    case .sameType(let first, let second):
      write(first)
      text += " == "
      write(second)
    case .sameShape(let first, let second):
      write(first)
      text += ".shape == "
      write(second)
      text += ".shape"
    case .layout(let subject, let constraint):
      write(subject)
      text += ": "
      write(constraint)
    case .inverse(let subject, let bit):
      write(subject)
      text += ": ~" + (isQualified ? "Swift." : "") + Self.invertibleProtocol(bit)
    case .pack(let subject): write(subject)
    case .value(let subject, _): write(subject)
    }
  }

  private mutating func write(_ constraint: LayoutConstraint) {
    text += constraint.name
    guard let size = constraint.size else { return }
    text += "(\(size)"
    if let alignment = constraint.alignment { text += ", \(alignment)" }
    text += ")"
  }

  private static func invertibleProtocol(_ bit: Int) -> String {
    switch bit {
    case 0: "Copyable"
    case 1: "Escapable"
    default: "<bit \(bit)>"
    }
  }
}
