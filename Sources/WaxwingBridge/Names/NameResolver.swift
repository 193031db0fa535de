// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// Finds what the names in a script mean in the running program.
package struct NameResolver: Sendable {
  package let program: RunningProgram

  package init(_ program: RunningProgram) {
    self.program = program
  }

  /// What a function may be declared in.
  package enum Scope: Sendable {
    case type(RunningType, isStatic: Bool)
    case module(String)

    var name: String {
      switch self {
      case .type(let type, _): type.name
      case .module(let name): name
      }
    }
  }

  /// The patch point that a name means in a scope.
  /// - Throws: `NameError` with the candidates, the nearest names, or the reason why a function
  ///   that is there cannot be overridden.
  package func patchPoint(
    _ name: String, _ kind: MemberKind, in scope: Scope
  ) throws(NameError) -> RunningFunction {
    let found = found(name, kind, in: scope)
    if let point = found.first, found.count == 1 { return point }
    if found.count > 1 {
      let all = candidates(kind, in: scope)
      throw .ambiguous(name, found.map { MemberSpelling.shortest(of: $0, among: all) })
    }
    throw explanation(name, kind, scope, patchPoints(in: scope))
  }

  /// All that a name may mean in a scope.
  func found(_ name: String, _ kind: MemberKind, in scope: Scope) -> [RunningFunction] {
    Self.meant(by: name, among: candidates(kind, in: scope))
  }

  private func candidates(_ kind: MemberKind, in scope: Scope) -> [RunningFunction] {
    patchPoints(in: scope).filter {
      kind.includes($0.declaration.kind) && belongs($0, to: scope)
    }
  }

  private func patchPoints(in scope: Scope) -> [RunningFunction] {
    switch scope {
    case .module(let name): program.patchPoints(inModule: name)
    case .type(let type, _): program.patchPoints(of: type)
    }
  }

  private func isEngine(_ scope: Scope) -> Bool {
    switch scope {
    case .module(let name): EngineModules.contains(name)
    case .type(let type, _): EngineModules.contains(type.nominal.rootModule ?? "")
    }
  }

  private func belongs(_ function: RunningFunction, to scope: Scope) -> Bool {
    guard case .type(_, let isStatic) = scope else { return true }
    return function.declaration.isStatic == isStatic
  }

  /// The functions of a scope that a name means.
  static func meant<Function: NamedFunction>(
    by text: String, among functions: [Function]
  ) -> [Function] {
    preferred(Selector(text: text).matches(among: functions))
  }

  /// Of a class's initializer, the part that initializes rather than the one that allocates.
  static func preferred<Function: NamedFunction>(_ functions: [Function]) -> [Function] {
    let initializing = functions.filter { $0.declaration.kind == .initializer }
    guard functions.count > 1, !initializing.isEmpty else { return functions }
    let doubled = Set(initializing.map { MemberSpelling.typed($0.declaration) })
    return functions.filter { function in
      function.declaration.kind != .allocatingInitializer
        || !doubled.contains(MemberSpelling.typed(function.declaration))
    }
  }

  /// The shortest names that tell the functions apart.
  static func distinctNames(_ functions: [RunningFunction]) -> [String] {
    functions.map { MemberSpelling.shortest(of: $0, among: functions) }
  }
}

// MARK: - Why a name means nothing

extension NameResolver {
  private func explanation(
    _ name: String, _ kind: MemberKind, _ scope: Scope, _ members: [RunningFunction]
  ) -> NameError {
    if isEngine(scope) { return NameError("the engine's own functions cannot be patched") }
    if let other = otherKind(name, scope, members) { return other }
    if case .type(let type, let isStatic) = scope {
      if kind == .method, !isStatic, ["deinit", "deinit()"].contains(name) {
        return NameError(
          "`\(type.name).deinit` cannot be overridden: Swift makes no replacement entry for "
            + "deinitializers; override a method that it calls, or what lets the objects go")
      }
      if let error = inherited(name, kind, type, isStatic) { return error }
      if let error = unpatchable(name, kind, type) { return error }
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
      near: Self.selectors(near: name, among: members))
  }

  /// The full selectors of the functions whose name, with or without labels, is near.
  static func selectors(near name: String, among functions: [RunningFunction]) -> [String] {
    let names = Set(functions.flatMap { [$0.declaration.baseName, $0.declaration.selector] })
    let near = NearestNames.nearest(to: name, in: names)
    return near.flatMap { near in
      functions.map(\.declaration).filter { $0.baseName == near || $0.selector == near }
        .map(\.selector).sorted()
    }.uniqued.prefix(3).map(\.self)
  }

  /// It is there, but spelled as something else.
  private func otherKind(
    _ name: String, _ scope: Scope, _ members: [RunningFunction]
  ) -> NameError? {
    guard let other = Selector(text: name).matches(among: members).first?.declaration else {
      return nil
    }
    let short = scope.name.split(separator: ".").last.map(String.init) ?? scope.name
    let path =
      switch other.kind {
      case .getter, .subscriptGetter: "\(short).get[\"\(other.selector)\"]"
      case .setter, .subscriptSetter: "\(short).set[\"\(other.selector)\"]"
      case .accessor(.willSet): "\(short).willSet[\"\(other.selector)\"]"
      case .accessor(.didSet): "\(short).didSet[\"\(other.selector)\"]"
      default:
        other.isStatic
          ? "\(short).static[\"\(other.selector)\"]" : "\(short)[\"\(other.selector)\"]"
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
      current = TypeMetadata.superclass(of: ancestor)
    }
    return nil
  }

  /// A function that is there, but has no replacement entry.
  private func unpatchable(_ name: String, _ kind: MemberKind, _ type: RunningType) -> NameError? {
    let functions = program.members(of: type)
    if let runtimeType = program.runtimeType(type.node), kind != .method,
      TypeMetadata.fields(of: runtimeType).contains(where: { $0.name == name })
    {
      return NameError(
        "`\(type.name).\(name)` is a stored property: the program reads its memory, no function "
          + "is called; override what uses it")
    }
    guard let function = Selector(text: name).matches(among: functions).first else { return nil }
    return NameError(
      "`\(function.declaration.qualifiedName)` cannot be overridden: it was not compiled with "
        + "`-Xfrontend -enable-implicit-dynamic` and is not `dynamic`")
  }
}

extension Array where Element: Hashable {
  /// Each element once, at its first place.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
