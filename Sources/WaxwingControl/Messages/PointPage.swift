// SPDX-License-Identifier: MIT

/// Patch points of a program, with what a patch writes for them.
package struct PointPage: Hashable, Sendable, Codable {
  /// The name of the program.
  package let program: String
  /// The linker's build id.
  let buildID: String?
  /// The points, ordered by selector.
  package var points: [PointEntry]
  /// Where the next page begins; nil: this is the last.
  package var next: Int?
  /// Why nothing at all can be overridden in the program.
  package var failure: String?
  /// What these are; nil: patch points. An engine that does not know the kind that it is asked for answers so.
  package var kind: Kind?

  /// What a list is of.
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Functions that have replacement entries.
    case patchPoints
    case closures
    /// Functions that have none, which are overridden by rewriting their code.
    case code
  }

  /// Creates a page.
  package init(
    program: String, buildID: String?, points: [PointEntry], next: Int? = nil,
    failure: String? = nil, kind: Kind? = nil
  ) {
    self.kind = kind
    self.program = program
    self.buildID = buildID
    self.points = points
    self.next = next
    self.failure = failure
  }
}

/// One patch point.
package struct PointEntry: Hashable, Sendable, Codable {
  /// The kind of function that a patch overrides.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A function, method or initializer.
    case function
    case getter
    case willSet
    case didSet
    case setter
    /// Another accessor, which no patch can name.
    case other
    /// A closure. Only in pages of closures, as tools of older versions do not know it.
    case closure

    /// What stands between an owner and a member in a patch: `.get`.
    package var luaPart: String {
      switch self {
      case .getter: ".get"
      case .setter: ".set"
      case .willSet: ".willSet"
      case .didSet: ".didSet"
      case .function, .other, .closure: ""
      }
    }
  }

  /// The symbol of the function.
  package let symbol: String
  /// The whole name, which means this point alone: `Bank.Account.title.get`.
  package let selector: String
  /// The declaration in Swift's words, with types.
  package let declaration: String
  /// The module whose source has the function.
  package let module: String
  /// The argument of `class`, or of `module`.
  package let owner: String
  /// The owner's name for headings.
  package let ownerTitle: String
  /// Whether the owner is a type.
  package let isMember: Bool
  package let kind: Kind
  package let isStatic: Bool
  package let isAsync: Bool
  /// The text after the owner in a patch: `withdraw`, or `add(_: Swift.Int)`.
  package let member: String
  /// Names for the arguments of an override, without `self`.
  package let parameters: [String]
  /// Whether the owner may have a static value that is named like a part of a type object; nil: no.
  package let mayHideParts: Bool?
  /// Whether calls may end with an error; nil: they do not.
  package let isThrowing: Bool?
  /// The reason why the function cannot be overridden; nil if it can be, or nobody has looked.
  package let refusal: String?
  /// The parts of the signature that cross as opaque values, and the reason; nil if there are none,
  /// or nobody has looked.
  package let opaque: String?
  /// A further note for authors of overrides; nil if there is none, or nobody has looked.
  package let note: String?
  /// Where a closure is written, `Routes.swift:42`; nil if nothing tells.
  package var place: String?
  /// The variables that a closure has captured; nil if there are none, or nothing tells.
  package var captures: String?
  /// The part of the note that says which calls an override would miss; nil: none, as far as the program tells.
  package var missed: String?

  /// Creates an entry.
  package init(
    symbol: String, selector: String, declaration: String, module: String, owner: String,
    ownerTitle: String, isMember: Bool, kind: Kind, isStatic: Bool, isAsync: Bool, member: String,
    parameters: [String], mayHideParts: Bool? = nil, isThrowing: Bool? = nil, refusal: String?,
    opaque: String? = nil,
    note: String? = nil
  ) {
    self.symbol = symbol
    self.selector = selector
    self.declaration = declaration
    self.module = module
    self.owner = owner
    self.ownerTitle = ownerTitle
    self.isMember = isMember
    self.kind = kind
    self.isStatic = isStatic
    self.isAsync = isAsync
    self.member = member
    self.parameters = parameters
    self.mayHideParts = mayHideParts
    self.isThrowing = isThrowing
    self.refusal = refusal
    self.opaque = opaque
    self.note = note
  }

  /// Whether a selector contains the text, whatever its case.
  package static func selector(_ selector: String, matches pattern: String?) -> Bool {
    guard let pattern, !pattern.isEmpty else { return true }
    return SelectorPart(pattern).isPart(of: selector)
  }
}
