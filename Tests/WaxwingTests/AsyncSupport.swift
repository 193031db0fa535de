// SPDX-License-Identifier: MIT

import Testing
import Waxwing

/// Runs `body` with a patch, as `withPatch` does, where it waits.
func withAsyncPatch<Result>(
  _ text: String, name: String = "test",
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Result {
  let failures = LogLines()
  WaxwingEngine.setLogHandler { event in
    if event.line.contains("closure.failed") { failures.add(event.line) }
  }
  #expect(patches().isEmpty, sourceLocation: sourceLocation)
  defer { #expect(failures.all == [], sourceLocation: sourceLocation) }
  let session = try WaxwingEngine.start(text: text, name: name)
  defer {
    do {
      let restoration = try WaxwingEngine.end(session)
      #expect(restoration.isComplete, sourceLocation: sourceLocation)
      #expect(restoration.entriesVerified > 0, sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
  return try await body()
}
