// SPDX-License-Identifier: MIT

import Glibc

struct Visit: Sendable { var name: String }

final class Routes: @unchecked Sendable {
  typealias Handler = @Sendable (Visit, Int) async throws -> String
  private var table: [String: Handler] = [:]

  func add(_ path: String, use handler: @escaping Handler) { table[path] = handler }

  func answer(_ path: String) async -> String {
    guard let handler = table[path] else { return "404" }
    do { return try await handler(Visit(name: path), 3) } catch { return "error" }
  }
}

nonisolated(unsafe) var kept: [@Sendable (Int) async -> Int] = []

func boot(_ routes: Routes, greeting: String) {
  routes.add("hello") { visit, count in "\(greeting) \(visit.name) \(count)" }
  routes.add("count") { _, count in "\(count)" }
  // Nothing in the code tells how this one is called.
  kept.append { $0 + 1 }
}

struct Desk {
  func open(_ routes: Routes) { routes.add("desk") { visit, _ in "\(visit.name) is open" } }
  static func close(_ routes: Routes) { routes.add("shut") { visit, _ in visit.name } }
}

/// Answers each line of its input as the closure of that route does. It does not link Waxwing.
@main struct Main {
  static func main() async {
    let routes = Routes()
    boot(routes, greeting: "hi")
    Desk().open(routes)
    Desk.close(routes)
    print("ready")
    fflush(nil)
    while let line = readLine() {
      print(await routes.answer(line))
      fflush(nil)
    }
  }
}
