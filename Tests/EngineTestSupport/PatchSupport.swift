// SPDX-License-Identifier: MIT

import Bank
package import Testing
package import Waxwing

/// Runs `body` with a patch, between two checks that nothing else is loaded, and then verifies that
/// every entry is back, and that no closure has failed.
/// - Parameter isPatient: Whether its calls may take longer than they may by default, see `EngineTrait`.
package func withPatch<Result>(
  _ text: String, name: String = "test", isPatient: Bool = true, _ body: () throws -> Result,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Result {
  let failures = LogLines()
  WaxwingEngine.setLogHandler { event in
    if event.line.contains("closure.failed") { failures.add(event.line) }
  }
  #expect(patches().isEmpty, sourceLocation: sourceLocation)
  defer { #expect(failures.all == [], sourceLocation: sourceLocation) }
  let session: Session
  do {
    let policy = WaxwingEngine.policy
    defer { WaxwingEngine.policy = policy }
    if !isPatient { WaxwingEngine.policy.limits.milliseconds = Policy().limits.milliseconds }
    session = try WaxwingEngine.start(text: text, name: name)
  }
  defer {
    do {
      let restoration = try WaxwingEngine.end(session)
      #expect(restoration.isComplete, sourceLocation: sourceLocation)
      #expect(restoration.entriesVerified > 0, sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
  return try body()
}

/// The message with which a patch is refused.
package func refusal(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  WaxwingEngine.setLogHandler { _ in }
  do {
    let session = try WaxwingEngine.start(text: text, name: "refused")
    try WaxwingEngine.end(session)
    Issue.record("the patch was not refused", sourceLocation: sourceLocation)
    return ""
  } catch let error as WaxwingError {
    #expect(patches().isEmpty, sourceLocation: sourceLocation)
    return error.message
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    return ""
  }
}

/// The loaded patches.
package func patches() -> [PatchInfo] {
  do {
    return try WaxwingEngine.list()
  } catch {
    Issue.record(error)
    return []
  }
}

/// The last faults of all overrides, in the order of the scripts.
package func faults() -> [String] {
  patches().flatMap(\.overrides).compactMap(\.lastError).map {
    "\($0.file):\($0.line): \($0.message)"
  }
}

/// One of these faults. If there are fewer, records an issue that shows them.
/// - Parameter index: Its place among them, from 0 on.
package func expectedFault(
  _ index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
) -> String {
  let faults = faults()
  guard faults.indices.contains(index) else {
    Issue.record("no fault \(index) among \(faults)", sourceLocation: sourceLocation)
    return ""
  }
  return faults[index]
}
