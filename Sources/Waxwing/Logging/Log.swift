// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Where the engine's events go.
final class Log: Sendable {
  /// A function alone would be wrapped in another one by each `withLock` (Swift 6.3).
  private struct Handler: Sendable {
    let write: @Sendable (LogEvent) -> Void
  }

  private let handler = Mutex(Handler(write: Log.writeToStandardError))

  func setHandler(_ handler: @escaping @Sendable (LogEvent) -> Void) {
    self.handler.withLock { $0 = Handler(write: handler) }
  }

  func write(
    _ level: LogEvent.Level, _ event: String, _ message: String,
    _ fields: [(name: String, value: String)] = []
  ) {
    let handler = handler.withLock { $0 }  // called without the lock: it is the host's code
    handler.write(LogEvent(level: level, event: event, message: message, fields: fields))
  }

  /// One `write` a line, so that lines of several threads do not mix.
  private static let writeToStandardError: @Sendable (LogEvent) -> Void = { event in
    let line = Array((event.line + "\n").utf8)
    _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
