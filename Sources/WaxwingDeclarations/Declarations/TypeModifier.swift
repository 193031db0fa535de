// SPDX-License-Identifier: MIT

/// A word before a type.
package enum TypeModifier: String, Hashable, Sendable {
  /// `inout`.
  case `inout` = "inout"
  /// `consuming` or `__owned`: the callee takes the value over.
  case owned = "__owned"
  /// `borrowing` or `__shared`.
  case shared = "__shared"
  /// `isolated`: the actor that the function runs on.
  case isolated = "isolated"
  /// `sending`.
  case sending = "sending"
  /// `weak`.
  case weak = "weak"
  /// `unowned`.
  case unowned = "unowned"
  /// `unowned(unsafe)`.
  case unmanaged = "unowned(unsafe)"
  /// `@noDerivative`.
  case noDerivative = "@noDerivative"
  /// `_const`.
  case compileTimeLiteral = "_const"
  /// `@const`.
  case constant = "@const"
}

extension TypeModifier {
  /// The word in today's source; the raw value is the official demangler's.
  var keyword: String {
    switch self {
    case .owned: "consuming"
    case .shared: "borrowing"
    default: rawValue
    }
  }
}

/// The representation of a metatype's value.
package enum MetatypeRepresentation: String, Hashable, Sendable {
  /// The metatype takes no storage, because the type is known.
  case thin = "@thin"
  /// A pointer to metadata.
  case thick = "@thick"
  /// An Objective-C class.
  case objc = "@objc_metatype"
}
