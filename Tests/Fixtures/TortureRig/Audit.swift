// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TortureFixture
import Waxwing

/// Adds up what threads have seen, what bodies have counted and what the engine has: they have to
/// agree. No call may be in flight.
struct Audit {
  let crowd: Crowd
  let director: Director

  /// While patches are live: the engine's own counters.
  func checkLists() throws {
    for patch in try WaxwingEngine.list() where patch.state == .active {
      guard let live = director.live.first(where: { $0.name == patch.name }) else {
        throw Violation("\(patch.name) is listed")
      }
      let ofClass = patch.overrides.filter { $0.owner == "\(patch.name).Lamp" }
      try require(
        patch.overrides.count == live.kinds.count + ofClass.count
          && ofClass.isEmpty != live.kinds.contains(.lamp), "\(patch.name) has other overrides")
      for override in ofClass where override.errors > 0 {
        throw Violation("\(override.selector) failed: \(String(describing: override.lastError))")
      }
      for override in patch.overrides where override.owner != "\(patch.name).Lamp" {
        guard let kind = TortureKind.allCases.first(where: { $0.selector == override.selector })
        else { throw Violation("\(override.selector) is listed") }
        let ran = TortureLedger.overrides(kind, live.generation)
        try require(
          override.calls == ran && override.errors == 0,
          "\(kind) of \(patch.name) has \(override.calls) calls and \(override.errors) errors; "
            + "\(ran) bodies have run; \(String(describing: override.lastError))")
      }
    }
  }

  /// After all patches have ended.
  func checkBaseline() throws {
    var listed = try WaxwingEngine.list().map(\.name)
    // Lamps that only a patch that has ended still holds die when its collector gets to them.
    let end = ContinuousClock.now + .seconds(30)
    while !listed.isEmpty, ContinuousClock.now < end {
      usleep(1000)
      listed = try WaxwingEngine.list().map(\.name)
    }
    try require(listed.isEmpty, "still listed after all has ended: \(listed)")
    try require(WaxwingEngine.versions == [:], "versions are \(WaxwingEngine.versions)")
    try director.requireBaseline()
    try require(TortureToken.alive == 0, "\(TortureToken.alive) objects are alive")
    try require(TortureLamp.alive == 0, "\(TortureLamp.alive) lamps are alive")
    try checkOriginals()
    try checkOverrides()
  }

  private func checkOriginals() throws {
    for kind in TortureKind.allCases {
      let called = crowd.witnesses.reduce(0) {
        $0 + $1.calls[kind.rawValue] - $1.lidded[kind.rawValue]
      }
      let expected =
        switch kind {
        case .descend: crowd.descents
        case .blocks, .holds: director.laggardCalls[kind] ?? 0
        default: called
        }
      let ran = TortureLedger.originals(kind)
      try require(
        ran == expected, "the original of \(kind) has run \(ran) times, in \(expected) calls")
    }
  }

  private func checkOverrides() throws {
    for kind in TortureKind.allCases where kind != .descend {
      for generation in 1..<TortureLedger.generations {
        let index = kind.rawValue * TortureLedger.generations + generation
        var seen = crowd.witnesses.reduce(0) { $0 + $1.overrides[index] }
        seen += director.laggardOverrides[kind]?[generation] ?? 0
        let ran = TortureLedger.overrides(kind, generation)
        // The call of an async override that waits when its patch ends at once is answered without it.
        let isLeft =
          kind.isAsync
          && director.chronicle.with(generation) { $0.endsAtOnce.load(ordering: .relaxed) }
        try require(
          ran == seen || isLeft && ran > seen,
          "override \(generation) of \(kind) has run \(ran) times; seen were \(seen)")
      }
    }
  }
}
