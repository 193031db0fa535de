// SPDX-License-Identifier: MIT

/// Exceptions, by the names of the points.
enum Known {
  /// What is changed by an override that only calls the original, though it must not be. A point that
  /// is mended has to be taken off the list.
  static let changing: Set<String> = [
    "SweepFixture.Letter.contents()",
    "SweepFixture.Parcel.adding(_:)",
    "SweepFixture.Parcel.checked()",
    "SweepFixture.Parcel.opened()",
    "SweepFixture.Parcel.sent(to:)",
    "SweepFixture.Source.typed.get",
    "SweepFixture.Stamp.used()",
    "SweepFixture.optionalVoid(_:)",
    "Swift.Sequence.bounds()",
  ]

  /// What nothing can call: initializers that a subclass does not inherit, those of a shared instance
  /// that is there already, and what the compiler derives.
  static let uncalled: Set<String> = [
    "SweepFixture.PlainState.hash(into:)",
    "SweepFixture.Polygon.init(named:)",
    "SweepFixture.Ring.init()",
    "SweepFixture.Square.init()",
    "SweepFixture.Square.init(lengths:)",
  ]
}
