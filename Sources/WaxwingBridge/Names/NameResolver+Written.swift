// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// Names as they stand in lists and on command lines.
extension NameResolver {
  /// The patch point that a whole name means: `Bank.Account.withdraw(_:memo:)`, `Account.title.get`,
  /// `Account.static.make(owner:)`, `Bank.fee(_:)`; `Account.withdraw` where that is unambiguous; or a
  /// symbol.
  package func patchPoint(written text: String) throws(NameError) -> RunningFunction {
    if let point = try knownPatchPoint(written: text) { return point }
    if WrittenPoint.isSymbol(text) {
      throw NameError("\(program.name) has no patch point `\(text)`")
    }
    let name = WrittenPoint(text)
    guard let likeliest = name.splits.first else {
      if ClosureNames.isClosure(text) { throw unknownClosure(text) }
      throw NameError("`\(text)` names no type or module: write `Type.function`")
    }
    return try explained(likeliest, name.kind)
  }

  /// The patch point that a whole name means; nil: there is none. Finding out why there is none costs much more.
  package func knownPatchPoint(written text: String) throws(NameError) -> RunningFunction? {
    try NameLength.demand(text)
    if WrittenPoint.isSymbol(text) {
      if let point = program.patchPoint(symbol: text) { return point }
      return ClosureNames.isClosure(text) ? try closure(symbol: text) : nil
    }
    if let closure = try closure(written: text) { return closure }
    let name = WrittenPoint(text)
    for split in name.splits {
      if let point = try point(split, name.kind) { return point }
    }
    return nil
  }

  /// The point that a text means; nil if there is none.
  private func point(
    _ split: WrittenPoint.Split, _ kind: MemberKind
  ) throws(NameError) -> RunningFunction? {
    let isClosure = ClosureNames.isClosure(split.member)
    for scopes in scopes(split) {
      for scope in scopes {
        if isClosure {
          // In an accessor, perhaps: `closure #1 in routes.get`.
          let name = split.member + kind.ending
          if let closure = try knownClosure(name, in: scope) { return closure }
          continue
        }
        let found = found(split.member, kind, in: scope)
        if found.count > 1 { return try patchPoint(split.member, kind, in: scope) }
        if let point = found.first { return point }
      }
    }
    return nil
  }

  /// The scopes that the owner may be, in order: a module may have the name of a type.
  private func scopes(_ split: WrittenPoint.Split) -> [[Scope]] {
    let type = (try? knownType(split.owner)) ?? nil
    let isWhole = type.map { $0.name == split.owner || $0.symbol == split.owner } ?? false
    let hasPoints =
      ClosureNames.isClosure(split.member)
      ? program.hasOwnModule : { !program.patchPoints(inModule: $0).isEmpty }
    // What has dots is the name of no module: to mangle a long one takes its time.
    let hasModule = !split.owner.utf8.contains(UInt8(ascii: ".")) && hasPoints(split.owner)
    let module: [Scope] = hasModule ? [.module(split.owner)] : []
    let ofType: [Scope] =
      type.map { type in
        (split.isStatic ? [true] : [false, true]).map { .type(type, isStatic: $0) }
      } ?? []
    return split.isStatic ? [ofType] : isWhole ? [ofType, module] : [module, ofType]
  }

  /// Says why there is no such point.
  private func explained(
    _ split: WrittenPoint.Split, _ kind: MemberKind
  ) throws(NameError) -> RunningFunction {
    do throws(NameError) {
      let type = try self.type(named: split.owner)
      return try point(of: split, kind, in: .type(type, isStatic: split.isStatic))
    } catch {
      guard let module = try? module(named: split.owner) else { throw error }
      return try point(of: split, kind, in: .module(module))
    }
  }

  private func point(
    of split: WrittenPoint.Split, _ kind: MemberKind, in scope: Scope
  ) throws(NameError) -> RunningFunction {
    ClosureNames.isClosure(split.member)
      ? try closure(split.member + kind.ending, in: scope)
      : try patchPoint(split.member, kind, in: scope)
  }

  /// The whole name of a type or, if there is none of this name, module.
  package func typeOrModule(named name: String) throws(NameError) -> String {
    do throws(NameError) {
      return try type(named: name).name
    } catch {
      if let module = try? module(named: name) { return module }
      throw error
    }
  }
}
