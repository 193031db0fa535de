// SPDX-License-Identifier: MIT

/// Runs actions at moments of the monotonic clock, one after the other, on a thread of its own.
package final class Timers: Sendable {
  private struct Timer: Sendable {
    let at: Deadline
    let action: @Sendable () -> Void
  }

  private struct Contents: Sendable {
    var timers: [Timer] = []
    var isRunning = false
    /// Goes up with each new timer.
    var changes = 0
  }

  private enum Event {
    case due(Timer)
    case changed
  }

  private let contents = Monitor(Contents())

  package init() {}

  /// Starts the thread, if it is not running.
  package func start() throws(ThreadError) {
    let starts = contents.withLock { contents in
      defer { contents.isRunning = true }
      return !contents.isRunning
    }
    guard starts else { return }
    do throws(ThreadError) {
      // Patches end on it: their callbacks are Lua code.
      try EngineThread.start(name: "waxwing-timers", stackSize: 1 << 20) { [self] in work() }
    } catch {
      contents.withLock { $0.isRunning = false }
      throw error
    }
  }

  /// - Precondition: The thread is running.
  package func run(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
    let timer = Timer(at: .after(seconds: seconds), action: action)
    contents.withLock { contents in
      contents.timers.append(timer)
      contents.changes += 1
    }
  }

  private func work() {
    while true {
      let (next, seen) = contents.withLock { contents in
        (contents.timers.map(\.at).min() ?? .never, contents.changes)
      }
      let event: Event? = contents.wait(until: next) { contents in
        if let index = contents.timers.firstIndex(where: \.at.isPast) {
          return .due(contents.timers.remove(at: index))
        }
        return contents.changes == seen ? nil : .changed
      }
      if case .due(let timer)? = event { timer.action() }
    }
  }
}
