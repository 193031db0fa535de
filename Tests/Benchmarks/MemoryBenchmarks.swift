// SPDX-License-Identifier: MIT

import BenchmarkFloor
import Glibc
import Waxwing

/// What patches keep of the process's memory, as malloc counts it.
enum MemoryBenchmarks {
  private static let sessions = 50
  private static let overrides = 1000
  private static let objects = 10_000

  static func run(_ report: Report) throws {
    var (session, override, proxy): ([Double], [Double], [Double]) = ([], [], [])
    _ = try kept { try start("-- nothing", "first") }
    let steps = (1...overrides).map { "m.step\($0) = function(n) return n + \($0 + 1) end" }
    for _ in 0..<min(report.rounds, 3) {
      let empty =
        try kept { for index in 0..<sessions { try start("-- nothing", "empty\(index)") } }
        / Double(sessions)
      let many = try kept {
        try start(
          (["local m = module \"BenchmarkFixture\""] + steps).joined(separator: "\n"), "many")
      }
      let table = try kept { try start(held("i"), "table") }
      let proxies = try kept { try start(held("o:make()"), "proxies") }
      session.append(empty)
      override.append((many - empty) / Double(overrides))
      proxy.append((proxies - table) / Double(objects))
    }
    report.begin("Memory", "bytes")
    report.add("a session", session, .bytes)
    report.add("an override, with its Lua function", override, .bytes)
    report.add("a proxy, with its object of 32 bytes", proxy, .bytes)
  }

  /// A patch that keeps so many of something.
  private static func held(_ value: String) -> String {
    """
    local o = class("BenchmarkFixture.Subject")()
    kept = {}
    for i = 1, \(objects) do kept[i] = \(value) end
    """
  }

  private static func start(_ text: String, _ name: String) throws {
    try WaxwingEngine.start(text: text, name: name)
  }

  /// How many bytes more are in use after it; what it has started is ended then.
  private static func kept(_ body: () throws -> Void) throws -> Double {
    usleep(300_000)  // what was started before is gone by then
    let before = benchmark_memory_in_use()
    try body()
    let after = benchmark_memory_in_use()
    let restoration = try WaxwingEngine.restore()
    precondition(restoration.isComplete, "not restored")
    return Double(after) - Double(before)
  }
}
