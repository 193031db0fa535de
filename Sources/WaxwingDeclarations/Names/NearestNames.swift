// SPDX-License-Identifier: MIT

/// Finds the names that a mistyped one probably meant.
package enum NearestNames {
  /// The candidates nearest to `name`, best first; none if all are too far away to be meant.
  ///
  /// A candidate counts if about a third of its characters, at most, have to change, or if one of
  /// the two is the start of the other. Case counts half.
  /// - Complexity: O(candidates × length²), with lengths cut at 128.
  package static func nearest(
    to name: String, in candidates: some Sequence<String>, limit: Int = 3
  ) -> [String] {
    let wanted = Array(name.unicodeScalars.prefix(128))
    var found: [(name: String, distance: Int)] = []
    for candidate in candidates where candidate != name {
      let other = Array(candidate.unicodeScalars.prefix(128))
      let allowed = max(2, max(wanted.count, other.count) * 2 / 3)
      let isStart = min(wanted.count, other.count) >= 3 && startsAlike(wanted, other)
      guard isStart || abs(wanted.count - other.count) * 2 <= allowed else { continue }
      let distance = distance(wanted, other, atMost: isStart ? max(allowed, 3) : allowed)
      // Equal letters in one name of two are chance: `list` is not meant by `a`.
      guard isStart || (distance <= allowed && distance < 2 * min(wanted.count, other.count))
      else { continue }
      found.append((candidate, isStart ? min(distance, 3) : distance))
    }
    found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return found.prefix(limit).map(\.name)
  }

  /// `did you mean 'a'?`, `did you mean 'a' or 'b'?`, or nil if nothing is near.
  package static func question(for name: String, in candidates: some Sequence<String>) -> String? {
    let quoted = nearest(to: name, in: candidates).map { "'\($0)'" }
    guard let last = quoted.last else { return nil }
    if quoted.count == 1 { return "did you mean \(last)?" }
    return "did you mean \(quoted.dropLast().joined(separator: ", ")) or \(last)?"
  }

  private static func startsAlike(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Bool {
    a.count < b.count ? b.starts(with: a) : a.starts(with: b)
  }

  /// Twice the number of insertions, removals, exchanges and swaps of neighbours; a change of
  /// case alone costs one. Beyond a limit it is some number above that.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int = .max)
    -> Int
  {
    var beforePrevious: [Int] = []
    // All ways lead through one of two rows that follow each other.
    var wasFar = false
    var previous = (0...b.count).map { $0 * 2 }
    for i in a.indices {
      var current = [(i + 1) * 2]
      current.reserveCapacity(b.count + 1)
      for j in b.indices {
        var best = min(previous[j + 1], current[j]) + 2
        best = min(best, previous[j] + exchangeCost(a[i], b[j]))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 2)
        }
        current.append(best)
      }
      let isFar = current.allSatisfy { $0 > limit }
      if isFar, wasFar { return current[0] }
      wasFar = isFar
      (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count]
  }

  private static func exchangeCost(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Int {
    if a == b { return 0 }
    if a.isASCII, b.isASCII { return a.value ^ b.value == 0x20 && isLetter(a) ? 1 : 2 }
    return a.properties.lowercaseMapping == b.properties.lowercaseMapping ? 1 : 2
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
