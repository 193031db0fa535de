// SPDX-License-Identifier: MIT

/// Why a patch point cannot be overridden.
package struct InterceptionError: Error, Hashable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Kind {
      case unsupportedCPU, stubsExhausted, conflict, foreignEntry, foreignLookup, outOfMemory
      case foreignCode, unsuitedCode, unwritableCode
    }

    private let kind: Kind

    package static let unsupportedCPU = Code(kind: .unsupportedCPU)
    static let stubsExhausted = Code(kind: .stubsExhausted)
    package static let conflict = Code(kind: .conflict)
    static let foreignEntry = Code(kind: .foreignEntry)
    static let foreignLookup = Code(kind: .foreignLookup)
    static let outOfMemory = Code(kind: .outOfMemory)
    /// Something else has changed the function's code, or its file is not there any more.
    package static let foreignCode = Code(kind: .foreignCode)
    /// The function begins in a way that cannot be entered.
    package static let unsuitedCode = Code(kind: .unsuitedCode)
    /// The process cannot write code now, or never can.
    package static let unwritableCode = Code(kind: .unwritableCode)
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
