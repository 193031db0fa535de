// SPDX-License-Identifier: MIT

/// The names nearest to one that nothing has.
package enum NearMisses {
  /// At most three names, nearest first: those that differ in few letters, in case only, or that
  /// contain what was written.
  package static func of(_ name: String, among names: some Sequence<String>) -> [String] {
    let wanted = name.lowercased()
    let limit = max(1, wanted.count / 3)
    var scored: [(score: Int, name: String)] = []
    for candidate in Set(names) {
      let base = candidate.prefix { $0 != "(" }.lowercased()
      let score = min(
        distance(wanted, candidate.lowercased()), distance(wanted, base),
        wanted.count > 2 && base.contains(wanted) ? limit : .max)
      if score <= limit { scored.append((score, candidate)) }
    }
    return scored.sorted { ($0.score, $0.name) < ($1.score, $1.name) }.prefix(3).map(\.name)
  }

  /// Levenshtein's distance.
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left), right = Array(right)
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let substituted = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
