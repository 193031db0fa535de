// SPDX-License-Identifier: MIT

/// Which of several fits of a call are best.
enum OverloadRanking {
  typealias Ranked = (candidate: OverloadCandidate, fit: OverloadCandidate.Fit)

  /// One candidate, or several if none of them is better than the others.
  static func best(_ fitting: [Ranked]) -> [OverloadCandidate] {
    let undominated = fitting.filter { one in
      !fitting.contains { isBetter($0.fit.costs, one.fit.costs) }
    }
    guard let first = undominated.first,
      undominated.allSatisfy({ $0.fit.costs == first.fit.costs })
    else { return undominated.map(\.candidate) }
    let least = undominated.map(\.fit.tieBreakers).min {
      $0.lexicographicallyPrecedes($1)
    }
    return undominated.filter { $0.fit.tieBreakers == least }.map(\.candidate)
  }

  /// Nowhere worse, and somewhere better.
  private static func isBetter(_ left: [Int], _ right: [Int]) -> Bool {
    left.count == right.count && left != right && zip(left, right).allSatisfy { $0 <= $1 }
  }
}
