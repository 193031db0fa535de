// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection

extension NameResolver {
  private var closures: [ProgramClosure] {
    LuaState.withoutCharge(program.readClosures)
    return program.closures
  }

  /// The closure that a name means, in a function of the scope.
  /// - Throws: `NameError` with the closures that there are, or the reason why this one cannot be overridden.
  func closure(_ name: String, in scope: Scope) throws(NameError) -> RunningFunction {
    let known = closures(in: scope, for: name)
    if let place = ClosurePlace(name) {
      if let closure = try closure(at: place, in: scope) { return try function(of: closure) }
      let described = program.describedClosures(closures(near: scope))
      if described.allSatisfy({ $0 == nil }) {
        throw NameError(ClosureNames.undescribed(scope.name))
      }
      throw .unknown("\(scope.name) has no closure at `\(name)`", near: place.near(described))
    }
    guard let closure = try only(name, among: known) else {
      let what = "\(scope.name) has no closure `\(name)`"
      let near = ClosureNames.near(name, among: known).map(\.declaration.selector).uniqued
      throw .unknown(what, near: near)
    }
    return try function(of: closure)
  }

  /// The closure that a name means in a scope; nil: there is none.
  func knownClosure(_ name: String, in scope: Scope) throws(NameError) -> RunningFunction? {
    let found: ProgramClosure?
    if let place = ClosurePlace(name) {
      found = try closure(at: place, in: scope)
    } else {
      found = try only(name, among: closures(in: scope, for: name))
    }
    return try found.map { (closure) throws(NameError) in try function(of: closure) }
  }

  /// The closure that begins on a line; nil: there is none.
  /// - Parameter scope: Nil: the closure may be anywhere in the program.
  func closure(at place: ClosurePlace, in scope: Scope?) throws(NameError) -> ProgramClosure? {
    let known = scope.map(closures(near:)) ?? closures
    let found = zip(known, program.describedClosures(known, reading: LuaState.withoutCharge))
      .filter { place.isPlace(of: $1) }.map(\.0)
    if found.allSatisfy({ $0.symbol == found.first?.symbol }) { return try one(of: found) }
    throw .ambiguous("\(place.file):\(place.line)", found.map(\.declaration.qualifiedName))
  }

  /// The closure whose place a text is, without a module; nil: it is none.
  func closure(written text: String) throws(NameError) -> RunningFunction? {
    guard let place = ClosurePlace(text), let found = try closure(at: place, in: nil) else {
      return nil
    }
    return try function(of: found)
  }

  /// The closures that a place or symbol in a scope may mean: in a module those in functions of its types, too.
  private func closures(near scope: Scope) -> [ProgramClosure] {
    switch scope {
    case .module(let name): closures.filter { $0.declaration.function.module == name }
    case .type(let type, _):
      closures(in: .type(type, isStatic: false)) + closures(in: .type(type, isStatic: true))
    }
  }

  /// The error for a closure's name without the type or module of its function.
  func unknownClosure(_ name: String) -> NameError {
    let near = ClosureNames.near(name, among: closures)
    return .unknown(
      "`\(name)` names no type or module: write `module.\(name)`",
      near: near.map(\.declaration.qualifiedName).uniqued)
  }

  /// The closure with this symbol; nil: there is none.
  func closure(symbol: String) throws(NameError) -> RunningFunction? {
    let found = closures.filter { $0.symbol == symbol }
    return try one(of: found).map { (closure) throws(NameError) in try function(of: closure) }
  }

  private func function(of closure: ProgramClosure) throws(NameError) -> RunningFunction {
    var use = try ClosureConvention.use(of: closure, in: program)
    use.described = LuaState.withoutCharge { program.describedClosure(closure) }
    return RunningFunction(closure, use)
  }

  private func only(
    _ name: String, among closures: [ProgramClosure]
  ) throws(NameError) -> ProgramClosure? {
    let found = ClosureNames.meant(by: name, among: closures)
    if found.allSatisfy({ $0.symbol == found.first?.symbol }) { return try one(of: found) }
    throw .ambiguous(name, found.map { ClosureNames.spelling(of: $0, among: closures) })
  }

  /// The only one of closures with one symbol.
  private func one(of closures: [ProgramClosure]) throws(NameError) -> ProgramClosure? {
    guard closures.count > 1 else { return closures.first }
    throw NameError(
      "\(closures[0].declaration.qualifiedName): \(ClosureNames.copied(closures.count))")
  }

  /// The closures of a scope that a name may mean, which is no place.
  private func closures(in scope: Scope, for name: String) -> [ProgramClosure] {
    name.hasPrefix("$s") ? closures(near: scope) : closures(in: scope)
  }

  private func closures(in scope: Scope) -> [ProgramClosure] {
    LuaState.withoutCharge(program.readClosures)
    return switch scope {
    case .module(let name): program.closures(inFunctionsOf: name)
    case .type(let type, let isStatic): program.closures(inMembersOf: type, areStatic: isStatic)
    }
  }
}
