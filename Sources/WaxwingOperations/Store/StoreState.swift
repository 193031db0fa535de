// SPDX-License-Identifier: MIT

package import WaxwingPatches

/// The store's one document: which patches are kept, and the facts about them. Each change is a new
/// document that replaces the old one.
package struct StoreState: Hashable, Sendable {
  /// The format that this engine writes, and the newest that it reads.
  package static let format = 2

  /// Goes up with each document.
  package var generation = 0
  /// The build of the program that wrote it.
  package var build = ""
  /// The latest time of day that was seen: the clock may be set back, and expiry must not be.
  package var lastSeen = 0
  /// The kept patches, in the order in which they start.
  package var active: [KeptPatch] = []
  /// The versions of patches that the program has stayed up with, the newest last; of a name at most two.
  package var good: [KeptPatch] = []
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
  var hashes: Set<ContentHash> {
    Set(active.map(\.hash) + good.map(\.hash) + quarantine.map(\.patch.hash))
  }

  /// A patch takes the place of the one of its name, or comes last.
  package mutating func keep(_ patch: KeptPatch) {
    quarantine.removeAll { $0.patch.name == patch.name }
    if let index = active.firstIndex(where: { $0.name == patch.name }) {
      active[index] = patch
    } else {
      active.append(patch)
    }
  }

  /// Patches are not kept any more.
  /// - Parameter names: Theirs; nil: all.
  package mutating func forget(_ names: Set<String>?) {
    active.removeAll { names?.contains($0.name) ?? true }
    good.removeAll { names?.contains($0.name) ?? true }
    if names == nil { crashLoop = nil }
  }

  /// The program has stayed up with these of the kept patches.
  package mutating func bless(_ hashes: Set<ContentHash>) {
    for patch in active where hashes.contains(patch.hash) {
      let older = good.filter {
        $0.name == patch.name && $0.hash != patch.hash && $0.build == patch.build
      }
      if good.last(where: { $0.name == patch.name }) == patch { continue }
      good.removeAll { $0.name == patch.name }
      good += older.suffix(1) + [patch]
    }
  }

  /// The patch to start in place of one that is set aside: the version before it with which the
  /// program has stayed up.
  package func fallback(for patch: KeptPatch) -> KeptPatch? {
    let aside = Set(quarantine.map(\.patch.hash))
    return good.last {
      $0.name == patch.name && $0.build == patch.build && $0.hash != patch.hash
        && !aside.contains($0.hash)
    }
  }

  /// Keeps again the patches that were set aside, in place of those that were started instead.
  package mutating func takeBack() {
    for entry in quarantine {
      if let index = active.firstIndex(where: { $0.name == entry.patch.name }) {
        active[index] = entry.patch
      } else {
        active.append(entry.patch)
      }
    }
    (quarantine, strikes, crashLoop) = ([], [], nil)
  }

  /// The time to judge by: never before what was seen, and no leap of ten years.
  package func trustedTime(_ now: Int) -> Int {
    TrustedTime(now: now, lastSeen: lastSeen > 0 ? lastSeen : nil).seconds
  }
}
