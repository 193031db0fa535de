// SPDX-License-Identifier: MIT

/// The store's one document: which patches are kept, and what is known about them. A change of anything
/// is a new document in the place of the old one.
package struct StoreState: Hashable, Sendable {
  /// The format that this engine writes, and the newest that it reads.
  package static let format = 1

  /// Goes up with each document.
  package var generation = 0
  /// The build of the program that wrote it.
  package var build = ""
  /// The latest time of day that was seen: the clock may be set back, and expiry must not be.
  package var lastSeen = 0
  /// The kept patches, in the order in which they start.
  package var active: [KeptPatch] = []
  /// The patches that processes died in, oldest first.
  package var strikes: [Strike] = []
  package var quarantine: [QuarantinedPatch] = []
  package var crashLoop: CrashLoop?
  /// The highest serial number that was accepted.
  package var floors: [FloorKey: Int] = [:]

  package init() {}

  /// Whether anything is kept at all.
  package var isEmpty: Bool { active.isEmpty && quarantine.isEmpty }

  /// The files that must stay.
  var hashes: Set<StoreHash> { Set(active.map(\.hash) + quarantine.map(\.patch.hash)) }

  /// A patch takes the place of the one of its name, or comes last.
  package mutating func keep(_ patch: KeptPatch) {
    quarantine.removeAll { $0.patch.name == patch.name }
    if let index = active.firstIndex(where: { $0.name == patch.name }) {
      active[index] = patch
    } else {
      active.append(patch)
    }
  }

  /// The time to judge by: never before what was seen, and no leap of ten years.
  package func trustedTime(_ now: Int) -> Int {
    let leap = 10 * 366 * 86_400
    if lastSeen > 0, now - lastSeen > leap { return lastSeen }
    return max(now, lastSeen)
  }

  /// A serial number was accepted.
  package mutating func raiseFloor(_ key: FloorKey, to serial: Int) {
    floors[key] = max(floors[key] ?? 0, serial)
  }
}
