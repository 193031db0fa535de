// SPDX-License-Identifier: MIT

/// A class that belongs to the main actor.
@MainActor public final class AsyncWindow {
  public private(set) var title = "untitled"
  public init() {}
  /// For tests that make one anywhere.
  public nonisolated init(plain: Bool) {}

  /// Does not wait.
  public func rename(_ title: String) -> String {
    MainActor.preconditionIsolated()
    self.title = title
    return title
  }

  /// Waits once, and is back on the main actor.
  public func load(_ number: Int) async -> String {
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
    return "\(title) \(number)"
  }

  public func save(_ number: Int) async throws -> WideRecord {
    MainActor.assertIsolated()
    if number < 0 { throw BankError.insufficient(number) }
    return WideRecord(number)
  }

  /// Computed by waiting.
  public var caption: String {
    get async {
      MainActor.preconditionIsolated()
      return "[\(title)]"
    }
  }

  /// Not isolated.
  public nonisolated func tag(_ number: Int) async -> Int { number + 5 }
}

/// Runs on the main actor and waits there.
@MainActor public func asyncMainSum(_ a: Int, _ b: Int) async -> Int {
  MainActor.preconditionIsolated()
  await Task.yield()
  MainActor.preconditionIsolated()
  return a + b
}

/// Runs on the main actor and is not async.
@MainActor public func asyncMainAtOnce(_ number: Int) -> Int {
  MainActor.preconditionIsolated()
  return number + 1
}
