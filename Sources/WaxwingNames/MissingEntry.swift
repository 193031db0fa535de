// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

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
