// SPDX-License-Identifier: MIT

extension TypeMangler {
  mutating func append(_ type: NominalType) {
    let unbound = type.unbound
    appendUnbound(unbound)
    var lists = [type.arguments]
    var context = type.context
    while let (arguments, outer) = Self.level(of: context) {
      lists.append(arguments)
      context = outer
    }
    guard lists.contains(where: { !$0.isEmpty }) else { return }
    append(argumentLists: lists.reversed())
    output += "G"
  }

  /// A context's own generic arguments and the context around it; nil at the top level.
  private static func level(
    of context: DeclarationContext
  ) -> (arguments: [TypeNode], outer: DeclarationContext)? {
    switch context {
    case .module: nil
    case .type(let type), .extension(let type, _, _): (type.arguments, type.context)
    case .declaration(let declaration, let arguments): (arguments, declaration.context)
    }
  }

  /// Lists from the outermost level to the innermost.
  mutating func append(argumentLists lists: [[TypeNode]]) {
    for (index, list) in lists.enumerated() {
      output += index == 0 ? "y" : "_"
      for type in list { append(type) }
    }
  }

  private mutating func appendUnbound(_ type: NominalType) {
    if let name = StandardTypes.mangled[type] {
      output += name
      return
    }
    if let address = descriptor(type) {
      output.appendReference(to: address)
      return
    }
    append(type.context)
    append(type.name)
    switch type.kind {
    case .class: output += "C"
    case .struct: output += "V"
    case .enum: output += "O"
    case .protocol: output += "P"
    case .typealias: output += "a"
    case .other: output += "XY"
    }
    abbreviations?.noteType()
  }

  package mutating func append(_ context: DeclarationContext) {
    switch context {
    case .module("Swift"): output += "s"
    case .module("__C"): output += "So"
    case .module("__C_Synthesized"): output += "SC"
    case .module(let name): append(identifier: name)
    case .type(let type): appendUnbound(type.unbound)
    case .extension(let type, let module, let conditions):
      appendUnbound(type.unbound)
      append(.module(module))
      if let conditions { append(conditions) }
      output += "E"
    case .declaration(let declaration, _): append(declaration)
    }
  }

  mutating func append(_ name: DeclarationName) {
    if !name.text.isEmpty {
      append(identifier: name.fixity == nil ? name.text : name.mangledOperator)
    }
    switch name.fixity {
    case .infix: output += "oi"
    case .prefix: output += "op"
    case .postfix: output += "oP"
    case nil: break
    }
    if let kind = name.relatedKind { output += "L\(kind)" }
    if let discriminator = name.privateDiscriminator {
      append(identifier: discriminator)
      output += name.text.isEmpty ? "Ll" : "LL"
    }
    if let index = name.localIndex { output += "L" + Self.index(index) }
  }

  mutating func append(identifier: String) {
    let isPlain = identifier.utf8.enumerated().allSatisfy { index, byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "_", "$": true
      case "0"..."9": index > 0
      default: false
      }
    }
    if let known = abbreviations?.note(identifier) {
      output += known
    } else if isPlain {
      output += abbreviations?.abbreviated(identifier) ?? "\(identifier.utf8.count)\(identifier)"
    } else {
      let encoded = String(decoding: Punycode.encode(identifier), as: UTF8.self)
      let needsMark =
        abbreviations == nil || encoded.first.map { $0 == "_" || $0.isNumber } ?? false
      output += "00\(encoded.utf8.count)\(needsMark ? "_" : "")\(encoded)"
    }
  }
}

extension DeclarationName {
  /// An operator's characters as letters.
  package var mangledOperator: String {
    let table = Array("& @/= >    <*!|+?%-~   ^ .".unicodeScalars)
    var letters = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar.isASCII, let index = table.firstIndex(of: scalar) else {
        letters.append(scalar)
        continue
      }
      letters.append(Unicode.Scalar(UInt8(0x61 + index)))
    }
    return String(letters)
  }
}
