// SPDX-License-Identifier: MIT

/// Exceptions, by the names of the points.
enum Known {
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
