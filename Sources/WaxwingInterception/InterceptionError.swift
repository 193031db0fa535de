// SPDX-License-Identifier: MIT

/// Why a patch point cannot be overridden.
package struct InterceptionError: Error, Hashable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Kind {
      case unsupportedCPU, stubsExhausted, conflict, foreignEntry, foreignLookup, outOfMemory
    }

    private let kind: Kind

    package static let unsupportedCPU = Code(kind: .unsupportedCPU)
    static let stubsExhausted = Code(kind: .stubsExhausted)
    package static let conflict = Code(kind: .conflict)
    static let foreignEntry = Code(kind: .foreignEntry)
    static let foreignLookup = Code(kind: .foreignLookup)
    static let outOfMemory = Code(kind: .outOfMemory)
  }

  package let code: Code
  /// The error and the remedy, one sentence each.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  static var foreignWord: InterceptionError {
    InterceptionError(
      .foreignEntry,
      "since the function was first overridden, a library with a `@_dynamicReplacement` for it, or another tool, "
        + "has changed its replacement entry; restart the program, and apply the patch after that library is loaded"
    )
  }
}
