// SPDX-License-Identifier: MIT

// Takes closures as routers of servers do. Compiled as a module of its own.

public struct Request: Sendable {
  public var path: String
  public var number: Int
  public init(_ path: String, _ number: Int) { (self.path, self.number) = (path, number) }
}
public protocol Context: Sendable {
  init(id: Int)
  var id: Int { get }
}
public protocol Answer: Sendable { var text: String { get } }
extension String: Answer { public var text: String { "String " + self } }
extension Int: Answer { public var text: String { "Int \(self)" } }
extension Bool: Answer { public var text: String { "Bool \(self)" } }
extension Double: Answer { public var text: String { "Double \(self)" } }
extension Optional: Answer where Wrapped: Answer {
  public var text: String { map { "some " + $0.text } ?? "nil" }
}
extension Array: Answer where Element: Answer {
  public var text: String { map(\.text).joined(separator: ",") }
}
public struct Wide: Answer {
  public var a, b, c, d: Int
  public var note: String
  public init(_ n: Int, _ note: String) {
    (a, b, c, d) = (n, n + 1, n + 2, n + 3)
    self.note = note
  }
  public var text: String { "Wide \(a) \(b) \(c) \(d) \(note)" }
}
public struct Small: Answer, Equatable {
  public var flag: Bool
  public var value: Int32
  public init(_ flag: Bool, _ value: Int32) { (self.flag, self.value) = (flag, value) }
  public var text: String { "Small \(flag) \(value)" }
}
public struct Oops: Error {
  public var code: Int
  public init(code: Int) { self.code = code }
}
public final class Session: Sendable {
  public let name: String
  public init(_ name: String) { self.name = name }
}

public struct Group<C: Context>: Sendable {
  let router: Router<C>
  public func post<Output: Answer>(
    _ path: String, use handler: @escaping @Sendable (Request, C) async throws -> Output
  ) { router.on(path, use: handler) }
}
public protocol Routable {
  associatedtype Ctx: Context
  func add(_ path: String, _ run: @escaping @Sendable (Request, Ctx) async throws -> any Answer)
}
extension Routable {
  @discardableResult
  public func get<Output: Answer>(
    _ path: String, use handler: @escaping @Sendable (Request, Ctx) async throws -> Output
  ) -> Self {
    add(path) { request, context in try await handler(request, context) }
    return self
  }
}
public final class Router<C: Context>: @unchecked Sendable, Routable {
  var table: [String: @Sendable (Request, C) async throws -> any Answer] = [:]
  public init(context: C.Type = C.self) {}
  public func add(
    _ path: String, _ run: @escaping @Sendable (Request, C) async throws -> any Answer
  ) { table[path] = run }
  public var group: Group<C> { Group(router: self) }
  public func on<Output: Answer>(
    _ path: String, use handler: @escaping @Sendable (Request, C) async throws -> Output
  ) { table[path] = { try await handler($0, $1) } }
  public func raw(_ path: String, use handler: @escaping @Sendable (Request, Int) async -> String) {
    table[path] = { await handler($0, $1.id) }
  }
  public func many(
    _ path: String,
    use handler:
      @escaping @Sendable (Int, Int, Int, Int, Int, Int, Int, String, Double) async throws -> Wide
  ) {
    table[path] = { r, c in try await handler(1, 2, 3, 4, 5, 6, r.number, r.path, 0.5) }
  }
  public func nothing(
    _ path: String, use handler: @escaping @Sendable (Request) async throws -> Void
  ) {
    table[path] = { r, _ in
      try await handler(r)
      return true
    }
  }
  public func generic<T: Answer, U>(
    _ path: String, _ value: T, then: @escaping @Sendable (T?, [T], U) async throws -> (T, U),
    use: U
  ) where U: Sendable {
    table[path] = { _, _ in
      let (t, u) = try await then(value, [value, value], use)
      return "\(t.text) \(u)"
    }
  }
  public func object<S: AnyObject & Sendable>(
    _ path: String, _ session: S, _ handler: @escaping @Sendable (S, inout Int) async throws -> Int
  ) {
    table[path] = { r, _ in
      var n = r.number
      let x = try await handler(session, &n)
      return "\(x) \(n)"
    }
  }
  public func void<Output: Sendable>(
    _ path: String, _ handler: @escaping @Sendable (Request) async throws -> Output
  ) { table[path] = { r, _ in "\(try await handler(r))" } }
  public func optional(_ path: String, _ handler: (@Sendable (Request) async -> Int)?) {
    table[path] = { r, _ in await handler?(r) }
  }
  public func later(_ path: String, _ handler: @escaping @Sendable (Request) async -> Int) async {
    await Task.yield()
    table[path] = { r, _ in await handler(r) }
  }
  /// Gets its caller's actor in front of its arguments, and its symbol does not say so.
  public nonisolated(nonsending) func two<T: Answer>(
    _ path: String, _ first: @concurrent @escaping @Sendable (Int) async -> Int,
    _ second: @concurrent @escaping @Sendable (T) async -> T, _ value: T
  ) async {
    await Task.yield()
    table[path] = { r, _ in
      let number = await first(r.number)
      return "\(number) \(await second(value).text)"
    }
  }
  public func pair(
    _ path: String, _ first: @escaping @Sendable (Request) async -> Int,
    _ second: @escaping @Sendable (Request) async -> Int
  ) { table[path] = { r, _ in await [first(r), second(r)] } }
  public func run(_ path: String, _ number: Int, id: Int) async -> String {
    guard let handler = table[path] else { return "404" }
    do { return try await handler(Request(path, number), C(id: id)).text } catch let error as Oops {
      return "oops \(error.code)"
    } catch { return "error \(error)" }
  }
  public var paths: [String] { table.keys.sorted() }
}
extension Router {
  /// A client that is optimised has a copy of the closure, for its constants.
  @inlinable public func health(_ path: String, _ level: Int) {
    raw(path) { q, id in "health \(level) \(id)" }
  }
}
