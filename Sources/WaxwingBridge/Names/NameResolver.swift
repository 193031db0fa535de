// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// Finds what the names in a script mean in the running program.
package struct NameResolver: Sendable {
  package let program: RunningProgram
  /// Whether a function is a meaning of a name only if nothing else has the name.
  private var isLeftOut: @Sendable (RunningFunction) -> Bool = { _ in false }

  package init(_ program: RunningProgram) {
    self.program = program
  }

  /// A resolver that takes some functions for the meaning of a name only if nothing else has the
  /// name.
  package func leavingOut(
    _ isLeftOut: @escaping @Sendable (RunningFunction) -> Bool
  ) -> NameResolver {
    var resolver = self
    resolver.isLeftOut = isLeftOut
    return resolver
  }

  /// The declaration that a function may be a member of.
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
    try NameLength.demand(name)
    if kind == .method, ClosureNames.isClosure(name) { return try closure(name, in: scope) }
    let found = found(name, kind, in: scope)
    if let point = found.first, found.count == 1 { return point }
    if found.count > 1 {
      let all = candidates(kind, in: scope, among: patchPoints(in: scope).all)
      throw .ambiguous(name, found.map { MemberSpelling.shortest(of: $0, among: all) })
    }
    if let function = try enteredFunction(name, kind, in: scope) { return function }
    throw explanation(name, kind, scope, patchPoints(in: scope).all)
  }

  /// All functions that a name may mean in a scope.
  func found(_ name: String, _ kind: MemberKind, in scope: Scope) -> [RunningFunction] {
    let near = patchPoints(in: scope).functions(meantBy: name)
    let found = Self.meant(by: name, among: candidates(kind, in: scope, among: near))
    if found.count < 2 { return found }
    let left = found.filter { !isLeftOut($0) }
    return left.isEmpty ? found : left
  }

  func candidates(
    _ kind: MemberKind, in scope: Scope, among functions: [RunningFunction]
  ) -> [RunningFunction] {
    functions.filter { kind.includes($0.declaration.kind) && belongs($0, to: scope) }
  }

  private func patchPoints(in scope: Scope) -> FunctionsByName {
    switch scope {
    case .module(let name): program.patchPoints(inModule: name)
    case .type(let type, _): program.patchPoints(of: type)
    }
  }

  func isEngine(_ scope: Scope) -> Bool {
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
  package static func meant<Function: NamedFunction>(
    by text: String, among functions: [Function]
  ) -> [Function] {
    preferred(Selector(text: text).matches(among: functions))
  }

  /// Of a class's initializer, prefers the function that initializes over the one that allocates.
  package static func preferred<Function: NamedFunction>(_ functions: [Function]) -> [Function] {
    let initializing = functions.filter { $0.declaration.kind == .initializer }
    guard functions.count > 1, !initializing.isEmpty else { return functions }
    let doubled = Set(initializing.map { MemberSpelling.typed($0.declaration) })
    return functions.filter { function in
      function.declaration.kind != .allocatingInitializer
        || !doubled.contains(MemberSpelling.typed(function.declaration))
    }
  }

  /// The shortest names that tell the functions apart.
  package static func distinctNames(_ functions: [RunningFunction]) -> [String] {
    functions.map { MemberSpelling.shortest(of: $0, among: functions) }
  }
}

extension Array where Element: Hashable {
  /// Each element once, at its first place.
  package var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
