// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingPatches

/// Where the engine's events go.
package final class Log: Sendable {
  /// A function alone would be wrapped in another one by each `withLock` (Swift 6.3).
  private struct Handler: Sendable {
    let write: @Sendable (LogEvent) -> Void
  }

  private let handler = Mutex(Handler(write: Log.writeToStandardError))
  private let nested = NestedEvents()
  private let dropped = Atomic(0)

  /// The newest events.
  package let recent = RecentEvents()

  init() {}

  /// Lines that were too many.
  package var droppedLines: Int { dropped.load(ordering: .relaxed) }

  func countDropped(_ lines: Int = 1) { dropped.wrappingAdd(lines, ordering: .relaxed) }

  package func setHandler(_ handler: @escaping @Sendable (LogEvent) -> Void) {
    self.handler.withLock { $0 = Handler(write: handler) }
  }

  /// Writes an event. Events on a thread that is in the handler go to standard error: the handler
  /// may call a function that a patch overrides, and a failure of that is an event, too.
  package func write(
    _ level: LogEvent.Level, _ event: String, _ message: String,
    _ fields: [(name: String, value: any LogValue)] = []
  ) {
    let event = LogEvent(level: level, event: event, message: message, fields: fields)
    recent.add(event)
    if let file = Self.file { Self.write(event.json, to: file) }
    switch nested.begin() {
    case .outermost: break
    case .nested: return Self.writeToStandardError(event)
    case .tooMany: return
    }
    let handler = handler.withLock { $0 }  // called without the lock: it is the host's code
    handler.write(event)
    let dropped = nested.end()
    guard dropped > 0 else { return }
    countDropped(dropped)
    Self.writeToStandardError(
      LogEvent(
        level: .warning, event: "log.dropped",
        message: "\(dropped) more events happened while the log handler ran", fields: []))
  }

  /// `WAXWING_LOG=json` makes the lines on standard error JSON.
  private static let isJSON = ConfigurationFolder.environment("WAXWING_LOG") == "json"

  /// `WAXWING_LOG_FILE=PATH` appends all events to a file as well, as JSON, whatever the program does with them.
  private static let file: CInt? = {
    guard let path = ConfigurationFolder.environment("WAXWING_LOG_FILE") else { return nil }
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if file < 0 { write("waxwing: warning: cannot write to WAXWING_LOG_FILE \(path)", to: 2) }
    return file < 0 ? nil : file
  }()

  private static let writeToStandardError: @Sendable (LogEvent) -> Void = { event in
    write(isJSON ? event.json : event.line, to: 2)
  }

  /// Writes a line with one `write`, so that lines of several threads do not mix.
  private static func write(_ line: String, to file: CInt) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
