// SPDX-License-Identifier: MIT

/// Adapter: patch points by way of `WaxwingReflection`.
enum PointsListing {
  /// The patch points of an executable file, ordered by selector.
  static func points(inFileAt path: String) throws(CommandError) -> [ListedPoint] {
    throw CommandError(
      .failure, "cannot read \(path): this tool was built without reflection",
      remedy: "build it with the WaxwingReflection target")
  }
}
