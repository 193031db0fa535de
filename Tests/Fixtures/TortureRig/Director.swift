// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom
import TortureFixture
import Waxwing

/// Starts, replaces and ends patches, one after the other, and checks what the engine says of it.
final class Director {
  /// A patch that is live.
  struct Live {
    let name: String
    let generation: Int
    let place: Int
    let kinds: Set<TortureKind>
    let session: Session
  }

  /// One less than there are digits in a trace: while one patch takes another's place, both may be
  /// there.
  static let mostPatches = Trace.capacity - 1

  let chronicle: Chronicle
  let participant = Participant("director")
  let laggard: Laggard
  var random: SeededGenerator
  /// Oldest first.
  var live: [Live] = []
  /// While the laggard is in the original: the overrides that it came through, newest first.
  var blocked: [Live]?
  /// The laggard's calls, and the generations that they came through.
  var laggardCalls: [TortureKind: Int] = [:]
  var laggardOverrides: [TortureKind: [Int: Int]] = [:]
  private(set) var laggardTotal = 0
  private(set) var laggardKind = TortureKind.blocks
  private let entries: Entries

  private(set) var started = 0
  private(set) var deepest = 0
  /// At most so often a conformance has come or gone: with each patch that has a class, and after it.
  private(set) var conformanceChanges = 0
  private let folder: URL

  init(_ chronicle: Chronicle, _ targets: Targets, seed: UInt64) throws {
    self.chronicle = chronicle
    entries = Entries(targets)
    laggard = Laggard(targets)
    random = SeededGenerator(seed: seed)
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Long where everything has to end, short where the laggard will not.
  var patience: Duration { blocked == nil ? .seconds(60) : .milliseconds(2) }

  /// Does one thing of many.
  func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: try start()
    case 22..<40: try apply()
    case 40..<52: try applyTwo()
    case 52..<68: try end()
    case 68..<78: try revert()
    case 78..<82: try restore()
    case 82..<90: try changeLaggard()
    case 90..<94: try startRefused()
    case 94..<97: try endNothing()
    default: try look()
    }
  }
}

// MARK: - Starting

extension Director {
  private func choosePatch(_ name: String, _ generation: Int) -> TorturePatch {
    let isLid = Int.random(in: 0..<6, using: &random) == 0
    let candidates = TortureKind.allCases.filter {
      !isLid || !TorturePatch.neverLidded.contains($0)
    }
    let leavesOut = Int.random(in: 0..<3, using: &random) == 0
    let chosen = candidates.filter { _ in
      !leavesOut || Int.random(in: 0..<3, using: &random) > 0
    }
    let isParallel = Int.random(in: 0..<4, using: &random) == 0
    let kinds = Set(chosen.isEmpty ? [.number] : chosen)
    // A parallel patch makes no classes.
    return TorturePatch(
      name: name, generation: generation, kinds: isParallel ? kinds.subtracting([.lamp]) : kinds,
      isLid: isLid, isParallel: isParallel)
  }

  /// Starts patches of these names in one step, in the place of others.
  private func start(
    _ names: [String], replacing older: [Live], _ start: ([TorturePatch]) throws -> [Session]
  ) throws {
    let patches = names.enumerated().map { index, name in
      var patch = choosePatch(name, chronicle.next + index)
      patch.place = older.first { $0.name == name }?.place
      return patch
    }
    chronicle.starting(patches, replacing: older.map(\.generation), atOnce: blocked != nil)
    let sessions = try start(patches)
    try require(sessions.map(\.name) == names, "started were \(sessions.map(\.name))")
    chronicle.started(patches)
    chronicle.ended(older.map(\.generation))
    live.removeAll { entry in older.contains { $0.generation == entry.generation } }
    for (patch, session) in zip(patches, sessions) {
      live.append(
        Live(
          name: session.name, generation: patch.generation,
          place: patch.place ?? patch.generation, kinds: patch.kinds, session: session))
    }
    live.sort { $0.place < $1.place }
    started += patches.count
    conformanceChanges += patches.count { $0.kinds.contains(.lamp) } * 2
    deepest = max(deepest, live.count)
  }

  private static let names = (1...mostPatches).map { "torture\($0)" }

  private func freeName() -> String? {
    Self.names.filter { name in !live.contains { $0.name == name } }.randomElement(using: &random)
  }

  private func start() throws {
    guard let name = freeName() else { return try end() }
    participant.begins("start \(name)")
    try start([name], replacing: []) {
      [try WaxwingEngine.start(text: $0[0].text, name: name)]
    }
  }

  /// A newer version in the place of a patch, or a patch; from a file.
  private func apply() throws {
    let older = live.randomElement(using: &random)
    guard let name = older?.name ?? freeName() else { return }
    participant.begins("apply \(name)")
    let file = folder.appending(path: "\(name).lua")
    try start([name], replacing: older.map { [$0] } ?? []) {
      try $0[0].text.write(to: file, atomically: false, encoding: .utf8)
      return [try WaxwingEngine.apply(file.path, waitAtMost: patience)]
    }
  }

  /// Two patches in one step, in the place of those of their names or of all.
  private func applyTwo() throws {
    let replacesAll = Int.random(in: 0..<4, using: &random) == 0
    let names = Array(Self.names.shuffled(using: &random).prefix(2))
    participant.begins("apply \(names)\(replacesAll ? ", replacing all" : "")")
    let older = live.filter { replacesAll || names.contains($0.name) }
    try start(names, replacing: older) { patches in
      try WaxwingEngine.apply(
        texts: zip(patches, names).map { ($0.text, $1) }, replacingAll: replacesAll,
        waitAtMost: patience)
    }
  }

  /// A patch that fails after it has declared all overrides: nothing changes.
  private func startRefused() throws {
    let name = freeName() ?? "torture0"
    participant.begins("start \(name), to be refused")
    let patch = TorturePatch(
      name: name, generation: TortureLedger.generations - 1, kinds: Set(TortureKind.allCases),
      isLid: false)
    do {
      _ = try WaxwingEngine.start(text: patch.text + "\nerror 'on purpose'", name: name)
    } catch let error as WaxwingError where error.code == .refused {
      return
    }
    throw Violation("a patch that fails was not refused")
  }
}

// MARK: - Ending

extension Director {
  private func end() throws {
    guard let chosen = live.randomElement(using: &random) else { return try start() }
    participant.begins("end \(chosen.name)")
    try ending([chosen]) { try WaxwingEngine.end(chosen.session, waitAtMost: patience) }
  }

  private func revert() throws {
    guard let chosen = live.randomElement(using: &random) else { return try start() }
    participant.begins("revert \(chosen.name)")
    try ending([chosen]) { try WaxwingEngine.revert(chosen.name, waitAtMost: patience) }
  }

  func restore() throws {
    participant.begins("restore")
    let chosen = live
    try ending(chosen) { try WaxwingEngine.restore(waitAtMost: patience) }
    if blocked == nil { try requireBaseline() }
  }

  /// What calls go by is as it was before the first patch.
  func requireBaseline() throws { try entries.requireBaseline() }

  private func ending(_ chosen: [Live], _ end: () throws -> Restoration) throws {
    chronicle.ending(chosen.map(\.generation), atOnce: blocked != nil)
    let restoration = try end()
    chronicle.ended(chosen.map(\.generation))
    live.removeAll { entry in chosen.contains { $0.generation == entry.generation } }
    try check(restoration, of: chosen)
  }

  private func check(_ restoration: Restoration, of ended: [Live]) throws {
    try require(restoration.differences.isEmpty, "\(restoration.differences)")
    try require(
      Set(restoration.endedPatches) == Set(ended.map(\.name)),
      "ended were \(restoration.endedPatches)")
    guard let blocked else {
      return try require(restoration.laggards.isEmpty, "laggards: \(restoration.laggards)")
    }
    let generations = Set(blocked.map(\.generation))
    guard ended.contains(where: { generations.contains($0.generation) }) else { return }
    try require(
      restoration.laggards.contains { found in
        found.threadID == laggard.participant.thread
          && found.function == "\(laggardKind.owner).\(laggardKind.selector)"
      }, "thread \(laggard.participant.thread) is not among \(restoration.laggards)")
  }

  /// What there is not cannot be ended.
  private func endNothing() throws {
    participant.begins("revert what is not there")
    do {
      _ = try WaxwingEngine.revert("missing")
    } catch let error as WaxwingError where error.code == .notFound {
      return
    }
    throw Violation("a patch that is not there was reverted")
  }
}

// MARK: - The laggard

extension Director {
  private func changeLaggard() throws {
    if blocked == nil { try enterLaggard() } else { try releaseLaggard() }
  }

  private func enterLaggard() throws {
    laggardKind = TortureKind.waiting.randomElement(using: &random) ?? .blocks
    participant.begins("send the laggard to \(laggardKind)")
    blocked = live.reversed().filter { $0.kinds.contains(laggardKind) }
    try laggard.enter(laggardKind)
  }

  func releaseLaggard() throws {
    guard let expected = blocked else { return }
    participant.begins("let the laggard go")
    let trace = try laggard.letGo()
    blocked = nil
    try require(
      trace.generations == expected.map(\.generation) && !trace.isLidded,
      "\(laggardKind) gave \(trace); it came through \(expected.map(\.generation))")
    laggardCalls[laggardKind, default: 0] += 1
    laggardTotal += 1
    for generation in trace.generations {
      laggardOverrides[laggardKind, default: [:]][generation, default: 0] += 1
    }
  }
}

// MARK: - Looking

extension Director {
  private func look() throws {
    participant.begins("list")
    let names = try WaxwingEngine.list().filter { $0.state == .active }.map(\.name)
    try require(
      Set(names) == Set(live.map(\.name)) && names.count == live.count,
      "listed are \(names); live are \(live.map(\.name))")
    let classes = live.filter { $0.kinds.contains(.lamp) }.map { ("\($0.name).Lamp", 1) }
    let owners = live.flatMap { Set($0.kinds.map(\.owner)) }.map { ($0, 1) }
    let versions = Dictionary(owners + classes) { $0 + $1 }
    try require(
      WaxwingEngine.versions == versions, "versions are \(WaxwingEngine.versions), not \(versions)")
    let kind = TortureKind.allCases.randomElement(using: &random) ?? .number
    let expected = live.reversed().filter { $0.kinds.contains(kind) }.map(\.name)
    let stack = try WaxwingEngine.explain("\(kind.owner).\(kind.selector)").steps
    try require(
      stack.map(\.patch) == expected,
      "explained of \(kind) are \(stack.map(\.patch)), not \(expected)")
    _ = try WaxwingEngine.liveObjects()
  }
}
