// SPDX-License-Identifier: MIT

/// A parameter of a declaration.
package struct FunctionParameter: Hashable, Sendable {
  /// The owner of the value that is passed.
  package enum Ownership: Hashable, Sendable {
    /// The default of the kind of function: setters and initializers own, others borrow.
    case standard
    /// `consuming` or `__owned`.
    case owned
    /// `borrowing` or `__shared`.
    case shared
    /// `inout`.
    case `inout`
  }

  /// The argument label, nil for `_`.
  package let label: String?
  /// The type without modifiers.
  package let type: TypeNode
  /// The owner of the value that is passed.
  package let ownership: Ownership
  /// Whether the parameter is `T...`; `type` is then the array `[T]`.
  package let isVariadic: Bool
  /// Whether the parameter is `sending`.
  let isSending: Bool
  /// Whether the parameter is `isolated`.
  package let isIsolated: Bool

  /// The type of the value that a caller writes: for an autoclosure, the closure's result.
  package var writtenType: TypeNode {
    guard let function = type.function, function.isAutoclosure else { return type }
    return function.result
  }
}

extension FunctionParameter {
  init(label: String?, _ element: TupleElement) {
    self.label = label
    isVariadic = element.isVariadic
    var modifiers: Set<TypeModifier> = []
    var type = element.type
    while case .modified(let modifier, let inner) = type {
      modifiers.insert(modifier)
      type = inner
    }
    self.type = element.isVariadic ? .array(of: type) : type
    isSending = modifiers.contains(.sending)
    isIsolated = modifiers.contains(.isolated)
    ownership =
      modifiers.contains(.inout)
      ? .inout
      : modifiers.contains(.owned) ? .owned : modifiers.contains(.shared) ? .shared : .standard
  }

  /// The parameter of a setter.
  static func newValue(of type: TypeNode?) -> FunctionParameter? {
    type.map { FunctionParameter(label: nil, TupleElement(type: $0)) }
  }
}
