// SPDX-License-Identifier: MIT

import InterceptionFixture
import Testing
import WaxwingBridge
import WaxwingValues

/// Counts down, on whatever actor it is asked.
private struct Countdown: AsyncSequence {
  struct Iterator: AsyncIteratorProtocol {
    var rest: Int

    mutating func next(isolation actor: isolated (any Actor)?) async throws(IsolationRefusal)
      -> Int?
    {
      await Task.yield()
      if rest == 0 { throw IsolationRefusal() }
      rest -= 1
      return rest
    }
    mutating func next() async throws(IsolationRefusal) -> Int? { try await next(isolation: nil) }
  }

  let start: Int

  func makeAsyncIterator() -> Iterator { Iterator(rest: start) }
}

/// Tells on which actor it is asked.
private struct Places: AsyncSequence, AsyncIteratorProtocol {
  func makeAsyncIterator() -> Places { self }
  mutating func next(isolation actor: isolated (any Actor)?) async -> Bool? {
    ExecutorReference.main.isCurrent
  }
  mutating func next() async -> Bool? { await next(isolation: nil) }
}

/// Tells when it has begun to wait and waits until it is told what for.
private struct Held: AsyncSequence {
  struct Iterator: AsyncIteratorProtocol {
    let begun: AsyncStream<Void>.Continuation
    var release: AsyncStream<Int>.Iterator

    mutating func next() async -> Int? {
      begun.yield()
      return await release.next()
    }
  }

  let begun = AsyncStream.makeStream(of: Void.self)
  let release = AsyncStream.makeStream(of: Int.self)

  func makeAsyncIterator() -> Iterator {
    Iterator(begun: begun.continuation, release: release.stream.makeAsyncIterator())
  }
}

@Suite struct AsyncIteratorBoxTests {
  private func box(_ sequence: Any) throws -> AsyncIteratorBox {
    try #require(AsyncIteratorBox.make(of: sequence))
  }

  private func next(_ box: AsyncIteratorBox) async throws -> String {
    guard let element = try await box.next(isolation: nil) else { return "end" }
    return "\(element)"
  }

  @Test func `a sequence gives its elements, then nothing for good`() async throws {
    let stream = AsyncStream<String> { continuation in
      for text in ["a", "b"] { continuation.yield(text) }
      continuation.finish()
    }
    let box = try box(stream.map { $0 + "!" })
    let isOfStrings = box.elementType == String.self
    #expect(isOfStrings)
    var seen: [String] = []
    for _ in 0..<4 { seen.append(try await next(box)) }
    #expect(seen == ["a!", "b!", "end", "end"])
  }

  @Test func `an element that is nil is not the end`() async throws {
    let stream = AsyncStream<Int?> { continuation in
      continuation.yield(nil)
      continuation.yield(1)
      continuation.finish()
    }
    let box = try box(stream)
    #expect(try await next(box) == "nil")
    #expect(try await next(box) == "Optional(1)")
    #expect(try await next(box) == "end")
  }

  @Test func `a sequence's error is thrown once, and then it is at its end`() async throws {
    let box = try box(Countdown(start: 2))
    #expect(try await next(box) == "1")
    #expect(try await next(box) == "0")
    await #expect(throws: IsolationRefusal.self) { try await next(box) }
    #expect(try await next(box) == "end")
  }

  @Test func `a second call does not touch the iterator while one waits`() async throws {
    let held = Held()
    let box = try box(held)
    let first = Task { try await next(box) }
    var begun = held.begun.stream.makeAsyncIterator()
    _ = await begun.next()
    await #expect(throws: AsyncIterationError.self) { try await next(box) }
    held.release.continuation.yield(7)
    #expect(try await first.value == "7")
    held.release.continuation.finish()
    #expect(try await next(box) == "end")
  }

  @Test func `cancelling the task ends a wait that the sequence lets be cancelled`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let box = try box(stream)
    let task = Task { try await next(box) }
    await Task.yield()
    task.cancel()
    #expect(try await task.value == "end")
    continuation.finish()
  }

  @Test func `a sequence that nobody goes on reading is let go`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    continuation.onTermination = { _ in end.yield() }
    continuation.yield(1)
    var box: AsyncIteratorBox? = AsyncIteratorBox.make(of: consume stream)
    #expect(try await next(try #require(box)) == "1")
    box = nil
    var iterator = ends.makeAsyncIterator()
    await iterator.next()
    _ = continuation
  }

  @MainActor @Test func `a sequence runs on the actor that asks`() async throws {
    let box = try box(Places())
    let onMain = try await box.next(isolation: MainActor.shared) as? Bool
    let elsewhere = try await box.next(isolation: nil) as? Bool
    #expect(onMain == true)
    #expect(elsewhere == false)
  }

  @Test func `what is no sequence has no iterator`() {
    #expect(AsyncIteratorBox.make(of: [1, 2]) == nil)
  }
}
