// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TortureFixture
import TortureProbe

/// A thread of the test, as the others see it.
final class Participant: Sendable {
  let name: String
  private let threadID = Atomic<UInt64>(0)
  private let beats = Atomic<Int>(0)
  private let called = Atomic<Int>(-1)
  private let activity = Mutex("")
  private let waits = Atomic<Bool>(false)

  init(_ name: String) {
    self.name = name
  }

  /// The kernel's id.
  var thread: UInt64 { threadID.load(ordering: .relaxed) }

  /// Runs `body` on a thread of its own and tells `group` when that has ended.
  func run(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    let thread = Thread { [self] in
      threadID.store(torture_thread(), ordering: .relaxed)
      body()
      isWaiting = true
      group.leave()
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Progress: it calls something.
  func calls(_ kind: TortureKind) {
    called.store(kind.rawValue, ordering: .relaxed)
    beats.add(1, ordering: .relaxed)
  }

  /// Progress of a thread that does other things.
  func begins(_ what: String) {
    activity.withLock { $0 = what }
    beats.add(1, ordering: .relaxed)
  }

  /// Whether it is meant to make no progress.
  var isWaiting: Bool {
    get { waits.load(ordering: .relaxed) }
    set { waits.store(newValue, ordering: .relaxed) }
  }

  var progress: Int { beats.load(ordering: .relaxed) }

  var status: String {
    let kind = TortureKind(rawValue: called.load(ordering: .relaxed))
    let doing = kind.map { "\($0)" } ?? activity.withLock { $0 }
    return "\(name), thread \(thread), step \(progress)\(isWaiting ? ", waiting" : ""): \(doing)"
  }
}
