// SPDX-License-Identifier: MIT

/// The finding of one gate about a stage.
package struct GateFinding: Codable, Hashable, Sendable {
  /// The consequence of a finding. The worst of all findings is the verdict.
  package enum Weight: String, Codable, Sendable {
    /// The gate is passed.
    case passed
    /// The gate cannot be judged yet.
    case missing
    /// The set does harm.
    case harm
  }

  /// The gate that was judged.
  package var gate: Gate
  package var weight: Weight
  /// The numbers, in plain words.
  package var words: String

  /// The names of the gates.
  package enum Gate: String, Codable, CaseIterable, Sendable {
    case crashes, trouble, faults, errors, latency, silence, arrival, traffic, bake
  }
}
