// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

/// Lists the members of a type or a module, as declarations for people to read.
package enum MemberList {
  /// The members that have symbols. For a library, only those that are public by their names.
  /// - Parameters:
  ///   - stored: Properties that are listed as stored ones.
  ///   - initializers: The initializers that are listed; nil for all.
  package static func of(
    _ type: RunningType, in program: RunningProgram, except stored: Set<String>,
    initializers: [RunningFunction]? = nil
  ) -> [String] {
    let functions = program.members(of: type).filter {
      switch $0.declaration.kind {
      case .allocatingInitializer: initializers?.contains($0) ?? true
      case .initializer: initializers?.contains($0) ?? false
      default: true
      }
    }
    let declarations = functions.map(\.declaration).filter {
      $0.isStatic || $0.kind != .getter || !stored.contains($0.baseName)
    }
    let staticNames = program.storageNames(of: type).subtracting(declarations.map(\.baseName))
    let texts = texts(declarations) + staticNames.map { "static var \($0)" }
    return sorted(program.isOwn(type) ? texts : texts.filter(isPublic))
  }

  /// The members that extensions of a protocol give the types that conform to it.
  package static func of(extensionsOf owner: RunningProtocol, in program: RunningProgram)
    -> [String]
  {
    sorted(texts(program.members(of: owner).map(\.declaration)).filter(isPublic))
  }

  /// Free functions and global variables.
  package static func of(module: String, in program: RunningProgram) -> [String] {
    let declarations = program.functions(inModule: module).map(\.declaration)
    let variables = program.storageNames(inModule: module).subtracting(declarations.map(\.baseName))
    return sorted(texts(declarations) + variables.map { "var \($0)" })
  }

  /// The types that are declared in a type.
  package static func types(in type: RunningType, _ resolver: NameResolver) -> [String] {
    resolver.nestedNames(in: type).compactMap { name in
      resolver.nestedType(name, in: type).map { "\($0.nominal.kind.word) \(name)" }
    }.filter { resolver.program.isOwn(type) || isPublic($0) }.sorted()
  }

  /// Whether a declaration is for everyone, as far as its text tells.
  package static func isPublic(_ text: String) -> Bool {
    let name = text.split(separator: " ").first { !words.contains($0) } ?? ""
    return !name.hasPrefix("_") && !text.contains("Builtin.") && !text.contains(#/\(_\w/#)
  }

  private static let words: Set<Substring> = [
    "static", "func", "var", "let", "weak", "unowned", "class", "struct", "enum", "protocol",
  ]

  private static func texts(_ declarations: [FunctionDeclaration]) -> [String] {
    let setters = Set(
      declarations.filter { $0.kind == .setter || $0.kind == .subscriptSetter }.map(key))
    return declarations.compactMap { declaration in
      switch declaration.kind {
      case .function, .operatorFunction, .allocatingInitializer, .initializer:
        return readable("\(declaration)")
      case .getter, .subscriptGetter:
        let text = "\(declaration)"
        return readable(
          setters.contains(key(declaration)) ? text.dropLast(7) + "{ get set }" : text)
      default: return nil
      }
    }.filter { !$0.contains("__derived_") }
  }

  /// The text with the names of the modules that programs import, and without how parameters are
  /// passed.
  private static func readable(_ text: String) -> String {
    ModuleNames.displayed(text).replacing(#/: (borrowing|consuming) /#, with: ": ")
  }

  private static func key(_ declaration: FunctionDeclaration) -> String {
    "\(declaration.isStatic) \(declaration.selector)"
  }

  private static func sorted(_ texts: [String]) -> [String] {
    texts.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  /// Properties, initializers, methods, static members.
  private static func rank(_ text: String) -> Int {
    switch true {
    case text.hasPrefix("var "): 0
    case text.hasPrefix("subscript"): 1
    case text.hasPrefix("init"): 2
    case text.hasPrefix("func "): 3
    case text.hasPrefix("static var "): 4
    default: 5
    }
  }
}

extension NominalType.Kind {
  /// The keyword of the kind: `struct`, `class`, …
  package var word: String {
    switch self {
    case .class: "class"
    case .struct: "struct"
    case .enum: "enum"
    case .protocol: "protocol"
    default: "type"
    }
  }
}
