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
    let members =
      members(declarations)
      + staticNames.map { Member(rank: .staticProperty, text: "static var \($0)") }
    let texts = sorted(members)
    return program.isOwn(type) ? texts : texts.filter(isPublic)
  }

  /// The members that extensions of a protocol give the types that conform to it.
  package static func of(extensionsOf owner: RunningProtocol, in program: RunningProgram)
    -> [String]
  {
    sorted(members(program.members(of: owner).map(\.declaration))).filter(isPublic)
  }

  /// Free functions and global variables.
  package static func of(module: String, in program: RunningProgram) -> [String] {
    let declarations = program.functions(inModule: module).map(\.declaration)
    let variables = program.storageNames(inModule: module).subtracting(declarations.map(\.baseName))
    return sorted(
      members(declarations) + variables.map { Member(rank: .property, text: "var \($0)") })
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
    return !name.hasPrefix("_") && !text.contains("Builtin.") && !hasHiddenLabel(text)
  }

  /// Whether the first parameter's label begins with an underscore: `f(_x: Int)`, not `f(_: Int)`.
  private static func hasHiddenLabel(_ text: String) -> Bool {
    var last: UInt8 = 0
    var isStart = false  // of a label, after `(_`
    for byte in text.utf8 {
      if isStart, byte == UInt8(ascii: "_") || byte > 127 || isAlphanumeric(byte) { return true }
      isStart = last == UInt8(ascii: "(") && byte == UInt8(ascii: "_")
      last = byte
    }
    return false
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static let words: Set<Substring> = [
    "static", "func", "var", "let", "weak", "unowned", "class", "struct", "enum", "protocol",
  ]

  /// A declaration, and where it stands in a list.
  private struct Member {
    enum Rank: Int { case property, `subscript`, initializer, function, staticProperty, other }

    let rank: Rank
    let text: String
  }

  private static func members(_ declarations: [FunctionDeclaration]) -> [Member] {
    let setters = Set(
      declarations.filter { $0.kind == .setter || $0.kind == .subscriptSetter }.map(key))
    return declarations.compactMap { declaration in
      let text = "\(declaration)"
      switch declaration.kind {
      case .function, .operatorFunction, .allocatingInitializer, .initializer:
        return Member(rank: rank(declaration), text: readable(text))
      case .getter, .subscriptGetter:
        let isVariable = setters.contains(key(declaration))
        return Member(
          rank: rank(declaration),
          text: readable(isVariable ? text.dropLast(7) + "{ get set }" : text))
      default: return nil
      }
    }.filter { !$0.text.contains("__derived_") }
  }

  /// The text with the names of the modules that programs import, and without how parameters are
  /// passed.
  private static func readable(_ text: String) -> String {
    let shown = ModuleNames.displayed(text)
    guard shown.contains("ing ") else { return shown }
    return shown.replacing(": borrowing ", with: ": ").replacing(": consuming ", with: ": ")
  }

  private static func key(_ declaration: FunctionDeclaration) -> String {
    "\(declaration.isStatic) \(declaration.selector)"
  }

  private static func sorted(_ members: [Member]) -> [String] {
    members.sorted { ($0.rank.rawValue, $0.text) < ($1.rank.rawValue, $1.text) }.map(\.text)
  }

  private static func rank(_ declaration: FunctionDeclaration) -> Member.Rank {
    switch (declaration.kind, declaration.isStatic) {
    case (.getter, false): .property
    case (.getter, true): .staticProperty
    case (.subscriptGetter, false): .subscript
    case (.allocatingInitializer, _), (.initializer, _): .initializer
    case (.function, false), (.operatorFunction, false): .function
    default: .other
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
