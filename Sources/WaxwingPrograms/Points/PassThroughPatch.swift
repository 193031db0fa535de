// SPDX-License-Identifier: MIT

internal import WaxwingControl
import WaxwingDeclarations
internal import WaxwingNames

/// A patch that overrides points with functions that only call the original: where an author begins,
/// and a test that a patch which changes nothing changes nothing.
struct PassThroughPatch {
  let program: String
  let points: [ListedPoint]

  /// A Lua function has 200 local variables at most: with more owners than this each gets a block.
  private static let mostLocals = 100

  var text: String {
    let groups = PointGroup.groups(of: points)
    let hasBlocks = groups.count > Self.mostLocals
    var taken: Set = ["self", "original", "class", "module", "patch"]
    let parts = groups.map { group -> String in
      if hasBlocks { taken = ["self", "original", "class", "module", "patch"] }
      return Self.text(group, hasBlocks, &taken)
    }
    return ([head] + parts).joined(separator: "\n\n")
  }

  private var head: String {
    """
    -- Overrides that only call the original: keep what you need, and change it.
    patch { name = \(LuaName.quoted(program + "-pass-through")), program = \(LuaName.quoted(program)) }
    """
  }

  private static func text(
    _ group: PointGroup, _ isBlock: Bool, _ taken: inout Set<String>
  ) -> String {
    guard group.points.contains(where: { $0.refusal == nil }) else {
      return group.points.map(refused).joined(separator: "\n")
    }
    let local = unique(group.owner.local, &taken)
    let functions = group.points.map { point in
      point.refusal == nil ? accepted(point, local) : refused(point)
    }
    let lines = (["local \(local) = \(group.expression)"] + functions)
      .joined(separator: "\n\n")
    guard isBlock else { return lines }
    let indented = lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  " + $0 }
    return (["do"] + indented + ["end"]).joined(separator: "\n")
  }

  private static func accepted(_ point: ListedPoint, _ local: String) -> String {
    let note = point.opaque.map { [comment("opaque: \($0)")] } ?? []
    return (note + point.passThrough(local)).joined(separator: "\n")
  }

  private static func refused(_ point: ListedPoint) -> String {
    comment("\(point.selector) cannot be overridden: \(point.refusal ?? "")")
  }

  /// On one line, whatever is in it: what follows a line break would be code.
  private static func comment(_ text: String) -> String { "-- " + VisibleText.line(text) }

  private static func unique(_ wanted: String, _ taken: inout Set<String>) -> String {
    var name = wanted
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(wanted)\(number)"
      number += 1
    }
    return name
  }
}

/// The points of one type or module.
struct PointGroup {
  let owner: PointOwner
  let points: [ListedPoint]

  /// What a patch writes the overrides into: `class "Bank.Account"`, or `patching "bankd.HTTPMethod"` where a
  /// static member of the type could have the name of a part that overrides are written with, as an
  /// enum's case `get` has: the program's members come before ours.
  var expression: String {
    owner.isType && usesParts && mayHideParts
      ? "patching " + LuaName.quoted(owner.name) : owner.expression
  }

  private var usesParts: Bool {
    points.contains { $0.isStatic || ![.function, .other].contains($0.kind) }
  }

  private var mayHideParts: Bool {
    let parts: Set<Substring> = ["didSet", "get", "set", "static", "willSet"]
    if points.contains(where: { $0.isStatic && parts.contains($0.member.prefix { $0 != "(" }) }) {
      return true
    }
    let symbol = points.first.flatMap { FunctionDeclaration(symbol: $0.symbol) }
    return symbol?.contextType?.nominal?.kind == .enum
  }

  /// In the order of the first point of each owner.
  static func groups(of points: [ListedPoint]) -> [PointGroup] {
    let byOwner = Dictionary(grouping: points, by: \.owner)
    var seen: Set<PointOwner> = []
    return points.map(\.owner).filter { seen.insert($0).inserted }
      .map { PointGroup(owner: $0, points: byOwner[$0] ?? []) }
  }
}
