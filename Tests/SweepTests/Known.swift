// SPDX-License-Identifier: MIT

/// Exceptions, by the names of the points.
enum Known {
  /// Members of extensions that require a superclass of `Self`: their calls pass other witness tables than the
  /// signature tells. Overrides can pass the arguments on, and not read them.
  static let passedOnOnly: Set<String> = [
    "SweepFixture.Choice.fresh(_:)", "SweepFixture.Choice.inside(_:)",
    "SweepFixture.Choice.named(_:)",
  ]

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
