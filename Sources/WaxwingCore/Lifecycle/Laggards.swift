// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingScripting
import WaxwingSystem

/// Finds the calls that are still in ended sessions, and says where they are.
struct Laggards {
  private let ending: [(session: PatchSession, calls: [CallInFlight])]
  private let registry: OverrideRegistry
  // By thread and function: a call of an override and that of its original within it are one to the
  // user.
  private var found: [String: Restoration.Laggard] = [:]

  /// - Parameter ending: The sessions, each with the calls that are in its overrides.
  init(
    of ending: [(session: PatchSession, calls: [CallInFlight])], _ registry: OverrideRegistry
  ) {
    self.ending = ending
    self.registry = registry
  }

  consuming func list() -> [Restoration.Laggard] {
    for (session, calls) in ending {
      for call in calls { add(call, session) }
    }
    for (session, _) in ending {
      for call in session.runtime.all.flatMap(\.functions.calls)
      where !call.isCollection && !(session.lingers && call.isForObject) {
        add(call.name, call.thread, session, age: call.began.age)
      }
    }
    return found.values.sorted { ($0.function, $0.threadID) < ($1.function, $1.threadID) }
  }

  private mutating func add(_ call: CallInFlight, _ session: PatchSession) {
    unsafe add(
      registry.function(at: call.entry) ?? "a function", call.thread, session,
      age: call.since?.age)
  }

  /// - Parameter age: nil: it is not known, but for how long it has been waited for.
  private mutating func add(
    _ function: String, _ thread: UInt64, _ session: PatchSession, age: Duration?
  ) {
    let key = "\(thread) \(function)"
    guard found[key] == nil else { return }
    let waited = session.endedAt.map { ContinuousClock.now - $0 } ?? .zero
    found[key] = Restoration.Laggard(
      patch: session.name, function: function, threadID: thread,
      threadName: thread == 0 ? "" : ThreadName.of(thread),
      seconds: (age ?? waited) / .seconds(1),
      stack: thread == 0 ? [] : Self.stack(of: thread, session))
  }

  private static func stack(of thread: UInt64, _ session: PatchSession) -> [String] {
    session.runtime.traceback(ofThread: thread, waitAtMost: 100)?.map(\.description)
      ?? ["it is running Lua code of \(session.name)"]
  }
}
