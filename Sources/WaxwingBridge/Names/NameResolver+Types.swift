// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

extension NameResolver {
  /// The meaning of a global name.
  package enum Global: Sendable {
    case type(RunningType)
    case module(String)
  }

  /// The type of this name, with or without its module. The program's own types come before those of
  /// Foundation and the standard library, these before other libraries'.
  package func type(named name: String) throws(NameError) -> RunningType {
    guard let type = try knownType(name) else { throw unknownType(name) }
    return type
  }

  /// Type aliases leave no trace in a program; these everyone writes.
  private static let aliases = [
    "NSRange": "_NSRange", "TimeInterval": "Swift.Double",
    "NSPoint": "Foundation.CGPoint", "NSSize": "Foundation.CGSize", "NSRect": "Foundation.CGRect",
    "CChar": "Swift.Int8", "CInt": "Swift.Int32", "CLong": "Swift.Int", "CDouble": "Swift.Double",
  ]

  /// The type or module of this name; nil: there is none.
  package func global(named name: String) throws(NameError) -> Global? {
    try NameLength.demand(name)
    if ownModules.contains(name) {
      // A type of a module's own name stands before the module.
      let types = ownTypes(endingIn: name).filter { $0.path == name && !Self.isEngine($0) }
      if types.isEmpty { return .module(name) }
      if let type = types.first(where: { $0.nominal.rootModule == name }) { return .type(type) }
      throw .ambiguous(name, types.map { "class \"\($0.name)\"" } + ["module \"\(name)\""])
    }
    if let type = try knownType(name) { return .type(type) }
    return program.hasModule(name) ? .module(name) : nil
  }

  /// The type that is declared in another.
  package func nestedType(_ name: String, in type: RunningType) -> RunningType? {
    let path = "\(type.path).\(name)"
    if program.isOwn(type) { return program.types["\(type.name).\(name)"]?.first }
    return program.loadedTypes.types(path: path).first {
      $0.nominal.rootModule == type.nominal.rootModule
    } ?? program.types["\(type.name).\(name)"]?.first
  }

  /// The type of this name in a module, whichever part of it declares the type.
  package func type(_ name: String, inModule module: String) throws(NameError) -> RunningType? {
    for part in ModuleNames.modules(named: module) {
      let found = exactTypes("\(part).\(name)")
      if !found.isEmpty { return try only(found, name) }
    }
    return nil
  }

  /// The type of this name; nil if there is none.
  func knownType(_ name: String) throws(NameError) -> RunningType? {
    try NameLength.demand(name)
    if name.hasPrefix("$s") {
      // A symbol may be spelled in several ways.
      guard let meant = TypeNode(mangled: String(name.dropFirst(2)))?.nominal?.unbound else {
        return nil
      }
      return program.types.values.joined().first { $0.nominal == meant }
        ?? program.foreignOwner(meant)
    }
    let kinds = [
      exactTypes(_:), ownTypes(_:), patchedTypes(_:), standardTypes(_:), otherTypes(_:),
      engineTypes(_:),
    ]
    for kind in kinds {
      let types = kind(name)
      if !types.isEmpty { return try only(types, name) }
    }
    let protocols = program.protocols(named: name)
    if !protocols.isEmpty { return try only(protocols, name) }
    let owners = program.foreignOwners(named: name)
    if !owners.isEmpty { return try only(owners, name) }
    return try Self.aliases[name].flatMap { (meant) throws(NameError) in try knownType(meant) }
  }

  private func only(_ found: [RunningType], _ name: String) throws(NameError) -> RunningType {
    let found = ModuleNames.preferred(found)
    let names = Set(found.map(\.name))
    if names.count > 1 { throw .ambiguous(name, Array(names)) }
    guard found.count == 1 || !found[0].nominal.isHidden else {
      throw .ambiguous(name, found.map { "class \"\($0.symbol)\"" })
    }
    return found[0]
  }

  /// A name that means this type alone: its symbol if several files have a private type of its name.
  package func canonicalName(of type: RunningType) -> String {
    guard type.nominal.isHidden else { return type.name }
    let named = program.types[type.name, default: []] + program.foreignOwners(named: type.name)
    return named.contains { $0.nominal != type.nominal } ? type.symbol : type.name
  }

  // MARK: Candidates

  /// The types of a name with its module, such as `Bank.Account` or `Foundation.URL`.
  private func exactTypes(_ name: String) -> [RunningType] {
    if let own = program.types[name] { return own }
    guard let dot = name.firstIndex(of: ".") else { return [] }
    let modules = ModuleNames.modules(named: String(name[..<dot]))
    let path = String(name[name.index(after: dot)...])
    let own = modules.flatMap { program.types["\($0).\(path)"] ?? [] }
    if !own.isEmpty { return own }
    return program.loadedTypes.types(path: path).filter {
      modules.contains($0.nominal.rootModule ?? "")
    }
  }

  private func ownTypes(endingIn name: String) -> [RunningType] {
    let ending = "." + name
    return program.types.filter { $0.key.hasSuffix(ending) }.flatMap(\.value)
  }

  /// The types of a name without the module, and without the enclosing types where that is
  /// unambiguous.
  private func ownTypes(_ name: String) -> [RunningType] {
    let own = ownTypes(endingIn: name).filter { !Self.isEngine($0) }
    let outermost = own.filter { $0.path == name }
    return outermost.isEmpty ? own : outermost
  }

  /// Types with patch points that are known by these alone; not protocols, which have names of their
  /// own.
  private func patchedTypes(_ name: String) -> [RunningType] {
    program.foreignOwners(named: name).filter {
      $0.descriptor == 0 && !Self.isEngine($0) && !Self.isStandard($0)
    }
  }

  private func standardTypes(_ name: String) -> [RunningType] {
    program.loadedTypes.types(path: name).filter { Self.isStandard($0) }
  }

  private func otherTypes(_ name: String) -> [RunningType] {
    program.loadedTypes.types(path: name)
  }

  private func engineTypes(_ name: String) -> [RunningType] { ownTypes(endingIn: name) }

  private static func isEngine(_ type: RunningType) -> Bool {
    ModuleNames.isEngine(type.nominal.rootModule ?? "")
  }

  private static func isStandard(_ type: RunningType) -> Bool {
    ModuleNames.isStandard(type.nominal.rootModule ?? "")
  }

  // MARK: Modules

  /// The modules of the program's own images.
  package var ownModules: Set<String> { program.ownModules }

  /// A module that a loaded image has something of.
  package func module(named name: String) throws(NameError) -> String {
    try NameLength.demand(name)
    if program.hasOwnModule(name) || ownModules.contains(name) || program.hasModule(name) {
      return name
    }
    let known = ownModules.union(program.loadedTypes.modules).filter {
      !ModuleNames.isEngine($0) && !$0.hasPrefix("_")
    }
    throw .unknown(
      "\(program.name) has no module `\(name)`; it has \(known.sorted().joined(separator: ", "))",
      near: Suggestions.nearest(to: name, in: known))
  }

  // MARK: Names, for messages and lists

  /// The names of the types that are declared in another.
  package func nestedNames(in type: RunningType) -> [String] {
    let own = program.types.keys.filter { $0.hasPrefix(type.name + ".") }
      .map { $0.dropFirst(type.name.count + 1) }
    let path = type.path + "."
    let others = program.loadedTypes.paths.filter { $0.hasPrefix(path) }
      .map { $0.dropFirst(path.count) }
    return (own + others).filter { !$0.contains(".") }.map(String.init)
  }

  /// A module's types that are in no other type.
  package func types(inModule module: String) -> [RunningType] {
    let own = program.types.values.compactMap(\.first)
    let library = program.loadedTypes
    let others = library.modules.contains(module) ? library.paths.flatMap(library.types(path:)) : []
    return (own + others).filter { $0.nominal.rootModule == module && !$0.path.contains(".") }
  }

  /// Types that are in no other type, and modules, that a script may name by a word that begins so.
  package func globalNames(start: String) -> [String] {
    let own = program.types.values.flatMap(\.self).filter { !Self.isEngine($0) }.map(\.path)
    let names = ownModules.union(program.loadedTypes.modules).union(own)
      .union(program.loadedTypes.paths)
    return names.filter {
      $0.hasPrefix(start) && !$0.contains(".") && !ModuleNames.isEngine($0)
    }
  }

  private func unknownType(_ name: String) -> NameError {
    if name.hasSuffix(">"), let base = name.split(separator: "<").first.map(String.init),
      base != name, (try? type(named: base)) != nil
    {
      return .unknown(
        "what a patch does with a generic type is for all its arguments: name it without them, `\(base)` and not "
          + "`\(name)`; only a superclass has arguments", near: [])
    }
    let last = String(name.split(separator: ".").last ?? "")
    let near = nearTypes(last)
    let full = program.types.keys.filter { key in near.contains { key.hasSuffix("." + $0) } }
    let nearest =
      Suggestions.nearest(to: name, in: program.types.keys) + (full.isEmpty ? near : full.sorted())
    let remedy =
      nearest.isEmpty ? " (type aliases are not in a program: name the type itself)" : ""
    return .unknown(
      "\(program.name) has no type `\(name)`\(remedy)", near: Array(nearest.uniqued.prefix(3)))
  }

  /// The names, without modules, of the types whose names are near: the program's own first.
  package func nearTypes(_ name: String) -> [String] {
    let own = program.types.values.flatMap(\.self).filter { !Self.isEngine($0) }
    let short = own.map { String($0.name.split(separator: ".").last ?? "") }
    let near = Suggestions.nearest(to: name, in: Set(short))
    if !near.isEmpty { return near }
    return Suggestions.nearest(to: name, in: program.loadedTypes.paths)
  }
}
