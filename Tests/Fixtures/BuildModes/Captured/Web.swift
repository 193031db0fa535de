// SPDX-License-Identifier: MIT

// Takes closures as routers of servers do. Compiled as a module of its own.

public struct Request: Sendable {
  public var number: Int
  public init(_ number: Int) { self.number = number }
}
public final class Router: @unchecked Sendable {
  var plain: [(String, (Request) throws -> String)] = []
  var waiting: [(String, @Sendable (Request) async throws -> String)] = []
  public init() {}
  public func on(_ name: String, _ f: @escaping (Request) throws -> String) {
    plain.append((name, f))
  }
  public func get(_ name: String, _ f: @escaping @Sendable (Request) async throws -> String) {
    waiting.append((name, f))
  }
  public func each(_ f: (Int) -> Int) -> Int { f(1) + f(2) }
  public func ask(_ number: Int) async {
    for (name, f) in plain { print("\(name): \((try? f(Request(number))) ?? "error");") }
    for (name, f) in waiting {
      print("\(name): \((try? await f(Request(number))) ?? "error");")
    }
  }
}
