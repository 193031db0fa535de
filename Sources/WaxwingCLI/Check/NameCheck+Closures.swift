// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingDeclarations
import WaxwingReflection

extension PatchOutline.Override {
  /// Whether it is assigned to the name of a closure.
  var isOfClosure: Bool { target.accessor == nil && ClosureNames.isClosure(name) }
}

/// Overrides of closures. How the program calls a closure, and so whether it can be overridden, a file does not tell.
extension NameCheck {
  mutating func checkClosure(
    _ override: PatchOutline.Override, _ scopes: [ProgramNames.Scope], _ program: ProgramNames
  ) {
    for scope in scopes {
      guard let known = program.closures(scope, isStatic: override.target.isStatic) else { return }
      let found = meant(override, known, scope, program)
      if found.isEmpty, scope != scopes.last { continue }
      switch found.count {
      case 0:
        if !override.isOptional { addMissing(override, scope, known, program) }
      case 1: check(override, found[0], program)
      default:
        let choices = ClosureNames.sorted(found).map {
          "`\(ClosureNames.spelling(of: $0, among: known))`"
        }
        add(
          .selector, override.place, "`\(override.name)` is ambiguous",
          remedy: "write one of \(choices.joined(separator: ", "))")
      }
      return
    }
  }

  /// What to leave out of a closure's override that takes more than it gets.
  static func excess(_ function: LuaFunction, _ most: Int) -> String {
    let names = function.allParameters.map(\.name)
    if names.first == "self" { return "leave out `self`" }
    return "leave out `\(names[most])`, which would always be nil"
  }

  /// The closures that an override is of.
  func meant(
    _ override: PatchOutline.Override, _ known: [PatchPoint], _ scope: ProgramNames.Scope,
    _ program: ProgramNames
  ) -> [PatchPoint] {
    guard let place = ClosurePlace(override.name) else {
      let isSymbol = override.name.hasPrefix("$s")
      return ClosureNames.meant(
        by: override.name, among: isSymbol ? program.closures(near: scope) : known)
    }
    return program.closures(near: scope).filter {
      place.isPlace(of: program.described[$0.symbol])
    }
  }

  private mutating func addMissing(
    _ place: ClosurePlace, _ override: PatchOutline.Override, _ scope: ProgramNames.Scope,
    _ program: ProgramNames
  ) {
    guard program.knowsTypes else { return }
    let described = program.closures(near: scope).map { program.described[$0.symbol] }
    if described.allSatisfy({ $0 == nil }) {
      return add(.selector, override.place, ClosureNames.undescribed("`\(scope.name)`"))
    }
    add(
      .selector, override.place, "`\(scope.name)` has no closure at `\(override.name)`",
      near: place.near(described), remedy: "`waxwing points --closures` lists the closures")
  }

  /// Reports a variable that a closure has not captured, and one that is set.
  mutating func check(_ use: PatchOutline.CapturedUse, _ outline: PatchOutline) {
    if use.isAssigned {
      return add(
        .member, use.place, "`captured.\(use.name)` cannot be set",
        remedy: "what a closure has captured can be read: change what the override returns")
    }
    guard let index = use.override, !use.isOptional, let program else { return }
    let override = outline.overrides[index]
    guard override.isOfClosure else {
      return add(
        .member, use.place, "`captured` is used in an override that is of no closure",
        remedy: "methods have what they work on in `self`")
    }
    let scopes = scopes(override.target, program)
    guard scopes.count == 1, let point = point(override, scopes[0], program),
      let captured = program.described[point.symbol]?.captured(by: point.declaration),
      !captured.contains(where: { $0.name == use.name })
    else { return }
    let names = captured.map(\.name)
    let near = NearestNames.nearest(to: use.name, in: Set(names))
    add(
      .member, use.place, "the closure has captured no `\(use.name)`", near: near,
      remedy: names.isEmpty
        ? "it has captured nothing" : "it has captured \(names.joined(separator: ", "))")
  }

  private mutating func addMissing(
    _ override: PatchOutline.Override, _ scope: ProgramNames.Scope, _ known: [PatchPoint],
    _ program: ProgramNames
  ) {
    if let place = ClosurePlace(override.name) {
      return addMissing(place, override, scope, program)
    }
    let others = program.closures(scope, isStatic: !override.target.isStatic) ?? []
    let message = "`\(scope.name)` has no closure `\(override.name)`"
    if !scope.isModule, !ClosureNames.meant(by: override.name, among: others).isEmpty {
      var other = override.target
      other.isStatic.toggle()
      let function = other.isStatic ? "a static function" : "a function that is not static"
      return add(
        .selector, override.place, message,
        remedy: "it is in \(function): override it in `\(other.words)`")
    }
    add(
      .selector, override.place, message,
      near: ClosureNames.near(override.name, among: known).map(\.declaration.selector).uniqued,
      remedy: "`waxwing points --closures` lists the closures")
  }
}
