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
      let found = ClosureNames.meant(by: override.name, among: known)
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

  private mutating func addMissing(
    _ override: PatchOutline.Override, _ scope: ProgramNames.Scope, _ known: [PatchPoint],
    _ program: ProgramNames
  ) {
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
