// SPDX-License-Identifier: MIT

package import Dispatch
import Glibc
package import Testing

/// For how long tests wait for what has to happen: longer than it takes on any machine, as only a
/// test that fails waits until then.
package let patience = Duration.seconds(120)

/// Waits until something is so. If that does not happen, records an issue and goes on.
/// - Parameters:
///   - what: What is waited for.
///   - seen: What there is instead, for the issue.
///   - sourceLocation: Where the issue is recorded: the line of the call.
///   - isSo: Is called again and again, on this thread.
/// - Returns: Whether it is so.
@discardableResult
package func waitUntil(
  _ what: String, seen: @autoclosure () throws -> Any, atMost: Duration = patience,
  sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
) rethrows -> Bool {
  let end = ContinuousClock.now + atMost
  var pause = Pause()
  while try !isSo() {
    guard .now < end else {
      try recordMissing(what, seen(), sourceLocation)
      return false
    }
    letOthersRun(for: pause.next())
  }
  return true
}

/// Waits until something is so, while other tasks run on this thread. If that does not happen,
/// records an issue and goes on.
/// - Parameters:
///   - what: What is waited for.
///   - seen: What there is instead, for the issue.
///   - sourceLocation: Where the issue is recorded: the line of the call.
///   - isSo: Is called again and again, where the caller runs.
/// - Returns: Whether it is so.
@discardableResult
package func waitUntil(
  _ what: String, seen: @autoclosure () throws -> Any, atMost: Duration = patience,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
) async rethrows -> Bool {
  let end = ContinuousClock.now + atMost
  var pause = Pause()
  while try !isSo() {
    guard .now < end else {
      try recordMissing(what, seen(), sourceLocation)
      return false
    }
    await letOthersRun(for: pause.next())
  }
  return true
}

/// Waits until a value is the expected one. If that does not happen, records an issue that shows
/// both, and goes on.
/// - Parameter sourceLocation: Where the issue is recorded: the line of the call.
package func expectEventually<Value: Equatable>(
  _ actual: @autoclosure () throws -> Value, _ expected: Value, atMost: Duration = patience,
  sourceLocation: SourceLocation = #_sourceLocation
) rethrows {
  try waitUntil(
    "\(expected)", seen: try actual(), atMost: atMost, sourceLocation: sourceLocation
  ) { try actual() == expected }
}

/// Waits until a value is the expected one, while other tasks run on this thread. If that does not
/// happen, records an issue that shows both, and goes on.
/// - Parameter sourceLocation: Where the issue is recorded: the line of the call.
package func expectEventually<Value: Equatable>(
  _ actual: @autoclosure () throws -> Value, _ expected: Value, atMost: Duration = patience,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
  try await waitUntil(
    "\(expected)", seen: try actual(), atMost: atMost, isolation: isolation,
    sourceLocation: sourceLocation
  ) { try actual() == expected }
}

/// Watches for a while that something stays so, and records an issue at once if it does not.
///
/// For what must not happen and leaves no sign when it does not. A machine that is busy may hide a change; it never
/// makes one up, so such a test fails for a reason only.
/// - Parameters:
///   - what: What stays.
///   - duration: In this time a change would show.
///   - seen: What there is instead, for the issue.
///   - sourceLocation: Where the issue is recorded: the line of the call.
///   - isSo: Is called again and again, on this thread.
package func expectStays(
  _ what: String, for duration: Duration, seen: @autoclosure () throws -> Any,
  sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
) rethrows {
  let end = ContinuousClock.now + duration
  var pause = Pause()
  repeat {
    guard try isSo() else {
      Issue.record("not any more: \(what); there is: \(try seen())", sourceLocation: sourceLocation)
      return
    }
    letOthersRun(for: pause.next())
  } while .now < end
}

/// Gives other threads and processes some time. A test must not rely on what they do in it: what has to happen is
/// waited for with `waitUntil`.
package func letOthersRun(for duration: Duration = .milliseconds(1)) {
  usleep(UInt32(duration / .microseconds(1)))
}

/// Gives other tasks some time, also if this one is cancelled.
package func letOthersRun(for duration: Duration = .milliseconds(1)) async {
  try? await Task.sleep(for: duration)
}

extension DispatchSemaphore {
  /// Waits for a signal. If none comes in time, records an issue and goes on.
  package func waitInTime(sourceLocation: SourceLocation = #_sourceLocation) {
    if wait(timeout: .now() + seconds(patience)) == .timedOut {
      Issue.record("not in time: a signal", sourceLocation: sourceLocation)
    }
  }
}

extension DispatchGroup {
  /// Waits until all have left. If they do not in time, records an issue and goes on.
  package func waitInTime(sourceLocation: SourceLocation = #_sourceLocation) {
    if wait(timeout: .now() + seconds(patience)) == .timedOut {
      Issue.record("not in time: the end of what was begun", sourceLocation: sourceLocation)
    }
  }
}

private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

/// The time between two looks: short at first, then longer, as each look may cost a process.
private struct Pause {
  private var current = Duration.microseconds(500)

  mutating func next() -> Duration {
    defer { current = min(current * 2, .milliseconds(20)) }
    return current
  }
}

private func recordMissing(_ what: String, _ seen: Any, _ sourceLocation: SourceLocation) {
  Issue.record("not in time: \(what); there is: \(seen)", sourceLocation: sourceLocation)
}
