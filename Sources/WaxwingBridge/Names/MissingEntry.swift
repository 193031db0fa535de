// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

/// Why a function that a program has got no replacement entry from the compiler.
package enum MissingEntry {
  /// The reason, with what to do about it.
  /// - Parameter isInPatchedModule: Whether other functions of its module have entries.
  package static func reason(
    _ function: FunctionDeclaration, isInPatchedModule: Bool
  ) -> String {
    guard isInPatchedModule else {
      return "it was not compiled with `-Xfrontend -enable-implicit-dynamic` and is not `dynamic`"
    }
    if isSynthesized(function) {
      return "the compiler made it, without a replacement entry; override the code that uses it"
    }
    return
      "it is `@inlinable` or `@_cdecl`, to which implicit dynamic gives no replacement entry; remove the "
      + "attribute, or override the code that calls it"
  }

  /// Why a function without a replacement entry, or a closure, cannot be overridden where no code may be rewritten, with the
  /// remedy.
  package static func codeIsNotRewritten(
    _ function: RunningFunction, in program: RunningProgram
  ) -> String {
    if function.closure == nil, program.hasImplicitDynamic(function.declaration.module) {
      return reason(function.declaration, isInPatchedModule: true)
    }
    return codeIsNotRewritten(isClosure: function.closure != nil)
  }

  /// The same for one of a module that has no such entries.
  package static func codeIsNotRewritten(isClosure: Bool) -> String {
    let allow = "write `code-entries = allow` in the daemon's configuration"
    return isClosure
      ? "it is a closure that is not async, and no code is rewritten here: \(allow), or override what it calls"
      : "it was not compiled with implicit dynamic, and no code is rewritten here: build it with "
        + "`-Xfrontend -enable-implicit-dynamic`, or \(allow)"
  }

  /// Why a property or subscript cannot be overridden of which there are only these accessors, none of them a getter
  /// or setter.
  package static func reason(ofAccessors accessors: [FunctionDeclaration]) -> String {
    let names = Set(accessors.compactMap(\.kind.accessorName)).sorted()
    let list = names.map { "`\($0)`" }.joined(separator: " and ")
    return
      "it has no getter or setter with a replacement entry, only \(list), which cannot be replaced; override the "
      + "functions that use it, or write it with `get` and `set`"
  }

  /// The reason why a stored property or variable cannot be overridden, without the remedy.
  /// - Parameter what: Such as "a stored property".
  package static func reason(ofStored what: String) -> String {
    "\(what): the program reads its memory without calling a function"
  }

  /// The remedy for a stored property or variable that cannot be overridden.
  package static let storedRemedy = "override the code that uses it"

  private static let synthesized: Set = [
    "allCases", "hashValue", "intValue", "rawValue", "stringValue",
  ]

  private static func isSynthesized(_ function: FunctionDeclaration) -> Bool {
    switch function.kind {
    case .getter: synthesized.contains(function.baseName)
    case .deinitializer, .deallocatingDeinitializer, .isolatedDeinitializer: true
    default: false
    }
  }
}
