// SPDX-License-Identifier: MIT

extension TypePrinter {
  /// Writes a context. Answers it if it cannot stand before a name and the caller has to write it
  /// after.
  mutating func write(_ context: DeclarationContext, isPrefix: Bool) -> DeclarationContext? {
    switch context {
    case .module(let name):
      if isShown(module: name) { text += name }
      return nil
    case .type(let type):
      guard type.arguments.isEmpty else {
        write(type)
        return nil
      }
      return write(EntityShape(type), isPrefix: isPrefix) ? context : nil
    case .extension(let type, let module, let conditions):
      if isQualified { text += "(extension in \(module)):" }
      writeInside(.nominal(type))
      if isQualified, let conditions { write(conditions) }
      return nil
    case .declaration(let declaration, let arguments):
      if declaration.isStatic {
        text += "static "
        _ = write(EntityShape(declaration, arguments: arguments), isPrefix: false)
        return nil
      }
      let shape = EntityShape(declaration, arguments: arguments)
      return write(shape, isPrefix: isPrefix) ? context : nil
    }
  }

  private func isShown(module: String) -> Bool {
    switch style {
    case .qualified, .unsugared: true
    case .short(let own): module != "Swift" && module != own && module != "__C"
    }
  }

  /// Writes a declaration. As a prefix it may not fit, because it or its context has to come last;
  /// then it answers true and may have written a part.
  mutating func write(_ shape: EntityShape, isPrefix: Bool) -> Bool {
    if isPrefix, shape.typeStyle != .none || shape.hasContextLast { return true }
    var pending: DeclarationContext? = shape.context
    if !shape.hasContextLast {
      let start = text.utf8.count
      pending = write(shape.context, isPrefix: true)
      if text.utf8.count != start { text += "." }
    }
    writeName(of: shape)
    writeType(of: shape)
    guard let pending else { return false }
    if isPrefix { return true }
    if isQualified {
      text += shape.preposition
      _ = write(pending, isPrefix: false)
    }
    return false
  }

  private mutating func writeName(of shape: EntityShape) {
    let start = text.utf8.count
    if shape.word.isEmpty {
      if let name = shape.name { write(name, isAllocator: shape.isAllocator) }
    } else {
      text += shape.word
    }
    if text.utf8.count != start, !shape.suffix.isEmpty { text += "." }
    text += shape.suffix
  }

  private mutating func write(_ name: DeclarationName, isAllocator: Bool) {
    // The official text leaves out what marks an allocating initializer as private.
    guard isQualified, !isAllocator else {
      text += name.sourceText
      return
    }
    var base = name.text
    if let fixity = name.fixity { base += " \(fixity.rawValue)" }
    if let kind = name.relatedKind { base = "related decl '\(kind)' for \(base)" }
    if let discriminator = name.privateDiscriminator {
      base = "(" + (base.isEmpty ? "" : base + " ") + "in \(discriminator))"
    }
    text += base
    if let index = name.localIndex { text += " #\(index + 1)" }
  }

  private mutating func writeType(of shape: EntityShape) {
    guard shape.typeStyle != .none, let declaration = shape.declaration,
      let type = declaration.interfaceType
    else { return }
    if shape.typeStyle == .colon {
      text += " : "
    } else if shape.hasContextLast {
      text += " "
    }
    writeSignature(of: declaration, arguments: shape.arguments)
    if let function = type.function {
      write(function, labels: declaration.labels)
    } else {
      if declaration.genericSignature != nil { text += " " }
      write(type)
    }
  }

  private mutating func writeSignature(
    of declaration: FunctionDeclaration, arguments: [TypeNode]
  ) {
    if !arguments.isEmpty {
      text += "<"
      writeList(arguments) { $0.write($1) }
      text += ">"
    } else if let signature = declaration.genericSignature {
      write(signature)
    }
  }
}

extension EntityShape {
  var isAllocator: Bool { declaration?.kind == .allocatingInitializer }
}
