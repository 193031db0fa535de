// SPDX-License-Identifier: MIT

/// One step of a rollout: the share of the nodes that have the set, and the time before the next
/// step.
package struct RolloutStage: Hashable, Sendable, Codable {
  /// The share of nodes in hundredths of a percent; 0: the canaries only.
  package let basisPoints: Int
  /// How long the stage lasts at least, in seconds.
  package let bakeSeconds: Int

  /// Creates a stage.
  package init(basisPoints: Int, bakeSeconds: Int) {
    self.basisPoints = basisPoints
    self.bakeSeconds = bakeSeconds
  }

  /// Whether the stage is that of the canaries only.
  package var isCanary: Bool { basisPoints == 0 }

  /// Whether the stage is all nodes.
  var isEverybody: Bool { basisPoints >= 10_000 }

  /// The name of the stage: `canary`, `5%`, `0.25%`.
  package var name: String {
    guard !isCanary else { return "canary" }
    let (whole, part) = basisPoints.quotientAndRemainder(dividingBy: 100)
    guard part != 0 else { return "\(whole)%" }
    let digits = part < 10 ? "0\(part)" : "\(part)"
    return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits)%"
  }

  /// Reads `canary,1%,5%@20m,100%`: each stage may have a time of its own after `@`.
  /// - Throws: ``FleetError`` `invalid`.
  package static func list(_ text: String, bakeSeconds: Int) throws(FleetError) -> [RolloutStage] {
    var stages: [RolloutStage] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "@", omittingEmptySubsequences: false)
      guard let points = points(parts[0]), parts.count <= 2 else { throw malformed(word) }
      var seconds = bakeSeconds
      if parts.count == 2 {
        guard let own = FleetDuration.seconds(parts[1]) else { throw malformed(word) }
        seconds = own
      }
      stages.append(RolloutStage(basisPoints: points, bakeSeconds: seconds))
    }
    let points = stages.map(\.basisPoints)
    guard zip(points, points.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw FleetError(
        .invalid, "the stages '\(text)' do not grow",
        remedy: "give them in order, `canary` first: canary,1%,5%,25%,100%")
    }
    return stages
  }

  private static func points(_ word: Substring) -> Int? {
    if word == "canary" { return 0 }
    guard word.hasSuffix("%") else { return nil }
    let parts = word.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int(parts[0]), whole >= 0, whole <= 100 else { return nil }
    var points = whole * 100
    if parts.count == 2 {
      guard (1...2).contains(parts[1].count), let part = Int(parts[1]), part >= 0 else {
        return nil
      }
      points += parts[1].count == 1 ? part * 10 : part
    }
    return (1...10_000).contains(points) ? points : nil
  }

  private static func malformed(_ word: Substring) -> FleetError {
    FleetError(
      .invalid, "'\(word)' is not a stage",
      remedy: "a stage is `canary`, or a share like 5% or 0.5%, with its own time as in 5%@20m")
  }
}
