// SPDX-License-Identifier: MIT

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
      try require(
        patch.overrides.count == live.kinds.count, "\(patch.name) has other overrides")
      for override in patch.overrides {
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
    let listed = try WaxwingEngine.list().map(\.name)
    try require(listed.isEmpty, "still listed after all has ended: \(listed)")
    try require(WaxwingEngine.versions == [:], "versions are \(WaxwingEngine.versions)")
    try Entries.requireBaseline()
    try require(TortureToken.alive == 0, "\(TortureToken.alive) objects are alive")
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
        case .blocks: director.laggardCalls
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
        if kind == .blocks { seen += director.laggardOverrides[generation] ?? 0 }
        let ran = TortureLedger.overrides(kind, generation)
        try require(
          ran == seen, "override \(generation) of \(kind) has run \(ran) times; seen were \(seen)")
      }
    }
  }
}
