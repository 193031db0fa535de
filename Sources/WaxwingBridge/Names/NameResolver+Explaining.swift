// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

// MARK: - Why a name means nothing

extension NameResolver {
  func explanation(
    _ name: String, _ kind: MemberKind, _ scope: Scope, _ members: [RunningFunction]
  ) -> NameError {
    if isEngine(scope) { return NameError("the engine's own functions cannot be patched") }
    if let other = otherKind(name, kind, scope, members) { return other }
    if let error = noFunction(name, scope) { return error }
    if case .type(let type, let isStatic) = scope {
      if kind == .method, !isStatic, ["deinit", "deinit()"].contains(name) {
        return NameError(
          "`\(type.name).deinit` cannot be overridden: Swift makes no replacement entry for "
            + "deinitializers; override a method that it calls, or the code that releases the objects"
        )
      }
      if let error = inherited(name, kind, type, isStatic) { return error }
      if let error = unpatchable(name, kind, type) { return error }
    }
    if case .module(let module) = scope, let error = unpatchable(name, inModule: module) {
      return error
    }
    let what =
      switch kind {
      case .method: "function"
      case .getter: "getter"
      case .setter: "setter"
      case .willSet: "`willSet` of"
      case .didSet: "`didSet` of"
      }
    return MissingMember.patchPoint(
      "`\(scope.name)` has no \(what) `\(name)` that can be overridden",
      near: near(name, scope, members), remedy: remedy(name, scope))
  }

  /// Likely meanings: members of the scope, or functions of the name elsewhere.
  private func near(
    _ name: String, _ scope: Scope, _ members: [RunningFunction]
  ) -> [String] {
    let own = Self.selectors(near: name, among: members)
    if !own.isEmpty { return own }
    let others = Suggestions.nearest(to: name, in: storedNames(scope))
    if !others.isEmpty { return others }
    let base = String(name.prefix { $0 != "(" })
    return program.patchPoints.filter { $0.declaration.baseName == base && base != "init" }
      .map(\.declaration.pointName).uniqued.prefix(3).map(\.self)
  }

  /// The remedy if no similar name exists.
  private func remedy(_ name: String, _ scope: Scope) -> String {
    let module =
      switch scope {
      case .module(let name): name
      case .type(let type, _): type.nominal.rootModule ?? ""
      }
    guard isPatched(module) else {
      return "; the module \(module) was not compiled with implicit dynamic: build it with "
        + "`-Xfrontend -enable-implicit-dynamic`"
    }
    return
      "; `waxwing points` lists what it has; if its source has one, it may be stored or made by the compiler, else "
      + "remove `@inlinable`, and make sure that something uses it"
  }

  func isPatched(_ module: String) -> Bool { program.patchedModules.contains(module) }

  /// The full selectors of the functions whose name, with or without labels, is near.
  static func selectors(near name: String, among functions: [RunningFunction]) -> [String] {
    let names = Set(functions.flatMap { [$0.declaration.baseName, $0.declaration.selector] })
    let near = Suggestions.nearest(to: name, in: names)
    return near.flatMap { near in
      functions.map(\.declaration).filter { $0.baseName == near || $0.selector == near }
        .map(\.selector).sorted()
    }.uniqued.prefix(3).map(\.self)
  }

  /// The error for a member that exists but is of another kind; nil if there is none.
  private func otherKind(
    _ name: String, _ kind: MemberKind, _ scope: Scope, _ members: [RunningFunction]
  ) -> NameError? {
    let matches = Selector(text: name).matches(among: members).map(\.declaration)
    guard let first = matches.first else { return nil }
    guard let other = matches.first(where: { MemberKind($0.kind) != nil }) else {
      return NameError(
        "`\(first.qualifiedName)` cannot be overridden: \(MissingEntry.reason(ofAccessors: matches))"
      )
    }
    let short = scope.name.split(separator: ".").last.map(String.init) ?? scope.name
    let path =
      short + (other.isStatic && other.contextType != nil ? ".static" : "")
      + (MemberKind(other.kind)?.ending ?? "") + "[\"\(other.selector)\"]"
    if kind == .setter, [.getter, .subscriptGetter].contains(other.kind) {
      return NameError(
        "`\(other.qualifiedName)` has no setter in this program: its source has none, or nothing calls it; its "
          + "getter is overridden as `\(path)`")
    }
    return NameError("`\(other.qualifiedName)` is overridden as `\(path)`")
  }

  private func inherited(
    _ name: String, _ kind: MemberKind, _ type: RunningType, _ isStatic: Bool
  ) -> NameError? {
    var current = program.runtimeType(type.node).flatMap(TypeMetadata.superclass(of:))
    while let ancestor = current {
      let ancestorName = _typeName(ancestor, qualified: true)
      if let parent = try? self.type(named: ancestorName),
        (try? patchPoint(name, kind, in: .type(parent, isStatic: isStatic))) != nil
      {
        return NameError(
          "`\(type.name)` inherits `\(name)` from `\(ancestorName)`: override it there "
            + "(and look at `self` to tell the classes apart)")
      }
      if let parent = try? self.type(named: ancestorName),
        let reason = stored(name, in: parent)
      {
        return reason
      }
      current = TypeMetadata.superclass(of: ancestor)
    }
    return nil
  }

  /// A function that is there, but has no replacement entry.
  private func unpatchable(_ name: String, _ kind: MemberKind, _ type: RunningType) -> NameError? {
    unpatchable(name, among: program.members(of: type))
  }

  private func unpatchable(_ name: String, inModule module: String) -> NameError? {
    let names = Selector(text: name).baseNames
    return unpatchable(
      name, among: names.flatMap { program.functions(named: $0, inModule: module) })
  }

  private func unpatchable(
    _ name: String, among functions: [RunningFunction]
  ) -> NameError? {
    guard let function = Selector(text: name).matches(among: functions).first else { return nil }
    let declaration = function.declaration
    return NameError(
      "`\(declaration.qualifiedName)` cannot be overridden: "
        + MissingEntry.reason(declaration, isInPatchedModule: isPatched(declaration.module)))
  }
}
