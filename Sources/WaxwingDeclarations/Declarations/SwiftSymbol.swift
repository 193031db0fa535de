// SPDX-License-Identifier: MIT

/// A symbol that names a function or something made for one.
package struct SwiftSymbol: Hashable, Sendable {
  /// The thing that a symbol stands for besides the function itself.
  package enum Variant: Hashable, Sendable {
    /// The variable through which the function can be replaced (`TX`).
    case replacementVariable
    /// The record for a replacement (`Tx`).
    case replacementKey
    /// The original of a replaced function (`TI`).
    case replacementImplementation
    /// The code address and context size of an `async` function (`Tu`).
    case asyncFunctionPointer
    /// The part of an `async` function after an `await` (`TQ`).
    case asyncAwaitResume(Int)
    /// The part of an `async` function after a change of actors (`TY`).
    case asyncSuspendResume(Int)
    /// One body for several equal functions (`Tm`).
    case merged
    /// Code that calls the function through its class or protocol (`Tj`).
    case dispatchThunk
    /// The function's entry in a class's or protocol's table (`Tq`).
    case methodDescriptor
    /// The witness for a requirement of a protocol in a type's witness table (`TW`): the
    /// declaration is the requirement's.
    case protocolWitness
    /// Anything else.
    case other(String)
  }

  /// The function.
  package let declaration: FunctionDeclaration
  /// The things that the symbol stands for; empty if it is the function itself.
  package let variants: [Variant]

  /// Reads a symbol, nil if it names no function or cannot be parsed.
  package init?(_ name: String) {
    var demangler = Demangler(name.utf8)
    guard let symbol = demangler.symbol() else { return nil }
    self = symbol
  }

  init(declaration: FunctionDeclaration, variants: [Variant]) {
    self.declaration = declaration
    self.variants = variants
  }
}
