// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Waxwing

/// What it costs Lua code to use a Swift object: the same Lua loop over it, and over one in plain C.
enum BridgeBenchmarks {
  /// A loop's body adds to `sum` what `count` turns make `each` times of.
  private struct Row {
    let name: String
    /// Once, before the loop.
    var preparation = ""
    let body: String
    let each: Int

    /// See `Measurement.counted`.
    var counted: Int { each < 1000 ? 2000 : 200 }
  }

  private static let rows = [
    Row(name: "method call, two integers", body: "sum = sum + o:add(i, 2) - i", each: 2),
    Row(name: "get a stored property", body: "sum = sum + o.stored", each: 7),
    Row(name: "get a computed property", body: "sum = sum + o.computed", each: 7),
    Row(name: "set a stored property", body: "o.stored = 7 sum = sum + 1", each: 1),
    Row(name: "set a computed property", body: "o.computed = 7 sum = sum + 1", each: 1),
    Row(name: "string of 16 bytes to Lua", body: "sum = sum + #o:short()", each: 16),
    Row(
      name: "string of 16 bytes to Swift", preparation: "local s = ('x'):rep(16)",
      body: "sum = sum + o:length(s)", each: 16),
    Row(name: "string of 4 KB to Lua", body: "sum = sum + #o:long()", each: 4096),
    Row(
      name: "string of 4 KB to Swift", preparation: "local s = ('x'):rep(4096)",
      body: "sum = sum + o:length(s)", each: 4096),
    Row(name: "array of 1,000 integers to Lua", body: "sum = sum + #o:list()", each: 1000),
    Row(
      name: "array of 1,000 integers to Swift",
      preparation: "local t = {} for i = 1, 1000 do t[i] = i end",
      body: "sum = sum + o:last(t)", each: 1000),
    Row(
      name: "struct echo", preparation: "local v = o:vector()",
      body: "v = o:echo(v) sum = sum + 1", each: 1),
    Row(name: "object made and collected", body: "o:make() sum = sum + 1", each: 1),
    Row(
      name: "object that Lua has, returned again", preparation: "local held = o:own()",
      body: "o:own() sum = sum + 1", each: 1),
    Row(
      name: "Swift error through Lua", preparation: "local function fail() o:fail() end",
      body: "if not pcall(fail) then sum = sum + 1 end", each: 1),
    Row(
      name: "Swift closure called", preparation: "local f = o:adder(2)",
      body: "sum = sum + f(i) - i", each: 2),
    Row(
      name: "Lua function passed and called", preparation: "local f = function(a) return a + 2 end",
      body: "sum = sum + o:apply(f)", each: 3),
    Row(
      name: "Lua function called 100 times",
      preparation: "o:keep(function(a) return a + 2 end)",
      body: "sum = sum + o:callKept()", each: 5250),
  ]

  static var all: [Measurement] { rows.flatMap { [floor($0), bridge($0)] } }

  private static func loop(_ row: Row) -> String {
    "local sum = 0 \(row.preparation) for i = 1, n do \(row.body) end return sum"
  }

  private static func floor(_ row: Row) -> Measurement {
    guard
      let subject = benchmark_subject_create("local o = ... return function(n) \(loop(row)) end")
    else { preconditionFailure("the floor of \(row.name) could not be made") }
    var measurement = Measurement("C: " + row.name) { count in
      let sum = benchmark_subject_run(subject, Int64(count))
      precondition(sum == count * row.each, "wrong sum of C: \(row.name)")
    }
    measurement.counted = row.counted
    return measurement
  }

  private static func bridge(_ row: Row) -> Measurement {
    let workload = Workload()
    let patch = """
      local workload = class "BenchmarkFixture.Workload"
      function workload:run(n) local o = self.subject \(loop(row)) end
      """
    var measurement = Measurement(row.name, comparedTo: "C: " + row.name, patch: patch) { count in
      precondition(workload.run(count) == count * row.each, "wrong sum of \(row.name)")
    }
    measurement.counted = row.counted
    return measurement
  }
}
