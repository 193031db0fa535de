// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingDeclarations
import WaxwingLua
import WaxwingReflection

/// The whole file of definitions: the globals that every patch has, the library, and the program.
struct DefinitionFile {
  private let program: String
  private let outline: ProgramOutline
  private let names: LuaTypeNames
  private let comments: ModuleComments
  private let library = LibraryDefinitions()
  /// How many types a name may mean, with and without the names before it.
  private let meanings: [String: Int]

  init(program: String, _ outline: ProgramOutline, _ comments: ModuleComments) {
    self.program = program
    self.outline = outline
    self.comments = comments
    meanings = Self.meanings(outline.types)
    let aliases = outline.types.compactMap { type in
      outline.fields[type].flatMap(CaseNames.init)?.givenAlias.map { (type, $0) }
    }
    names = LuaTypeNames(outline.types, aliases: Dictionary(uniqueKeysWithValues: aliases))
  }

  /// The definitions that no program is needed for.
  static var globalsOnly: String {
    DefinitionFile(program: "patches", ProgramOutline(), ModuleComments()).text
  }

  var text: String {
    // First, as they say which other types are mentioned.
    let types = outline.types.map { TypeDefinition($0, outline, names, comments).lines }
    let modules = outline.modules.map { ModuleDefinition($0, outline, names, comments).lines }
    let libraries = library.modules.map(\.lines)
    let parts =
      [head, globals] + (libraries + types + modules).map(Self.block) + [others, variables]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var head: [String] {
    [
      "---@meta _",
      "-- luacheck: ignore",
      "-- "
        + VisibleText.line("Definitions of \(program) for lua-language-server, by `waxwing stubs`."),
      "-- They are made again after each change of the program, and never run.",
    ]
  }

  private static func block(_ lines: [String]) -> [String] {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return ["do"] + lines.map { $0.isEmpty ? "" : "  " + $0 } + ["end"]
  }

  // MARK: Globals

  /// The prelude's, in which the functions that take a name know the names that there are.
  private var globals: [String] {
    let lines = String(decoding: LuaSources.globals, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.drop { !$0.hasPrefix("-- Values") }.flatMap { line -> [String] in
      let overloads =
        Self.overloaded.first { line.hasPrefix("function \($0.key)(") }
        .map { $0.value(self) } ?? []
      return overloads + [line]
    }
  }

  private static let overloaded: [String: @Sendable (DefinitionFile) -> [String]] = [
    "class": { $0.classes }, "waxClass": { $0.waxClasses }, "module": { $0.modules },
    "require": { $0.requires },
  ]

  private var classes: [String] {
    outline.types.map { type in
      let texts = written(type).map { LuaName.quoted($0) }.joined(separator: "|")
      return "---@overload fun(name: \(texts)): \(names.typeClassName(type))"
    }
  }

  private var waxClasses: [String] {
    outline.types.map { type in
      let texts = written(type).map { LuaName.quoted($0) }.joined(separator: "|")
      return "---@overload fun(names: { [1]: \(texts) }): \(names.typeClassName(type))"
    }
  }

  private var modules: [String] {
    outline.modules.map { name in
      "---@overload fun(name: \(LuaName.quoted(name))): \(ModuleDefinition.className(name))"
    }
  }

  private var requires: [String] {
    library.modules.map { module in
      let texts = module.names.map { LuaName.quoted($0) }.joined(separator: "|")
      return "---@overload fun(name: \(texts)): \(module.result)"
    }
  }

  private static func meanings(_ types: [NominalType]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for type in types { for path in paths(type) { counts[path, default: 0] += 1 } }
    return counts
  }

  /// The names by which a type may be written: `bankd.Account.Kind`, `Account.Kind`, `Kind`.
  private static func paths(_ type: NominalType) -> [String] {
    let parts = type.qualifiedName.split(separator: ".")
    return parts.indices.map { parts[$0...].joined(separator: ".") }
  }

  /// The texts that `class` accepts for a type: its name, and shorter ones that mean no other type.
  private func written(_ type: NominalType) -> [String] {
    let paths = Self.paths(type)
    let name = outline.typeNames[type] ?? paths[0]
    guard name == paths[0] else { return [name] }
    return [name] + paths.dropFirst().filter { meanings[$0] == 1 }
  }

  // MARK: The rest

  /// Types of libraries, of which only the names are known.
  private var others: [String] {
    names.others.sorted().map { "---@class \($0): waxwing.Value" }
  }

  /// A type is a global by its own name, and so is a module; points that no patch can name are listed.
  private var variables: [String] {
    var classes: [String: String] = [:]
    for type in outline.types where type.context.memberOf == nil {
      let name = type.name.plainText
      if meanings[name] == 1 { classes[name] = names.typeClassName(type) }
    }
    for name in outline.modules where classes[name] == nil {
      classes[name] = ModuleDefinition.className(name)
    }
    let lines = classes.keys.sorted().filter { Self.isGlobal($0) }.flatMap { name in
      ["", "---@type \(classes[name] ?? "any")", "\(name) = nil"]
    }
    let unnamed = outline.unnamed.map {
      "-- " + VisibleText.line("not to be overridden: \($0.selector)")
    }
    return Array((lines + (unnamed.isEmpty ? [] : [""] + unnamed)).dropFirst())
  }

  private static func isGlobal(_ name: String) -> Bool {
    LuaName.isValid(name) && name.first?.isUppercase == true
  }
}
