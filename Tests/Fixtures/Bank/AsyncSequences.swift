// SPDX-License-Identifier: MIT

/// A sequence of a struct with an iterator of a struct; counts down to 1.
public struct AsyncCountdown: AsyncSequence, Sendable {
  public let start: Int
  public init(_ start: Int) { self.start = start }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var left: Int

    public mutating func next() async -> Int? {
      await Task.yield()
      guard left > 0 else { return nil }
      defer { left -= 1 }
      return left
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: start) }
}

/// A sequence that throws before an element; its iterator is a class, which counts those alive.
public struct AsyncFlaky: AsyncSequence, Sendable {
  public static let iterators = Census()
  public let failsAt: Int
  public init(failsAt: Int) { self.failsAt = failsAt }

  public final class AsyncIterator: AsyncIteratorProtocol {
    private let failsAt: Int
    private var number = 0

    init(failsAt: Int) {
      self.failsAt = failsAt
      AsyncFlaky.iterators.born()
    }

    deinit { AsyncFlaky.iterators.died() }

    public func next() async throws -> String? {
      number += 1
      if number == failsAt { throw BankError.insufficient(number) }
      return number > 5 ? nil : "line \(number)"
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(failsAt: failsAt) }
}

/// A sequence of structs that come by address.
public struct AsyncRecords: AsyncSequence, Sendable {
  public let count: Int
  public init(_ count: Int) { self.count = count }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let count: Int
    var number = 0

    public mutating func next() async -> WideRecord? {
      guard number < count else { return nil }
      number += 1
      return WideRecord(number)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
}

/// Makes sequences of the library's own kinds.
public enum AsyncSource {
  /// Ends after so many numbers.
  public static func numbers(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  /// One number about every millisecond, from a task that ends with the stream.
  public static func ticks(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      let task = Task {
        for number in 0..<count {
          try? await Task.sleep(for: .milliseconds(1))
          continuation.yield(number)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Never has an element and never ends, unless cancelled.
  public static func silence() -> AsyncStream<String> { AsyncStream { _ in } }

  /// Numbers, every other one missing.
  public static func gaps(_ count: Int) -> AsyncStream<Int?> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number.isMultiple(of: 2) ? number : nil) }
      continuation.finish()
    }
  }

  /// Throws after so many lines.
  public static func lines(_ count: Int) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for number in 0..<count { continuation.yield("line \(number)") }
      continuation.finish(throwing: BankError.closed)
    }
  }

  /// A sequence whose type is hidden.
  public static func hidden(_ start: Int) -> some AsyncSequence<Int, Never> {
    numbers(start).map { $0 * 2 }
  }

  /// Adds up a stream, for overrides to be passed one.
  public static func sum(_ numbers: AsyncStream<Int>) async -> Int {
    await numbers.reduce(0, +)
  }
}
