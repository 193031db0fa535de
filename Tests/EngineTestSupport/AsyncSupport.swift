// SPDX-License-Identifier: MIT

import Foundation
package import Testing
import Waxwing

/// Runs `body` on a thread of its own: what waits for tasks must not keep one from them.
package func offPool<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Runs `body` with a patch, as `withPatch` does, where it waits.
package func withAsyncPatch<Result>(
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
  func end() async {
    do {
      let restoration = try await offPool { try WaxwingEngine.end(session) }
      #expect(restoration.isComplete, sourceLocation: sourceLocation)
      #expect(restoration.entriesVerified > 0, sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
  do {
    let result = try await body()
    await end()
    return result
  } catch {
    await end()
    throw error
  }
}
