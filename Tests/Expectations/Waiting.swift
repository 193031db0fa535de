// SPDX-License-Identifier: MIT

import Glibc
package import Testing

/// For how long tests wait for what has to happen: longer than it takes on any machine, as only a
/// test that fails waits until then.
package let patience = Duration.seconds(60)

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
  while try !isSo() {
    guard .now < end else {
      try recordMissing(what, seen(), sourceLocation)
      return false
    }
    usleep(500)
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
  while try !isSo() {
    guard .now < end else {
      try recordMissing(what, seen(), sourceLocation)
      return false
    }
    // A task that is cancelled waits as well.
    try? await Task.sleep(for: .milliseconds(1))
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

private func recordMissing(_ what: String, _ seen: Any, _ sourceLocation: SourceLocation) {
  Issue.record("not in time: \(what); there is: \(seen)", sourceLocation: sourceLocation)
}
