// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingControl
import WaxwingDeclarations

/// A patch that overrides points with functions that only call the original: where an author begins,
/// and a test that a patch which changes nothing changes nothing.
struct PassThroughPatch {
  let listing: PointsListing
  let points: [ListedPoint]

  /// A Lua function has 200 local variables at most: with more owners than this each gets a block.
  private static let mostLocals = 100

  /// The names that the patch uses, which no local variable may hide.
  private static let used: Set = [
    "self", "original", "captured", "class", "module", "patch", "patching",
  ]

  var text: String {
    let groups = PointGroup.groups(of: points)
    let hasBlocks = groups.count > Self.mostLocals
    var taken = Self.used
    let parts = groups.map { group -> String in
      if hasBlocks { taken = Self.used }
      return Self.text(group, hasBlocks, &taken)
    }
    return ([head] + parts).joined(separator: "\n\n")
  }

  private var head: String {
    let name = LuaName.quoted(listing.program + "-pass-through")
    // The program that loads a library has another name, and would refuse the patch.
    let program = listing.isLibrary ? "" : ", program = \(LuaName.quoted(listing.program))"
    let mayMiss = points.contains {
      $0.refusal == nil && $0.note?.contains(CodeOfFunction.mayMissCalls) == true
    }
    return """
      -- Overrides that only call the original: keep what you need, and change it.
      patch { name = \(name)\(program)\(mayMiss ? ", partial = true" : "") }
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
    let lines = (["local \(local) = \(group.owner.expression)"] + functions)
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

  /// A Lua comment on one line, whatever the text contains: text after a line break would be code.
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

  /// The groups in the order of the first point of each owner. If some points of a type are written
  /// into its hidden parts, the type's own points are, too.
  static func groups(of points: [ListedPoint]) -> [PointGroup] {
    let hidden = Set(points.lazy.map(\.owner).filter { $0.part == .hidden }.map(\.name))
    func owner(_ point: ListedPoint) -> PointOwner {
      var owner = point.owner
      if owner.part == .all, owner.isType, hidden.contains(owner.name) { owner.part = .hidden }
      return owner
    }
    let byOwner = Dictionary(grouping: points, by: owner)
    var seen: Set<PointOwner> = []
    return points.map(owner).filter { seen.insert($0).inserted }
      .map { PointGroup(owner: $0, points: byOwner[$0] ?? []) }
  }
}
