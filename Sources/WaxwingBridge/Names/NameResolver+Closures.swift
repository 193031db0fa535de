// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

extension NameResolver {
  /// The closure that a name means, in a function of the scope.
  /// - Throws: `NameError` with the closures that there are, or the reason why this one cannot be overridden.
  func closure(_ name: String, in scope: Scope) throws(NameError) -> RunningFunction {
    let known = closures(in: scope)
    guard let closure = try only(name, among: known) else {
      let what = "\(scope.name) has no closure `\(name)`"
      let near = ClosureNames.near(name, among: known).map(\.declaration.selector).uniqued
      throw .unknown(what, near: near)
    }
    return try function(of: closure)
  }

  /// The closure that a name means in a scope; nil: there is none.
  func knownClosure(_ name: String, in scope: Scope) throws(NameError) -> RunningFunction? {
    try only(name, among: closures(in: scope)).map { (closure) throws(NameError) in
      try function(of: closure)
    }
  }

  /// The error for a closure's name without the type or module of its function.
  func unknownClosure(_ name: String) -> NameError {
    let near = ClosureNames.near(name, among: program.closures)
    return .unknown(
      "`\(name)` names no type or module: write `module.\(name)`",
      near: near.map(\.declaration.qualifiedName).uniqued)
  }

  /// The closure with this symbol; nil: there is none.
  func closure(symbol: String) throws(NameError) -> RunningFunction? {
    let found = program.closures.filter { $0.symbol == symbol }
    return try one(of: found).map { (closure) throws(NameError) in try function(of: closure) }
  }

  private func function(of closure: ProgramClosure) throws(NameError) -> RunningFunction {
    RunningFunction(closure, try ClosureConvention.use(of: closure, in: program))
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
      "\(closures[0].declaration.qualifiedName): \(closures.count) images have a copy of it, since its function is "
        + "inlinable")
  }

  private func closures(in scope: Scope) -> [ProgramClosure] {
    program.closures.filter { belongs($0, to: scope) }
  }

  private func belongs(_ closure: ProgramClosure, to scope: Scope) -> Bool {
    let outer = closure.declaration.function
    switch scope {
    case .module(let name): return outer.contextType == nil && outer.module == name
    case .type(let type, let isStatic):
      return outer.isStatic == isStatic
        && outer.contextType?.nominal?.unbound == type.nominal.unbound
    }
  }
}
