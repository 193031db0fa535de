// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

/// Handles changes in place by Swift, if a class that a patch has made overrides a getter or a
/// setter in its vtable.
///
/// `sketch.scale += 1` calls neither: the vtable has a third method for it, a coroutine that lends the
/// memory of the superclass's property. The class gets one that calls the getter and the setter.
extension ScriptClass {
  /// Sees to the coroutine of a property or subscript, if it has one in the vtable.
  /// - Parameter accessor: Its getter or its setter, which is in the vtable.
  /// - Throws: `LuaClassError` if there can be none that calls both.
  func modify(
    with accessor: RunningFunction, in program: RunningProgram
  ) throws(LuaClassError) {
    guard let symbols = AccessorSymbols(accessor),
      let address = program.address(ofSymbol: symbols.modify)
    else { return }
    let places = LuaClass.Layout(made.swiftSuperclass).places(of: address)
    guard let place = places.first, !made.hasModify(at: place) else { return }
    do throws(PlanError) {
      if places.count > 1 { throw PlanError(accessor, "its code is that of another one too") }
      let coroutine = try coroutine(symbols, of: accessor, program)
      do throws(InterceptionError) {
        try made.setModify(at: place) { (word) throws(InterceptionError) in
          try coroutine.claim(word)
        }
      } catch {
        throw PlanError(accessor, error.message)
      }
    } catch {
      throw LuaClassError(
        "\(error.function) cannot be overridden: Swift changes the value in place without calling "
          + "it, by a coroutine that cannot be replaced: \(error.reason)")
    }
  }

  private func coroutine(
    _ symbols: AccessorSymbols, of accessor: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) -> ModifyCoroutine {
    let getter = try self.accessor(symbols.getter, accessor, program)
    let setter = try self.accessor(symbols.setter, accessor, program)
    return ModifyCoroutine(
      beginning: try plan(getter.plan.function.beginningOfModify, program), getter: getter,
      setter: setter)
  }

  private func accessor(
    _ symbol: String, _ sibling: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) -> ModifyCoroutine.Accessor {
    let found = ancestry.lazy.compactMap { type in
      program.members(of: type).first { $0.symbol == symbol }
    }.first
    guard let found else {
      throw PlanError(sibling, "the program has no symbol \(symbol)")
    }
    let places = LuaClass.Layout(made.swiftSuperclass).places(of: found.address)
    guard places.count == 1 else {
      throw PlanError(sibling, "the place of \(symbol) in the vtable is unknown")
    }
    return ModifyCoroutine.Accessor(
      plan: try plan(found, program), place: .vtable(offset: places[0]))
  }

  private func plan(
    _ function: RunningFunction, _ program: RunningProgram
  ) throws(PlanError) -> CallPlan {
    if let generic = try GenericFunction(function, in: program, stated: .nonmutating) {
      return try generic.plan(on: made.swiftSuperclass)
    }
    return try CallPlan(function, bound: nil, in: program, .stated(.nonmutating))
  }
}

/// The symbols of the accessors of one property or subscript: they differ in a letter. `vg`, `vs` and
/// `vM` of a property, `ig`, `is` and `iM` of a subscript, followed by `Z` if it is static.
/// docs/ABI/Mangling.rst, Swift 6.3.
private struct AccessorSymbols {
  let getter: String
  let setter: String
  let modify: String

  /// - Returns: nil for what is neither a getter nor a setter.
  init?(_ accessor: RunningFunction) {
    guard
      [.getter, .setter, .subscriptGetter, .subscriptSetter].contains(accessor.declaration.kind)
    else { return nil }
    let end = accessor.symbol.hasSuffix("Z") ? "Z" : ""
    let stem = accessor.symbol.dropLast(1 + end.count)
    (getter, setter, modify) = ("\(stem)g\(end)", "\(stem)s\(end)", "\(stem)M\(end)")
  }
}
