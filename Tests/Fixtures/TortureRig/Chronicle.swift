// SPDX-License-Identifier: MIT

import Synchronization
import TortureFixture

/// What patches there were when: written by the thread that starts and ends them, read by those
/// that call, which judge by it which results are legal.
final class Chronicle: @unchecked Sendable {
  private let generations: UnsafeMutablePointer<Generation>
  private let clock = Atomic<Int>(0)
  /// All generations before it have ended.
  private let first = Atomic<Int>(1)
  private let last = Atomic<Int>(0)

  init() {
    generations = .allocate(capacity: TortureLedger.generations)
    for index in 0..<TortureLedger.generations {
      (generations + index).initialize(to: Generation())
    }
  }

  deinit {
    generations.deinitialize(count: TortureLedger.generations)
    generations.deallocate()
  }

  var now: Int { clock.load(ordering: .acquiring) }

  /// The generations to look at. To be read after a call and before its last moment.
  var range: ClosedRange<Int> {
    let first = first.load(ordering: .acquiring)
    return first...max(first, last.load(ordering: .acquiring))
  }

  /// How many there have been.
  var count: Int { last.load(ordering: .relaxed) }

  /// Whether a generation is another or a later one of its name.
  func isVersion(_ later: Int, of earlier: Int, _ kind: TortureKind) -> Bool {
    guard later >= earlier, later <= count else { return false }
    let name = with(earlier) { $0.name.load(ordering: .relaxed) }
    return with(later) { $0.name.load(ordering: .relaxed) == name && $0.overrides(kind) }
  }

  func with<Result>(_ number: Int, _ body: (borrowing Generation) -> Result) -> Result {
    body(generations[number])
  }
}

extension Chronicle {
  /// For messages: number, place, whether it overrides the function, moments of start and end, successor
  /// and partner.
  func describe(_ number: Int, _ kind: TortureKind) -> String {
    with(number) { one in
      func value(_ atomic: borrowing Atomic<Int>) -> Int { atomic.load(ordering: .acquiring) }
      let what = one.overrides(kind) ? (one.isLid.load(ordering: .relaxed) ? "lid" : "yes") : "no"
      return "\(number)@\(value(one.place)):\(what)"
        + ",\(value(one.startRequested))-\(value(one.startReturned))"
        + ",\(value(one.endRequested))-\(value(one.endReturned))"
        + ",>\(value(one.successor)),&\(value(one.partner))"
    }
  }
}

// MARK: - Writing

extension Chronicle {
  /// The number of the next generation.
  var next: Int { count + 1 }

  /// Before patches are started in one step, in which those that they replace end; then `started`
  /// and, for the latter, `ended`. The first has number `next`.
  /// - Parameter atOnce: Nobody waits for calls that are in those that end.
  func starting(_ patches: [TorturePatch], replacing older: [Int], atOnce: Bool) {
    let moment = now + 1
    let numbers = patches.map(\.generation)
    for (patch, partner) in zip(patches, [numbers.last ?? 0] + numbers) {
      let bits = patch.kinds.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
      let generation = patch.generation
      generations[generation].place.store(patch.place ?? generation, ordering: .relaxed)
      generations[generation].name.store(patch.name.hashValue, ordering: .relaxed)
      generations[generation].kinds.store(bits, ordering: .relaxed)
      generations[generation].isLid.store(patch.isLid, ordering: .relaxed)
      generations[generation].partner.store(
        partner == generation ? 0 : partner, ordering: .relaxed)
      generations[generation].startRequested.store(moment, ordering: .releasing)
    }
    for older in older {
      let place = generations[older].place.load(ordering: .relaxed)
      let heir = patches.first { $0.place == place }?.generation ?? numbers.first ?? 0
      generations[older].endsAtOnce.store(atOnce, ordering: .relaxed)
      generations[older].successor.store(heir, ordering: .releasing)
      generations[older].endRequested.store(moment, ordering: .releasing)
    }
    last.store(numbers.last ?? count, ordering: .releasing)
    clock.store(moment, ordering: .releasing)
  }

  func started(_ patches: [TorturePatch]) {
    let moment = now + 1
    for patch in patches {
      generations[patch.generation].startReturned.store(moment, ordering: .releasing)
    }
    clock.store(moment, ordering: .releasing)
  }

  /// Before patches are ended; then `ended`.
  /// - Parameter atOnce: Nobody waits for calls that are in them.
  func ending(_ numbers: [Int], atOnce: Bool) {
    let moment = now + 1
    for number in numbers {
      generations[number].endsAtOnce.store(atOnce, ordering: .relaxed)
      generations[number].endRequested.store(moment, ordering: .releasing)
    }
    clock.store(moment, ordering: .releasing)
  }

  func ended(_ numbers: [Int]) {
    let moment = now + 1
    for number in numbers { generations[number].endReturned.store(moment, ordering: .releasing) }
    clock.store(moment, ordering: .releasing)
    var unended = first.load(ordering: .relaxed)
    while unended <= count, generations[unended].endReturned.load(ordering: .relaxed) != 0 {
      unended += 1
    }
    first.store(unended, ordering: .releasing)
  }

  /// - Precondition: No patch is live and no thread calls.
  func reset() {
    for number in 0...count { generations[number].clear() }
    first.store(1, ordering: .relaxed)
    last.store(0, ordering: .relaxed)
  }
}
