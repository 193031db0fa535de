// SPDX-License-Identifier: MIT

/// A thread of the engine's that looks at the live sessions from time to time, and is there only while
/// there are any.
package final class SessionThread<Entry: Sendable>: Sendable {
  private struct Contents: Sendable {
    /// The entries by the number of the session.
    var entries: [Int: Entry] = [:]
    var isRunning = false
  }

  private let contents = Monitor(Contents())
  private let name: String
  private let stackSize: Int

  /// - Parameters:
  ///   - name: At most 15 bytes.
  ///   - stackSize: In bytes.
  package init(name: String, stackSize: Int) {
    self.name = name
    self.stackSize = stackSize
  }

  /// Adds the entry of a session, and starts the thread if there is none.
  /// - Parameter work: The work of the thread: it returns once `pause` has returned false.
  /// - Throws: `ThreadError` if the thread cannot be started; the next session tries again.
  package func add(
    _ entry: Entry, for session: Int, work: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let starts = contents.withLock { contents in
      contents.entries[session] = entry
      defer { contents.isRunning = true }
      return !contents.isRunning
    }
    guard starts else { return }
    do throws(ThreadError) {
      try EngineThread.start(name: name, stackSize: stackSize, body: work)
    } catch {
      contents.withLock { $0.isRunning = false }
      throw error
    }
  }

  /// Removes the entry of a session. When this returns, no thread uses the entry any more.
  package func remove(_ session: Int) {
    let removed = contents.withLock { $0.entries.removeValue(forKey: session) }
    withExtendedLifetime(removed) {}  // not released under the lock
  }

  /// Runs `body` with the entries of all sessions, by their numbers, under the lock.
  package func withEntries<Result>(_ body: (inout [Int: Entry]) -> Result) -> Result {
    contents.withLock { body(&$0.entries) }
  }

  /// Waits for this time; false if there are no sessions any more, and the thread has to end.
  package func pause(seconds: Double) -> Bool {
    let isOver: Bool? = contents.wait(until: .after(seconds: seconds)) { contents in
      guard contents.entries.isEmpty else { return nil }
      contents.isRunning = false
      return true
    }
    return isOver != true
  }
}
