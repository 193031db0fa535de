// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingReflection

/// What `typeof` tells of a type: name, kind, superclass, protocols, members.
struct TypeListing {
  let name: String
  let kind: String
  let superclass: String?
  let protocols: [String]
  /// Declarations as in source: stored properties first, then what there are symbols of, its
  /// superclasses' behind its own.
  let members: [String]

  init(_ type: any Any.Type, in program: RunningProgram) {
    name = TypeName.short(type)
    kind = Self.kind(of: type)
    superclass = TypeMetadata.superclass(of: type).map(TypeName.short)
    protocols = Self.protocols(of: type)
    var found = Self.cases(of: type) + Self.storedProperties(of: type)
    var known = Set(found)
    var current: (any Any.Type)? = type
    let stored = Set(TypeMetadata.fields(of: type).map(\.name))
    while let type = current {
      for member in Self.functions(of: type, in: program, stored) where known.insert(member).inserted
      {
        found.append(member)
      }
      current = TypeMetadata.superclass(of: type)
    }
    members = found
  }

  private static func kind(of type: any Any.Type) -> String {
    switch TypeMetadata.kind(of: type) {
    case .class, .foreignClass: "class"
    case .struct: "struct"
    case .enum, .optional: "enum"
    case .tuple: "tuple"
    case .function: "function"
    case .existential, .extendedExistential: "protocol"
    case .metatype, .existentialMetatype: "metatype"
    default: "type"
    }
  }

  /// Those of the standard library that say what can be done with a value.
  private static func protocols(of type: any Any.Type) -> [String] {
    let known: [(String, Bool)] = [
      ("CaseIterable", type is any CaseIterable.Type),
      ("Collection", type is any Collection.Type),
      ("Comparable", type is any Comparable.Type),
      ("CustomStringConvertible", type is any CustomStringConvertible.Type),
      ("Decodable", type is any Decodable.Type), ("Encodable", type is any Encodable.Type),
      ("Equatable", type is any Equatable.Type), ("Error", type is any Error.Type),
      ("Hashable", type is any Hashable.Type), ("Identifiable", type is any Identifiable.Type),
      ("RawRepresentable", type is any RawRepresentable.Type),
      ("Sequence", type is any Sequence.Type),
    ]
    return known.filter(\.1).map(\.0)
  }

  // MARK: Members

  private static func cases(of type: any Any.Type) -> [String] {
    EnumCase.all(of: type).map { enumCase in
      guard enumCase.hasPayload else { return "case \(enumCase.name)" }
      let payload = enumCase.payload.map(TypeName.short) ?? "…"
      return "case \(enumCase.name)" + (payload.hasPrefix("(") ? payload : "(\(payload))")
    }
  }

  private static func storedProperties(of type: any Any.Type) -> [String] {
    TypeMetadata.fields(of: type).filter { !$0.name.hasPrefix("$") }.map { field in
      let word =
        switch field.storage {
        case .strong: ""
        case .weak: "weak "
        case .unowned: "unowned "
        case .unmanaged: "unowned(unsafe) "
        }
      return "\(word)\(field.isVariable ? "var" : "let") \(field.name): "
        + TypeName.short(field.type)
    }
  }

  private static func functions(
    of type: any Any.Type, in program: RunningProgram, _ stored: Set<String>
  ) -> [String] {
    guard let known = TypeMetadata.descriptor(of: type).flatMap(program.type(withDescriptor:))
    else { return [] }
    let declarations = program.members(of: known).map(\.declaration)
    let setters = Set(
      declarations.filter { $0.kind == .setter || $0.kind == .subscriptSetter }.map(key))
    var texts: [String] = []
    for declaration in declarations {
      switch declaration.kind {
      case .function, .operatorFunction, .allocatingInitializer: texts.append("\(declaration)")
      case .getter where stored.contains(declaration.baseName) && !declaration.isStatic: continue
      case .getter, .subscriptGetter:
        let text = "\(declaration)"
        let isWritable = setters.contains(key(declaration))
        texts.append(isWritable ? text.dropLast(7) + "{ get set }" : text)
      default: continue
      }
    }
    return texts.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  private static func key(_ declaration: FunctionDeclaration) -> String {
    "\(declaration.isStatic) \(declaration.selector)"
  }

  /// Properties, initializers, methods, static members.
  private static func rank(_ text: String) -> Int {
    switch true {
    case text.hasPrefix("var "): 0
    case text.hasPrefix("subscript"): 1
    case text.hasPrefix("init"): 2
    case text.hasPrefix("func "): 3
    default: 4
    }
  }
}
