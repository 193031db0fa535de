// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The output of `waxwing points`: by type and module, each point as a patch writes it.
struct PointsText {
  let listing: PointsListing
  let points: [ListedPoint]

  var lines: [String] {
    PointGroup.groups(of: points).flatMap { lines($0) + [""] } + summary
  }

  private func lines(_ group: PointGroup) -> [String] {
    let width = group.points.map { min($0.form.count, Self.mostColumns) }.max() ?? 0
    let lines = group.points.flatMap { point -> [String] in
      let gap = String(repeating: " ", count: max(0, width - point.form.count) + 2)
      let mark = point.refusal == nil ? "  " : "! "
      let source = (point.source ?? point.place).map { ["    at \($0)"] } ?? []
      let captures = point.captures.map { ["    captures \($0)"] } ?? []
      let refusal = point.refusal.map { ["    cannot be overridden: \($0)"] } ?? []
      let opaque = point.opaque.map { ["    opaque: \($0)"] } ?? []
      let note = point.note.map { ["    note: \($0)"] } ?? []
      return [mark + point.form + gap + point.declaration] + source + captures + refusal + opaque
        + note
    }
    return ["local \(group.owner.local) = \(group.owner.expression)"] + lines
  }

  /// The widest form for which all declarations are aligned; a longer form moves its own
  /// declaration only.
  private static let mostColumns = 60

  private var summary: [String] {
    let refused = points.compactMap(\.refusal)
    let count = counted(points.count, listing.kind.word)
    let verdict =
      switch (listing.unchecked, refused.isEmpty) {
      case (nil, true): "\(count), all can be overridden"
      case (nil, false):
        "\(count): \(points.count - refused.count) can be overridden, \(refused.count) cannot"
      case (_, true): "\(count), not checked"
      case (_, false): "\(count), not checked but for \(refused.count) that cannot be overridden"
      }
    return [verdict] + Self.reasons(refused)
  }

  /// How many points each reason stands for, the commonest first.
  private static func reasons(_ refused: [String]) -> [String] {
    let counts = Dictionary(grouping: refused) { $0 }.mapValues(\.count)
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let width = "\(sorted.first?.value ?? 0)".count
    return sorted.map { reason, count in
      let number = "\(count)"
      return "  " + String(repeating: " ", count: width - number.count) + "\(number)  \(reason)"
    }
  }
}
