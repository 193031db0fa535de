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

  func with<Result>(_ number: Int, _ body: (borrowing Generation) -> Result) -> Result {
    body(generations[number])
  }
}

// MARK: - Writing

extension Chronicle {
  /// Before a patch is started; then `started`, or nothing if it was refused.
  func starting(_ kinds: Set<TortureKind>, isLid: Bool, replacing older: Int?) -> Int {
    let number = count + 1
    let moment = now + 1
    let bits = kinds.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
    generations[number].kinds.store(bits, ordering: .relaxed)
    generations[number].isLid.store(isLid, ordering: .relaxed)
    generations[number].startRequested.store(moment, ordering: .releasing)
    if let older {
      generations[older].successor.store(number, ordering: .releasing)
      generations[older].endRequested.store(moment, ordering: .releasing)
    }
    last.store(number, ordering: .releasing)
    clock.store(moment, ordering: .releasing)
    return number
  }

  func started(_ number: Int) {
    let moment = now + 1
    generations[number].startReturned.store(moment, ordering: .releasing)
    clock.store(moment, ordering: .releasing)
  }

  /// Before patches are ended; then `ended`.
  func ending(_ numbers: [Int]) {
    let moment = now + 1
    for number in numbers { generations[number].endRequested.store(moment, ordering: .releasing) }
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
