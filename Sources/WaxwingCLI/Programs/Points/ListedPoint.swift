// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl

/// A patch point as `waxwing points` shows it.
struct ListedPoint {
  let symbol: String
  /// The whole name, which means this point alone: `Bank.Account.title.get`.
  let selector: String
  /// The declaration in Swift's words, with types.
  let declaration: String
  let module: String
  let owner: PointOwner
  let kind: PointEntry.Kind
  let isStatic: Bool
  let isAsync: Bool
  /// `withdraw`, or `add(_: Swift.Int)`.
  let member: String
  let parameters: [String]
  /// The reason why the function cannot be overridden; nil if it can be, or nobody has looked.
  let refusal: String?
  /// The parts of the signature that cross as opaque values, and the reason; nil if there are none,
  /// or nobody has looked.
  let opaque: String?
  /// A further note for authors of overrides; nil if there is none, or nobody has looked.
  let note: String?
  /// The variables that a closure has captured; nil if there are none, or nothing tells.
  let captures: String?
  /// Where a closure is written; nil if nothing tells.
  let place: String?
  /// File and line of the function, if that was asked for and is known.
  var source: String?

  init(_ entry: PointEntry) {
    symbol = entry.symbol
    selector = entry.selector
    declaration = entry.declaration
    module = entry.module
    owner = PointOwner(
      name: entry.owner, title: entry.ownerTitle, isType: entry.isMember,
      part: .of(entry.kind, isStatic: entry.isStatic, mayBeHidden: entry.mayHideParts ?? false))
    kind = entry.kind
    isStatic = entry.isStatic
    isAsync = entry.isAsync
    member = entry.member
    parameters = entry.parameters
    refusal = entry.refusal
    opaque = entry.opaque
    note = entry.note
    (place, captures) = (entry.place, entry.captures)
  }

  init(_ point: PointDescription) {
    symbol = point.symbol
    selector = point.selector
    declaration = point.declaration
    module = point.module
    kind =
      switch point.kind {
      case _ where point.isClosure: .closure
      case .method?: .function
      case .getter?: .getter
      case .setter?: .setter
      case .willSet?: .willSet
      case .didSet?: .didSet
      case nil: .other
      }
    owner = PointOwner(
      name: point.owner.name, title: point.ownerTitle, isType: point.takesSelf,
      part: .of(kind, isStatic: point.isStatic, mayBeHidden: point.mayHideParts))
    isStatic = point.isStatic
    isAsync = point.isAsync
    member = point.member
    parameters = point.parameters
    refusal = point.refusal
    opaque = point.opaque
    note = point.note
    (place, captures) = (point.place, point.captures)
  }
}

/// The type or module that points are listed under, and what a patch writes the overrides into.
struct PointOwner: Hashable {
  /// The part of a type object that an override is assigned to, `Type.static.get`.
  enum Part: Hashable {
    /// The type object itself, whose parts are there.
    case all
    /// The parts of the type object, if a static value of the type may have the name of a part: the
    /// value of the program comes first then.
    case hidden
    /// The parts of its static members, where these may be hidden.
    case hiddenStatic

    static func of(_ kind: PointEntry.Kind, isStatic: Bool, mayBeHidden: Bool) -> Part {
      let isAccessor = ![.function, .other, .closure].contains(kind)
      guard mayBeHidden, isStatic || isAccessor else { return .all }
      return isStatic && isAccessor ? .hiddenStatic : .hidden
    }
  }

  /// The argument of `class` or `module`.
  let name: String
  let title: String
  let isType: Bool
  var part = Part.all

  /// The name of the owner in a patch: the last part of its name, followed by `Static` if it has
  /// static members only.
  var local: String {
    let last = LuaName.adapted(title.split(separator: ".").last ?? "")
    return (last ?? (isType ? "Type" : "Module")) + (part == .hiddenStatic ? "Static" : "")
  }

  /// `class "Bank.Account"`, `patching "bankd.HTTPMethod"`
  var expression: String {
    let name = LuaName.quoted(name)
    return switch part {
    case .all: (isType ? "class " : "module ") + name
    case .hidden: "patching " + name
    case .hiddenStatic: "patching(patching(\(name)).static)"
    }
  }
}
