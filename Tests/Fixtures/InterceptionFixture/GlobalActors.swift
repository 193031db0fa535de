// SPDX-License-Identifier: MIT

// Functions that belong to the main actor and to global actors of the program.

@MainActor public final class Screen {
  public var lines = 0

  public init() {}

  public func draw(_ a: Int) async -> Int {
    lines &+= a
    return lines
  }
  public func blank() async {}
  public func drawOrThrow(_ a: Int) async throws -> Int {
    if a < 0 { throw IsolationRefusal() }
    lines &+= a
    return lines
  }
  public static func reset(_ a: Int) async -> Int { trail.step(a) }
  public var height: Int { get async { lines } }
  public nonisolated func apart(_ a: Int) async -> Int { trail.step(a) }
  @Archive public func store(_ a: Int) async -> Int { trail.step(a) }
}

@Archive public struct Folder {
  public var count: Int
  public func read(_ a: Int) async -> Int { trail.step(count &+ a) }
  public mutating func file(_ a: Int) async -> Int {
    count &+= a
    return trail.step(count)
  }
}

@MainActor public func showMain(_ a: Int) async -> Int { trail.step(a) }
@MainActor public func showMainThrowing(_ a: Int) async throws -> Int {
  if a < 0 { throw IsolationRefusal() }
  return trail.step(a)
}
@MainActor public func showMainNine(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
) async -> Int { trail.step(a &+ i) }
@MainActor public func showMainSame<T: Sendable>(_ value: T) async -> T {
  trail.step(1)
  return value
}
@MainActor public func showMainNothing() async {}
@MainActor public func showMainWaiting(_ a: Int) async -> Int {
  await Task.yield()
  return showNow(a)
}
@MainActor public func showMainAsking(_ a: Int) async throws -> Int {
  let asked = try await freeThrowing(a)
  return showNow(asked)
}
@MainActor func showNow(_ a: Int) -> Int { trail.step(a) }
@Archive public func keepArchiveWaiting(_ a: Int) async -> Int {
  await Task.yield()
  return keepNow(a)
}
@Archive public func keepArchiveAsking(_ a: Int) async throws -> Int {
  let asked = try await freeThrowing(a)
  return keepNow(asked)
}
@Archive func keepNow(_ a: Int) -> Int { trail.step(a) }
@Archive public func keepArchive(_ a: Int) async -> Int { trail.step(a) }
@Archive public func keepArchiveNothing() async {}
@Harbour public func enterHarbour(_ a: Int) async -> Int { trail.step(a) }
@Quay public func atQuay(_ a: Int) async -> Int { trail.step(a) }
