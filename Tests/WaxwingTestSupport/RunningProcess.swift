// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A process started by a test; whatever it leaves running is killed with the last reference.
///
/// A thread takes in the output as it comes, so that the process never waits for a reader. Who asks
/// for it has all that was written before: a process may say something on standard output because of
/// what it has written to standard error, and the thread may have read but the one.
package final class RunningProcess: Sendable {
  /// Also the number of its process group.
  package let pid: Int32
  private let record: ProcessRecord

  /// Held from the making of pipes to the start of their process, so that no other gets them.
  private static let starting = Mutex(())

  init(_ command: Command) throws {
    let (output, errors, pid) = try Self.starting.withLock { _ in
      let (output, errors) = (try Pipe.open(), try Pipe.open())
      let pid = try spawn(command, standardOutput: output.input, standardError: errors.input)
      return (output.output, errors.output, pid)
    }
    self.pid = pid
    record = ProcessRecord(name: command.executable, output: output, errors: errors)

    let record = record
    Thread.detachNewThread {
      while record.waitForOutput() {}
      record.finish(Self.reap(pid))
    }
  }

  deinit {
    if record.status == nil { kill(-pid, SIGKILL) }
  }

  /// Whether its end has not been seen yet.
  package var isRunning: Bool { record.status == nil }

  /// What the process has written so far.
  package var standardOutput: String { record.standardOutput }

  /// What the process has written so far.
  package var standardError: String { record.standardError }

  /// Waits for a whole line on standard output.
  ///
  /// - Returns: The first line that starts with `prefix`, without its end.
  /// - Throws: `TestSupportError` if the process ends before, or the time is up.
  package func waitForLine(startingWith prefix: String, timeout: Duration = .seconds(60)) throws
    -> String
  {
    try record.wait("a line '\(prefix)…'", timeout: timeout) { state in
      state.lines.first { $0.hasPrefix(prefix) }
    }
  }

  /// Waits until the process has ended and its output is complete.
  ///
  /// - Throws: `TestSupportError` if it has not ended after `timeout`; it is killed then.
  @discardableResult
  package func waitForExit(timeout: Duration = .seconds(60)) throws -> ExitStatus {
    do {
      return try record.wait("the end", timeout: timeout, \.status)
    } catch {
      kill(-pid, SIGKILL)
      throw error
    }
  }

  /// Sends a signal to the process itself.
  package func send(signal: Int32) {
    // Once the process is reaped its number may be another's.
    if record.status == nil { kill(pid, signal) }
  }

  private static func reap(_ pid: Int32) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return ExitStatus(waitStatus: status)
  }
}
