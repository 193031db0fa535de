// SPDX-License-Identifier: MIT

/// A patch point as lists show it: its declaration, its name in patches, and whether it can be
/// overridden.
package struct PointDescription: Sendable {
  /// Where the function is declared, as a patch names it.
  package enum Owner: Hashable, Sendable {
    /// The argument of `class`.
    case type(String)
    /// The argument of `module`.
    case module(String)

    package var name: String {
      switch self {
      case .type(let name), .module(let name): name
      }
    }
  }

  package let symbol: String
  /// The whole name, which means this point alone: `Bank.Account.title.get`.
  package let selector: String
  /// The name by which rules about what may be overridden know the function: that of all overloads.
  package let plainSelector: String
  /// The declaration in Swift's words, with types.
  package let declaration: String
  /// The module whose source has the function.
  package let module: String
  package let owner: Owner
  /// The owner's name for messages and headings.
  package let ownerTitle: String
  /// The kind of the function for names; nil for an accessor that no patch can name.
  package let kind: MemberKind?
  package let isStatic: Bool
  package let isAsync: Bool
  /// Whether calls may end with an error.
  package let isThrowing: Bool
  /// The text after the owner's name in a patch, such as `withdraw`, or the text in brackets and
  /// quotes, such as `add(_: Swift.Int)`.
  package let member: String
  /// Names for the arguments that an override gets after `self`.
  package let parameters: [String]
  /// Whether an override gets `self` first.
  package let takesSelf: Bool
  /// Where the function's code is in its image; nil if the image does not name it.
  let address: UInt64?
  /// Whether the owner may have a static value that is named like a part of a type object, such as a case
  /// `get`: `patching` gives the parts in any case.
  package let mayHideParts: Bool
  /// The reason why the function cannot be overridden; nil if it can be, or nobody has looked.
  package var refusal: String?
  /// A further note for authors of overrides; nil if there is none, or nobody has looked.
  package var note: String?
  /// The part of the note that says which calls an override would miss; nil: none, as far as the program tells.
  package var missed: String?
  /// Whether it is overridden by rewriting its code.
  package var isRewritten = false
  /// Whether it is a closure, which gets no `self`.
  package var isClosure = false
  /// Where a closure is written, `Routes.swift:42`; nil if nothing tells, or nobody has looked.
  package var place: String?
  /// The variables that a closure has captured, as a declaration has them; nil if it has captured none, nothing tells,
  /// or nobody has looked.
  package var captures: String?
  /// Whether the class does not have the initializer: what has its symbol is the compiler's stub. Lists
  /// leave it out.
  package var isMissing = false
  /// The parts of the signature that cross as opaque values, and the reason; nil if there are none,
  /// or nobody has looked.
  package var opaque: String?
}

extension PointDescription {
  /// Whether a point's note says that it does not switch to its caller's actor: see `SwitchlessFunction`.
  package static func isSwitchless(note: String?) -> Bool { note == SwitchlessFunction.note }

  /// The compiler options for a program with such functions.
  package static let switchRemedy = SwitchlessFunction.remedy
}
