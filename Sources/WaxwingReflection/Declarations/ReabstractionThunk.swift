// SPDX-License-Identifier: MIT

/// What makes of a function another one that is called in another way: with what the optimiser or the compiler wraps a closure
/// that is passed for a parameter of a generic type. Its symbol says how it calls the one and how it is called.
package struct ReabstractionThunk {
  /// The function that it calls, in the compiler's own terms: `@escaping @callee_guaranteed @async (@guaranteed App.Request)
  /// -> (@owned Swift.String, @error @owned Swift.Error)`.
  private let called: Substring

  /// - Parameter symbol: Of its forwarder, or of that one's async function pointer.
  package init?(forwarder symbol: String) {
    guard symbol.contains("TRTA"), let text = RuntimeDemangler.text(of: symbol),
      let end = text.firstRange(of: "partial apply forwarder for reabstraction thunk helper "),
      let from = text[end.upperBound...].firstRange(of: "from "),
      let to = text[from.upperBound...].firstRange(of: " to @")
    else { return nil }
    called = text[from.upperBound..<to.lowerBound]
  }

  package var callsAsync: Bool { called.contains("@async") }

  /// Whether what that function has captured is in an object.
  package var callsEscaping: Bool { called.contains("@escaping") }

  package var callsThrowing: Bool { called.contains("@error") }

  /// Whether it passes and gets no value by address.
  package var passesNothingByAddress: Bool {
    !["@in", "@out", "@error_indirect", "@pack", "@yield"].contains(where: called.contains)
  }
}
