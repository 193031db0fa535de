// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingReflection

/// The listing that a client is reading page by page, so that a page does not name all functions of the program anew.
final class PagedListing: Sendable {
  private struct Listing {
    let program: ObjectIdentifier
    /// How many functions the program had: a library that is loaded brings more.
    let functions: Int
    let kinds: PatchQueries.ListedKinds
    let pattern: String?
    let points: ListedPoints
  }

  private let current = Mutex<Listing?>(nil)

  /// The points that a listing shows.
  /// - Parameter isFirstPage: Whether the listing begins: it sees the program as it is now.
  func points(
    of program: RunningProgram, _ kinds: PatchQueries.ListedKinds, matching pattern: String?,
    isFirstPage: Bool
  ) -> ListedPoints {
    let (id, count) = (ObjectIdentifier(program), program.patchPoints.count)
    let known = current.withLock { listing in
      guard !isFirstPage, let listing, listing.program == id, listing.functions == count,
        listing.kinds == kinds, listing.pattern == pattern
      else { return ListedPoints?.none }
      return listing.points
    }
    if let known { return known }
    let points = ListedPoints(of: program, kinds, matching: pattern)
    let listing = Listing(
      program: id, functions: count, kinds: kinds, pattern: pattern, points: points)
    let old = current.withLock { current in
      defer { current = listing }
      return current
    }
    withExtendedLifetime(old) {}  // not released under the lock
    return points
  }

  /// Forgets the listing: its last page is asked for.
  func forget() {
    let old = current.withLock { current in
      defer { current = nil }
      return current
    }
    withExtendedLifetime(old) {}
  }
}
