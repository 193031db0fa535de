// SPDX-License-Identifier: MIT

// Takes closures as routers of servers do. Compiled as a module of its own.

public struct Request: Sendable {
  public var number: Int
  public init(_ number: Int) { self.number = number }
}
public struct Oops: Error {
  public var code: Int
  public init(_ code: Int) { self.code = code }
}
public final class Router: @unchecked Sendable {
  var plain: [(String, (Request) throws -> String)] = []
  var waiting: [(String, @Sendable (Request) async throws -> String)] = []
  public init() {}
  public func on(_ name: String, _ f: @escaping (Request) throws -> String) {
    plain.append((name, f))
  }
  public func pair(
    _ name: String, _ f: @escaping (Request) throws -> String,
    _ g: @escaping (Request) throws -> String
  ) { plain += [(name, f), (name, g)] }
  public func get(_ name: String, _ f: @escaping @Sendable (Request) async throws -> String) {
    waiting.append((name, f))
  }
  public func main(_ name: String, _ f: @escaping @MainActor (Request) async throws -> String) {
    waiting.append((name, f))
  }
  public func onMain(_ name: String, _ f: @escaping @MainActor (Request) -> String) {
    waiting.append((name, { await f($0) }))
  }
  public func typed(_ name: String, _ f: @escaping (Request) throws(Oops) -> String) {
    plain.append((name, { (q) throws in try f(q) }))
  }
  public func typedLater(
    _ name: String, _ f: @escaping @Sendable (Request) async throws(Oops) -> String
  ) { waiting.append((name, { (q) async throws in try await f(q) })) }
  public func run(_ f: () -> Void) { f() }
  public func each(_ f: (Int) -> Int) -> Int { f(1) + f(2) }
  public func ask(_ number: Int) async {
    for (name, f) in plain { print("\(name): \(await text { try f(Request(number)) });") }
    for (name, f) in waiting {
      print("\(name): \(await text { try await f(Request(number)) });")
    }
  }
  func text(_ f: () async throws -> String) async -> String {
    do { return try await f() } catch { return "\(error)" }
  }
}

public protocol Runner { func run(_ f: () -> Void) }
extension Router: Runner {}
