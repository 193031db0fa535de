// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

extension NameResolver {
  /// Whether a name is that of a closure: `closure #1 in boot(routes:)`.
  static func isClosure(_ name: String) -> Bool {
    name.hasPrefix("closure #") || name.hasPrefix("implicit closure #")
  }

  /// The async closure that a name means, in a function of the scope.
  /// - Throws: `NameError` with the closures that there are, or the reason why this one cannot be overridden.
  func closure(_ name: String, in scope: Scope) throws(NameError) -> RunningFunction {
    let known = program.asyncClosures.filter { belongs($0, to: scope) }
    let found = known.filter { names(of: $0).contains(name) }
    guard let closure = found.first else { throw missing(name, known, scope) }
    guard found.count == 1 else {
      throw .ambiguous(name, found.map(\.symbol))
    }
    return RunningFunction(closure, try ClosureConvention.use(of: closure, in: program))
  }

  /// The names of a closure: with the labels of the function that it stands in, without them, and its symbol.
  private func names(of closure: AsyncClosure) -> [String] {
    let declaration = closure.declaration
    let (whole, outer) = (declaration.selector, declaration.function)
    let short = whole.dropLast(outer.selector.count) + outer.baseName
    return [whole, String(short), closure.symbol]
  }

  private func belongs(_ closure: AsyncClosure, to scope: Scope) -> Bool {
    let outer = closure.declaration.function
    switch scope {
    case .module(let name): return outer.contextType == nil && outer.module == name
    case .type(let type, let isStatic):
      return outer.isStatic == isStatic
        && outer.contextType?.nominal?.unbound == type.nominal.unbound
    }
  }

  private func missing(_ name: String, _ known: [AsyncClosure], _ scope: Scope) -> NameError {
    let all = known.map(\.declaration.selector)
    let function = name.split(separator: " in ").last.map(String.init) ?? name
    let near = all.filter { $0.hasSuffix(" in " + function) || $0.contains(" in \(function)(") }
    let what =
      "\(scope.name) has no async closure `\(name)`; one that is not async, or that the optimiser has made part of "
      + "other code, cannot be overridden"
    return .unknown(what, near: Array((near.isEmpty ? all : near).sorted().prefix(10)))
  }
}
