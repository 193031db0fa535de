// SPDX-License-Identifier: MIT

/// A function type.
package struct FunctionType: Hashable, Sendable {
  /// How a value of the type is represented and used.
  enum Representation: Hashable, Sendable {
    /// A Swift closure that may be kept: `@escaping` where it is a parameter.
    case escaping
    /// A Swift closure that must not outlive the call.
    case nonescaping
    /// `@autoclosure`.
    case autoclosure
    /// `@autoclosure @escaping`.
    case escapingAutoclosure
    /// `@convention(thin)`: code without a context.
    case thin
    /// `@convention(c)`.
    case cFunction
    /// `@convention(block)`.
    case block
    /// `@convention(block)`, escaping.
    case escapingBlock
    /// A method before its `self` is bound.
    case uncurried
  }

  /// Where the function runs.
  package enum Isolation: Hashable, Sendable {
    /// The function is isolated to a global actor of this type.
    case globalActor(TypeNode)
    /// `@isolated(any)`.
    case any
    /// `nonisolated(nonsending)`: on the caller's actor.
    case caller
  }

  /// How a value of the type is represented and used.
  var representation: Representation
  /// The parameters.
  package var parameters: [TupleElement]
  /// The result; `Void` is a tuple of no elements.
  package var result: TypeNode
  /// Whether the function is `async`.
  package var isAsync = false
  /// Whether the function is `throws`, typed or not.
  var isThrowing = false
  /// The type in `throws(…)`.
  package var thrownType: TypeNode?
  /// Whether the function is `@Sendable`.
  var isSendable = false
  /// Where the function runs, if its type says so.
  package var isolation: Isolation?
  /// Whether the result is `sending`.
  var hasSendingResult = false
  /// The letter of the `@differentiable` kind.
  var differentiability: UInt8?

  /// Whether a value must not outlive the call that it is passed to.
  package var isNonescaping: Bool {
    representation == .nonescaping || representation == .autoclosure
  }

  /// Whether callers write an expression for it: `@autoclosure`.
  package var isAutoclosure: Bool {
    representation == .autoclosure || representation == .escapingAutoclosure
  }
}
