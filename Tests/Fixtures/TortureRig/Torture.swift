// SPDX-License-Identifier: MIT

import Foundation
import HeapProbe
import SeededRandom
import TortureFixture
import Waxwing

/// Threads and tasks call functions while patches on them come and go, and judge each result. From time to
/// time all pause, everything is restored, and what was counted has to add up.
public final class Torture {
  /// Rounds between two pauses.
  private static let leg = 100
  /// Legs until what the process keeps for its life is there.
  private static let warmUp = 5

  private let options: TortureOptions
  private let chronicle = Chronicle()
  private let crowd: Crowd
  private let director: Director
  private var summary: TortureSummary
  private var legs = 0
  private var heap: (bytes: Int, round: Int)?
  /// Bytes that were given out at the last pause and not at the first.
  private var grown = 0
  private let begin = ContinuousClock.now
  private var lastReport = ContinuousClock.now

  private init(_ options: TortureOptions) throws {
    self.options = options
    let targets = Targets()
    crowd = Crowd(
      threads: options.threads, tasks: options.tasks, targets, chronicle, seed: options.seed)
    director = try Director(chronicle, targets, seed: options.seed)
    summary = TortureSummary(seed: options.seed)
  }

  /// - Throws: `TortureFailure` at the first thing that is wrong.
  public static func run(_ options: TortureOptions) throws -> TortureSummary {
    TortureLedger.reset()
    let policy = WaxwingEngine.policy
    defer { WaxwingEngine.policy = policy }
    WaxwingEngine.policy.codeEntries = .allowed
    let torture = try Torture(options)
    // Nobody calls yet, and no watchdog counts how long the engine takes to read the program's code the first time.
    let first = TorturePatch(
      name: "first", generation: TortureLedger.generations - 1,
      kinds: Set(TortureKind.allCases), isLid: false)
    _ = try WaxwingEngine.end(WaxwingEngine.start(text: first.text, name: first.name))
    let watchdog = Watchdog(
      torture.crowd.participants + [torture.director.participant], seed: options.seed)
    defer {
      torture.crowd.leave()
      torture.director.laggard.leave()
      watchdog.leave()
      WaxwingEngine.setLogHandler { _ in }
    }
    return try torture.run()
  }
}

extension Torture {
  private func run() throws -> TortureSummary {
    WaxwingEngine.setLogHandler { [crowd] event in
      if event.level == .error { crowd.report(event.line) }
    }
    do {
      while !isDone { try runLeg() }
    } catch {
      let doing = director.participant.status
      // What threads see of the restoring that follows is not in the chronicle.
      let violation = crowd.violation ?? "\(error)"
      try? director.releaseLaggard()
      _ = try? WaxwingEngine.restore()
      throw TortureFailure(
        description:
          "seed \(options.seed), round \(summary.rounds), \(doing): \(violation)")
    }
    update()
    return summary
  }

  private var isDone: Bool {
    if let rounds = options.rounds, summary.rounds >= rounds { return true }
    guard let duration = options.duration else { return false }
    return ContinuousClock.now - begin >= duration
  }

  private func runLeg() throws {
    crowd.resume()
    for _ in 0..<Self.leg where !isDone {
      summary.rounds += 1
      try director.step()
      if let violation = crowd.violation { throw Violation(violation) }
      report()
      pause()
    }
    try director.releaseLaggard()
    crowd.pause()
    if let violation = crowd.violation { throw Violation(violation) }
    let audit = Audit(crowd: crowd, director: director)
    try audit.checkLists()
    try director.restore()
    try audit.checkBaseline()
    forget()
    try checkHeap()
  }

  /// Now and then the threads get time for many calls between two operations.
  private func pause() {
    switch Int.random(in: 0..<8, using: &director.random) {
    case 0: usleep(UInt32.random(in: 0..<5000, using: &director.random))
    case 1..<4: usleep(UInt32.random(in: 0..<200, using: &director.random))
    default: break
    }
  }

  private func forget() {
    legs += 1
    crowd.forget()
    director.laggardCalls = [:]
    director.laggardOverrides = [:]
    chronicle.reset()
    TortureLedger.reset()
  }

  private func checkHeap() throws {
    guard options.checksHeap, legs >= Self.warmUp else { return }
    let bytes = Int(heap_probe_bytes())
    guard let heap else {
      self.heap = (bytes, summary.rounds)
      return
    }
    let rounds = summary.rounds - heap.round
    grown = bytes - heap.bytes
    // Swift's runtime keeps 16 bytes of each conformance that has ever come or gone, in an array whose
    // capacity doubles.
    let tolerated = rounds * 2 + director.conformanceChanges * 32 + (8 << 10)
    try require(
      grown < tolerated, "\(grown) bytes of heap more after \(rounds) rounds")
  }

  private func update() {
    summary.calls = crowd.calls
    summary.patches = director.started
    summary.deepest = director.deepest
    summary.laggards = director.laggardTotal
    summary.seconds = (ContinuousClock.now - begin) / .seconds(1)
  }

  private func report() {
    guard ContinuousClock.now - lastReport >= .seconds(10) else { return }
    lastReport = .now
    update()
    options.report("\(summary), \(grown) bytes of heap more")
  }
}
