// SPDX-License-Identifier: MIT

/// Exceptions, by the names of the points.
enum Known {
  /// In release: an override can pass the arguments on, and not read them, as the function saves fewer
  /// registers than its types tell.
  static let passedOnOnly: Set<String> = ["SweepFixture.Ware.remould(_:)"]

  /// What nothing can call: initializers that a subclass does not inherit, those of a shared instance
  /// that is there already, and what the compiler derives.
  static let uncalled: Set<String> = [
    "SweepFixture.PlainState.hash(into:)",
    "SweepFixture.Polygon.init(named:)",
    "SweepFixture.Ring.init()",
    "SweepFixture.Square.init()",
    "SweepFixture.Square.init(lengths:)",
    "SweepPrograms.Store.init()",
  ]
}
