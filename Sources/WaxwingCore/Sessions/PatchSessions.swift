// SPDX-License-Identifier: MIT

import Synchronization

/// The sessions of this process: those that are live, and those that have ended and are not closed yet.
///
/// Unchecked: only for the thread that is in an operation of the engine, but for the generation.
package final class PatchSessions: @unchecked Sendable {
  /// The sessions, oldest first.
  package private(set) var all: [PatchSession] = []
  private var lastNumber = 0
  private let generations = Atomic(0)

  /// The sessions whose overrides get new calls, oldest first.
  package var live: [PatchSession] { all.filter { $0.state == .active } }

  /// The live session of a patch, by the patch's name.
  package func live(named name: String) -> PatchSession? {
    all.last { $0.name == name && $0.state == .active }
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func add(_ sessions: [PatchSession]) {
    all = (all + sessions).sorted { ($0.place, $0.number) < ($1.place, $1.number) }
  }

  func remove(_ sessions: [PatchSession]) {
    all.removeAll { session in sessions.contains { $0 === session } }
  }

  /// The rules that do not hold, in sentences. In a sound engine there are none.
  var brokenRules: [String] { Self.brokenRules(all.map { ($0.place, $0.number) }) }

  static func brokenRules(_ sessions: [(place: Int, number: Int)]) -> [String] {
    var broken: [String] = []
    for (one, next) in zip(sessions, sessions.dropFirst()) where next < one {
      broken.append("session \(next.number) comes after session \(one.number)")
    }
    if Set(sessions.map(\.number)).count < sessions.count {
      broken.append("two sessions have the same number")
    }
    return broken
  }

  // MARK: On any thread

  /// How often the set of live patches has changed.
  package var generation: Int { generations.load(ordering: .relaxed) }

  func countGeneration() { generations.wrappingAdd(1, ordering: .relaxed) }

  /// An identifier of the set of live patches, which differs after each change of the set, and in
  /// each process.
  package var currentID: String { "\(Self.processID)-\(generation)" }

  /// A restarted program counts its changes from the beginning.
  private static let processID = {
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }()
}
