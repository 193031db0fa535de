// SPDX-License-Identifier: MIT

import Synchronization
import TortureFixture

/// What one thread has seen of patches, and its judgement of each call's result.
struct Witness {
  private enum Sight { case unseen, seen, gone }

  private let chronicle: Chronicle
  private var sights = [Sight](repeating: .unseen, count: TortureLedger.generations)

  /// Calls whose result was judged.
  private(set) var calls = [Int](repeating: 0, count: TortureKind.allCases.count)
  /// Of those, how many did not reach the original.
  private(set) var lidded = [Int](repeating: 0, count: TortureKind.allCases.count)
  /// Overrides that were seen, by kind and generation.
  private(set) var overrides = [Int](
    repeating: 0, count: TortureKind.allCases.count * TortureLedger.generations)

  init(_ chronicle: Chronicle) {
    self.chronicle = chronicle
  }

  mutating func forget() {
    self = Witness(chronicle)
  }

  /// Judges the result of a call that began when `begin` was now.
  ///
  /// - Parameter ordered: Whether what it saw comes after all that was judged before. That is not
  ///   so for a call that others were made within.
  mutating func judge(
    _ trace: Trace, of kind: TortureKind, since begin: Int, ordered: Bool = true
  ) throws {
    let range = chronicle.range
    let window = Window(begin: begin, end: chronicle.now)
    let generations = trace.generations
    count(trace, generations, kind)
    do {
      try judgePresent(trace, generations, kind, window)
      // What lies under an override that does not call its original is not seen.
      let deepest = trace.isLidded ? place(generations.last ?? 0) : 0
      for number in range where place(number) > deepest && !generations.contains(number) {
        try judgeAbsent(number, generations, kind, window, ordered, above: deepest)
      }
      if ordered { try see(generations) }
    } catch let violation as Violation {
      throw Violation(
        "\(kind) gave \(trace): \(violation) (moments \(window.begin) to \(window.end));"
          + range.map { " " + chronicle.describe($0, kind) }.joined())
    }
  }

  private func place(_ number: Int) -> Int {
    chronicle.with(number) { $0.place.load(ordering: .relaxed) }
  }

  private mutating func count(_ trace: Trace, _ generations: [Int], _ kind: TortureKind) {
    calls[kind.rawValue] += 1
    if trace.isLidded { lidded[kind.rawValue] += 1 }
    for generation in generations {
      overrides[kind.rawValue * TortureLedger.generations + generation] += 1
    }
  }

  private func judgePresent(
    _ trace: Trace, _ generations: [Int], _ kind: TortureKind, _ window: Window
  ) throws {
    try require(
      zip(generations, generations.dropFirst()).allSatisfy { place($0) > place($1) },
      "they do not come in their order")
    for number in generations {
      let (isOverride, isLid, mayBeLive, successor) = chronicle.with(number) {
        (
          $0.overrides(kind), $0.isLid.load(ordering: .relaxed), $0.mayBeLive(within: window),
          $0.successor.load(ordering: .acquiring)
        )
      }
      try require(isOverride, "\(number) does not override it")
      try require(mayBeLive, "\(number) was not live")
      // A call that was under way in it goes on to what is below, in the successor's time.
      try require(
        !generations.contains(successor) || place(successor) < place(number),
        "\(number) ran, and \(successor), which takes its place")
      let isLast = number == generations.last
      try require(isLid == (isLast && trace.isLidded), "\(number) has the wrong body")
    }
  }

  private mutating func judgeAbsent(
    _ number: Int, _ generations: [Int], _ kind: TortureKind, _ window: Window, _ ordered: Bool,
    above deepest: Int
  ) throws {
    let (isOverride, isLive, isUnended, successor, partner) = chronicle.with(number) {
      (
        $0.overrides(kind), $0.isLive(throughout: window), $0.isUnended(at: window.end),
        $0.successor.load(ordering: .acquiring), $0.partner.load(ordering: .acquiring)
      )
    }
    guard isOverride else { return }
    try require(!isLive, "\(number) is live, and did not run")
    if ordered, isUnended, partner != 0 {
      try require(
        sights[partner] == .unseen, "\(partner) has been seen, and \(number), started with it, not")
    }
    if ordered, sights[number] == .seen {
      try require(!isUnended, "\(number) ran before on this thread, and was not ended")
      sights[number] = .gone
    }
    // A call that was under way in one above when that happened goes on without either, unless the
    // successor is below that one as well. So does one that waits in an async override which ends at once.
    let (own, next) = (place(number), place(successor))
    let isLeft = kind.isAsync && chronicle.with(number) { $0.endsAtOnce.load(ordering: .relaxed) }
    if !isLeft, successor != 0, next > deepest, !generations.contains(successor),
      next == own || !generations.contains(where: { place($0) > own })
    {
      try judgeSuccessor(of: number, successor, kind, window)
    }
  }

  /// A call sees a patch or the one that takes its place.
  private func judgeSuccessor(
    of number: Int, _ successor: Int, _ kind: TortureKind, _ window: Window
  ) throws {
    let wasLive = chronicle.with(number) { older in
      let started = older.startReturned.load(ordering: .acquiring)
      return started != 0 && started <= window.begin
    }
    let isStillThere = chronicle.with(successor) {
      $0.overrides(kind) && $0.isUnended(at: window.end)
    }
    try require(
      !(wasLive && isStillThere), "neither \(number) ran nor \(successor), which takes its place")
  }

  private mutating func see(_ generations: [Int]) throws {
    for number in generations {
      try require(
        sights[number] != .gone, "\(number) had gone for this thread, and is there again")
      sights[number] = .seen
    }
  }
}
