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
    /// Whether what the floor's check of its object takes shows: there is one then that checks a word.
    var hasStrictFloor = false

    /// See `Measurement.counted`.
    var counted: Int { each < 1000 ? 2000 : 200 }
  }

  private static let rows = [
    Row(
      name: "method call, two integers", body: "sum = sum + o:add(i, 2) - i", each: 2,
      hasStrictFloor: true),
    Row(name: "get a stored property", body: "sum = sum + o.stored", each: 7, hasStrictFloor: true),
    Row(
      name: "get a computed property", body: "sum = sum + o.computed", each: 7, hasStrictFloor: true
    ),
    Row(
      name: "set a stored property", body: "o.stored = 7 sum = sum + 1", each: 1,
      hasStrictFloor: true),
    Row(
      name: "set a computed property", body: "o.computed = 7 sum = sum + 1", each: 1,
      hasStrictFloor: true),
    Row(
      name: "string of 16 bytes to Lua", body: "sum = sum + #o:short()", each: 16,
      hasStrictFloor: true),
    Row(
      name: "string of 16 bytes to Swift", preparation: "local s = ('x'):rep(16)",
      body: "sum = sum + o:length(s)", each: 16, hasStrictFloor: true),
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
      body: "v = o:echo(v) sum = sum + 1", each: 1, hasStrictFloor: true),
    Row(name: "object made and collected", body: "o:make() sum = sum + 1", each: 1),
    Row(
      name: "object that Lua has, returned again", preparation: "local held = o:own()",
      body: "o:own() sum = sum + 1", each: 1, hasStrictFloor: true),
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

  static var all: [Measurement] {
    rows.flatMap { row in
      [floor(row)] + (row.hasStrictFloor ? [floor(row, isStrict: true)] : []) + [bridge(row)]
    }
  }

  /// What other bindings can do, too: the code gets the object and returns a function of a count, which
  /// adds up `each` so many times.
  static func shared(_ name: String) -> (
    code: String, each: Int, floor: Measurement, own: Measurement
  ) {
    guard let row = rows.first(where: { $0.name == name }) else {
      preconditionFailure("there is no row '\(name)'")
    }
    return (code(row), row.each, floor(row), bridge(row))
  }

  private static func code(_ row: Row) -> String {
    "local o = ... return function(n) \(loop(row)) end"
  }

  private static func loop(_ row: Row) -> String {
    "local sum = 0 \(row.preparation) for i = 1, n do \(row.body) end return sum"
  }

  private static func floorName(_ row: Row, isStrict: Bool) -> String {
    (isStrict ? "C, a word checked: " : "C: ") + row.name
  }

  private static func floor(_ row: Row, isStrict: Bool = false) -> Measurement {
    guard let subject = benchmark_subject_create(code(row), isStrict) else {
      preconditionFailure("the floor of \(row.name) could not be made")
    }
    var measurement = Measurement(floorName(row, isStrict: isStrict)) { count in
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
    var floors = [Floor(floorName(row, isStrict: false), row.hasStrictFloor ? .generous : .fair)]
    if row.hasStrictFloor { floors.append(Floor(floorName(row, isStrict: true), .strict)) }
    var measurement = Measurement(row.name, comparedTo: floors, patches: [patch]) { count in
      precondition(workload.run(count) == count * row.each, "wrong sum of \(row.name)")
    }
    measurement.counted = row.counted
    return measurement
  }
}
