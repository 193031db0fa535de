// SPDX-License-Identifier: MIT

import WaxwingReflection

/// The patch points of an executable file, by way of `WaxwingReflection`.
enum PointsListing {
  /// The patch points of an executable file, ordered by selector.
  static func points(inFileAt path: String) throws(CommandError) -> [ListedPoint] {
    do throws(ElfError) {
      let catalog = try PatchPointCatalog(image: ElfImage(path: path))
      return catalog.points.map { point in
        ListedPoint(
          selector: point.declaration.qualifiedName, declaration: point.declaration.description)
      }
    } catch {
      throw CommandError(.refused, "\(path): \(error.message)")
    }
  }
}
