// SPDX-License-Identifier: MIT

package import WaxwingCalls
package import WaxwingControl
internal import WaxwingNames

/// A patch point as `waxwing points` shows it.
package struct ListedPoint {
  package let symbol: String
  /// The whole name, which means this point alone: `Bank.Account.title.get`.
  package let selector: String
  /// The declaration in Swift's words, with types.
  package let declaration: String
  package let module: String
  package let owner: PointOwner
  package let kind: PointEntry.Kind
  package let isStatic: Bool
  package let isAsync: Bool
  /// `withdraw`, or `add(_: Swift.Int)`.
  package let member: String
  package let parameters: [String]
  /// Why it cannot be overridden; nil: it can be, or nobody has looked.
  package let refusal: String?
  /// Which parts of the signature cross as opaque values, and why; nil: none, or nobody has looked.
  package let opaque: String?
  /// What else there is to know before overriding it; nil: nothing, or nobody has looked.
  package let note: String?
  /// File and line of the function, if that was asked for and is known.
  var source: String?

  package init(_ entry: PointEntry) {
    symbol = entry.symbol
    selector = entry.selector
    declaration = entry.declaration
    module = entry.module
    owner = PointOwner(name: entry.owner, title: entry.ownerTitle, isType: entry.isMember)
    kind = entry.kind
    isStatic = entry.isStatic
    isAsync = entry.isAsync
    member = entry.member
    parameters = entry.parameters
    refusal = entry.refusal
    opaque = entry.opaque
    note = entry.note
  }

  package init(_ point: PointDescription) {
    symbol = point.symbol
    selector = point.selector
    declaration = point.declaration
    module = point.module
    owner = PointOwner(
      name: point.owner.name, title: point.ownerTitle, isType: point.takesSelf)
    kind =
      switch point.kind {
      case .method?: .function
      case .getter?: .getter
      case .setter?: .setter
      case .willSet?: .willSet
      case .didSet?: .didSet
      case nil: .other
      }
    isStatic = point.isStatic
    isAsync = point.isAsync
    member = point.member
    parameters = point.parameters
    refusal = point.refusal
    opaque = point.opaque
    note = point.note
  }
}

/// The type or module that points are listed under.
package struct PointOwner: Hashable {
  /// The argument of `class` or `module`.
  package let name: String
  let title: String
  package let isType: Bool

  /// What a patch calls it: the last part of its name.
  package var local: String {
    LuaName.adapted(title.split(separator: ".").last ?? "") ?? (isType ? "Type" : "Module")
  }

  /// `class "Bank.Account"`
  package var expression: String { (isType ? "class " : "module ") + LuaName.quoted(name) }
}
