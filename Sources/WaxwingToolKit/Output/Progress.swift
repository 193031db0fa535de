// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import WaxwingDeclarations
import WaxwingSystem

/// A line on the terminal while something takes longer than two seconds; where standard error is none,
/// nothing is written.
package final class Progress {
  private let queue = DispatchQueue(label: "waxwing.progress")
  private let timer: any DispatchSourceTimer
  private let isShown = Mutex(false)

  /// Shows progress; nil if there is no terminal, or if it cannot delete what it shows.
  init?(_ what: String, atMost seconds: Double? = nil) {
    guard Terminal.canRewrite(STDERR_FILENO) else { return nil }
    let start = ContinuousClock.now
    let limit = seconds.map { " of at most \(DurationText.of($0))" } ?? ""
    let text = VisibleText.line("waxwing: \(what)", atMost: 60)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 2, repeating: 1)
    timer.setEventHandler { [weak self] in
      self?.isShown.withLock { $0 = true }
      let passed = start.duration(to: .now) / .seconds(1)
      Self.write("\r\(text), \(DurationText.of(passed))\(limit)\u{1B}[K")
    }
    timer.activate()
  }

  /// Shows it during some work.
  package static func during<Value>(
    _ what: String, _ work: () throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    let progress = Progress(what)
    defer { progress?.end() }
    return try work()
  }

  /// Takes the line away.
  func end() {
    queue.sync {
      timer.cancel()
      if isShown.withLock({ $0 }) { Self.write("\r\u{1B}[K") }
    }
  }

  private static func write(_ text: String) {
    do throws(ErrorNumber) {
      try SystemCall.writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
    } catch {
      // A terminal that is gone has nobody in front of it.
    }
  }
}
