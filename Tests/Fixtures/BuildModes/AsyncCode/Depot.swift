// SPDX-License-Identifier: MIT

// A module with async functions that is compiled without implicit dynamic.

/// 0. Functions that call what other modules cannot see are not copied into these.
@inline(never) func zero() -> Int { CommandLine.argc > 1000 ? 1 : 0 }

public enum DepotError: Error {
  case empty
  case tooHeavy(Int)
}

public struct Parcel: Equatable, Sendable {
  public var weight: Int
  public var label: String

  public init(weight: Int, label: String) {
    self.weight = weight
    self.label = label
  }

  @inline(never) public func priced(_ rate: Double) async -> Double {
    await Task.yield()
    return Double(weight + zero()) * rate
  }

  @inline(never) public mutating func grow(_ number: Int) async {
    weight += number
    await Task.yield()
    label += "+"
  }
}

public actor Stock {
  private var items: [String: Int] = [:]

  public init() {}

  @inline(never) public func add(_ name: String, _ number: Int) async throws -> Int {
    if name.isEmpty { throw DepotError.empty }
    items[name, default: 0] += number
    await Task.yield()
    return items[name] ?? 0
  }

  @inline(never) public func count() async -> Int {
    await Task.yield()
    return items.count
  }

  @inline(never) public func clear() async { items.removeAll() }

  /// On no actor.
  @inline(never) public nonisolated func title(_ number: Int) async -> String {
    await Task.yield()
    return "stock \(number)"
  }
}

public final class Depot: @unchecked Sendable {
  private var sent = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init() {}

  @inline(never) public func send(_ what: String, to place: Int) async throws -> String {
    await Task.yield()
    if what.isEmpty { throw DepotError.empty }
    if place > 9 { throw DepotError.tooHeavy(place) }
    sent += 1
    return "sent \(what) to \(place)"
  }

  @inline(never) public func split(_ parcel: Parcel) async -> (Parcel, Parcel, Int) {
    await Task.yield()
    let half = parcel.weight / 2 + zero()
    return (
      Parcel(weight: half, label: parcel.label + "1"),
      Parcel(weight: parcel.weight - half, label: parcel.label + "2"), half
    )
  }

  @inline(never) public func many(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
  ) async -> Int {
    await Task.yield()
    return a - b + c - d + e - f + g - h * i + zero()
  }

  /// Runs where its caller does.
  @inline(never) public nonisolated(nonsending) func near(_ number: Int) async -> Int {
    await Task.yield()
    return number + 1 + zero()
  }

  /// As `near`, without anything to wait for.
  @inline(never) public nonisolated(nonsending) func here() async -> Int { sent }

  /// Takes until `open` is called.
  @inline(never) public func hold(_ number: Int) async -> Int {
    await withCheckedContinuation { waiting.append($0) }
    return number
  }

  @inline(never) public func open() -> Bool {
    if waiting.isEmpty { return false }
    waiting.removeFirst().resume()
    return true
  }

  /// Ends when its task is cancelled.
  @inline(never) public func sleep(_ name: String) async throws -> String {
    try await Task.sleep(nanoseconds: 3_600_000_000_000)
    sent += zero()
    return name
  }
}

@inline(never) public func later(_ number: Int) async -> Int {
  await Task.yield()
  return number * 3
}

@MainActor @inline(never) public func onMain(_ number: Int) async -> Int {
  await Task.yield()
  MainActor.preconditionIsolated()
  return number + 5
}

@inline(never) public func largest<T: Comparable>(_ all: [T]) async -> T? {
  await Task.yield()
  return all.max()
}

/// An optimised build does not use what it gets.
@inline(never) public func unused(_ number: Int, _ other: Int) async -> Int { 7 + zero() }
