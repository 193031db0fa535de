// SPDX-License-Identifier: MIT

extension TypeMangler {
  mutating func append(_ signature: GenericSignature) {
    for requirement in signature.requirements { append(requirement) }
    if signature.parameterCounts == [1] {
      output += "l"
    } else {
      output += "r"
      for count in signature.parameterCounts {
        output += count == 0 ? "z" : Self.index(count - 1)
      }
      output += "l"
    }
  }

  /// Appends a requirement: the required type, then the subject as a type of its own, then the
  /// operator for that order.
  mutating func append(_ requirement: GenericRequirement) {
    switch requirement {
    case .conformance(let subject, let bound):
      append(bound)
      append(subject, suffix: "RQ")
    case .superclass(let subject, let bound):
      append(bound)
      append(subject, suffix: "RB")
    // As symbols have it. The runtime must not be asked for it: it looks for `Self` among parameters that are not there.
    case .sameType(
      .dependentMember(.constrainedExistentialSelf, let name, let declaring?), let other)
    where abbreviations != nil:
      append(other)
      append(identifier: name)
      append(declaring)
      output += "Rts"
    case .sameType(let subject, let other):
      append(other)
      append(subject, suffix: "RS")
    case .sameShape(let subject, let other):
      append(other)
      output += "Rh" + Self.requirementIndex(of: subject)
    case .layout(let subject, let constraint):
      append(subject, suffix: "RL" + Self.code(of: constraint))
    case .inverse(let subject, let bit): append(subject, suffix: "RI" + Self.index(bit))
    case .pack(let subject): output += "Rv" + Self.requirementIndex(of: subject)
    case .value(let subject, let type):
      append(type)
      output += "RV" + Self.requirementIndex(of: subject)
    }
  }

  private static func requirementIndex(of subject: TypeNode) -> String {
    guard case .genericParameter(let depth, let index) = subject else { return "z" }
    if depth > 0 { return "d" + self.index(depth - 1) + self.index(index) }
    return index == 0 ? "z" : self.index(index - 1)
  }

  private static func code(of constraint: LayoutConstraint) -> String {
    String(Character(Unicode.Scalar(constraint.code)))
      + [constraint.size, constraint.alignment].compactMap { $0.map(index) }.joined()
  }

  /// A declaration that has types or opaque results within it.
  mutating func append(_ declaration: FunctionDeclaration) {
    append(declaration.context)
    appendNameAndType(of: declaration)
    switch declaration.kind {
    case .function, .operatorFunction: output += "F"
    case .allocatingInitializer: output += "fC"
    case .initializer: output += "fc"
    case .closure(let index): output += "fU" + Self.index(index)
    case .implicitClosure(let index): output += "fu" + Self.index(index)
    case .defaultArgument(let index): output += "fA" + Self.index(index)
    case let kind: output += Self.codes[kind] ?? "fi"
    }
    if declaration.isStatic { output += "Z" }
  }

  private mutating func appendNameAndType(of declaration: FunctionDeclaration) {
    let isNamedFirst = !declaration.name.text.isEmpty
    if isNamedFirst { append(declaration.name) }
    guard let type = declaration.interfaceType else { return }
    append(labelsOf: declaration, type: type)
    switch declaration.kind {
    case .function, .operatorFunction:
      // The operator `F` takes the place of the function type's own.
      append(type)
      output.removeLast()
      if let signature = declaration.genericSignature { append(signature) }
    default:
      append(type)
      if let signature = declaration.genericSignature {
        append(signature)
        output += "u"
      }
    }
    if !isNamedFirst { append(declaration.name) }
  }

  private mutating func append(labelsOf declaration: FunctionDeclaration, type: TypeNode) {
    guard let function = type.function, !function.parameters.isEmpty else { return }
    switch declaration.kind {
    case .closure, .implicitClosure: return
    default: break
    }
    guard declaration.labels.contains(where: { $0 != nil }) else {
      output += "y"
      return
    }
    for label in declaration.labels {
      if let label { append(identifier: label) } else { output += "_" }
    }
  }

  private static let codes: [DeclarationKind: String] = [
    .getter: "vg", .setter: "vs", .property: "vp", .subscriptGetter: "ig",
    .subscriptSetter: "is", .subscript: "ip", .accessor(.read): "vr", .accessor(.modify): "vM",
    .accessor(.read2): "vy", .accessor(.modify2): "vx", .accessor(.willSet): "vw",
    .accessor(.didSet): "vW", .accessor(.initialize): "vi", .subscriptAccessor(.read): "ir",
    .subscriptAccessor(.modify): "iM", .accessor(.unsafeAddressor): "vlu",
    .accessor(.unsafeMutableAddressor): "vau", .subscriptAccessor(.unsafeAddressor): "ilu",
    .subscriptAccessor(.unsafeMutableAddressor): "iau", .deinitializer: "fd",
    .deallocatingDeinitializer: "fD", .isolatedDeinitializer: "fZ", .propertyInitializer: "fi",
    .wrapperInitializer: "fP", .projectionInitializer: "fW",
    .wrapperFieldInitializer: "fF", .fieldInitializer: "fe",
    .fieldDestroyer: "fE",
  ]
}
