// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Waxwing

/// The cost of scripts' library functions: the same loop with the engine's, and with Lua's own in a
/// plain state.
enum LibraryBenchmarks {
  /// A loop's body adds `each` to `sum`.
  private struct Row {
    let name: String
    /// Once, before the loop.
    var preparation = ""
    let body: String
    let each: Int
    /// See `Measurement.counted`.
    var counted = 2000
  }

  private static let words = """
    local text = ("the quick brown fox jumps over the lazy dog, key = value; "):rep(20)
    """
  private static let shuffled = """
    local list = {} local function shuffle(make)
      for k = 1, 1000 do list[k] = make(k * 7919 % 1009) end
    end
    local function number(k) return k end local function name(k) return "name" .. 1000 + k end
    """

  private static let rows = [
    Row(name: "find of a text", body: "sum = sum + (('hello world'):find('world'))", each: 7),
    Row(name: "find of digits", body: "sum = sum + (('hello 42 world'):find('%d+'))", each: 7),
    Row(
      name: "match of a key and a value",
      body: "local k, v = ('name = value'):match('^(%w+)%s*=%s*(%w+)$') sum = sum + #k + #v",
      each: 9),
    Row(name: "trimming", body: "sum = sum + #(' some text '):match('^%s*(.-)%s*$')", each: 9),
    Row(
      name: "gmatch over 220 words", preparation: words,
      body: "for _ in text:gmatch('%a+') do sum = sum + 1 end", each: 220, counted: 50),
    Row(
      name: "gsub of 20 words", preparation: words,
      body: "sum = sum + select(2, text:gsub('fox', 'cat'))", each: 20, counted: 50),
    Row(
      name: "gsub with captures", preparation: words,
      body: "sum = sum + select(2, text:gsub('(%w+) = (%w+)', '%2 = %1'))", each: 20, counted: 50),
    Row(
      name: "gsub by a function", preparation: words,
      body: "sum = sum + select(2, text:gsub('%w+', string.upper))", each: 220, counted: 50),
    Row(
      name: "sort of 1,000 integers", preparation: shuffled,
      body: "shuffle(number) table.sort(list) sum = sum + list[1]", each: 1, counted: 10),
    Row(
      name: "sort of 1,000 strings", preparation: shuffled,
      body: "shuffle(name) table.sort(list) sum = sum + #list[1]", each: 8, counted: 10),
    Row(
      name: "sort of 1,000 by a function", preparation: shuffled,
      body: "shuffle(number) table.sort(list, function(a, b) return a < b end) sum = sum + list[1]",
      each: 1, counted: 10),
    Row(
      name: "insert and remove in front of 100",
      preparation: "local list = {} for i = 1, 100 do list[i] = i end",
      body: "table.insert(list, 1, 7) sum = sum + table.remove(list, 1)", each: 7, counted: 200),
    Row(
      name: "concat of 100 words",
      preparation: "local list = {} for i = 1, 100 do list[i] = 'word' end",
      body: "sum = sum + #table.concat(list, ',')", each: 499, counted: 200),
  ]

  static var all: [Measurement] { rows.flatMap { [floor($0), patched($0)] } }

  private static func loop(_ row: Row) -> String {
    "local sum = 0 \(row.preparation) for i = 1, n do \(row.body) end return sum"
  }

  private static func floor(_ row: Row) -> Measurement {
    guard let subject = benchmark_subject_create("return function(n) \(loop(row)) end", false)
    else { preconditionFailure("the floor of \(row.name) could not be made") }
    var measurement = Measurement("Lua's own: \(row.name)") { count in
      let sum = benchmark_subject_run(subject, Int64(count))
      precondition(sum == count * row.each, "wrong sum of Lua's own: \(row.name)")
    }
    measurement.counted = row.counted
    return measurement
  }

  private static func patched(_ row: Row) -> Measurement {
    let workload = Workload()
    let patch = """
      local workload = class "BenchmarkFixture.Workload"
      function workload:run(n) \(loop(row)) end
      """
    var measurement = Measurement(
      row.name, comparedTo: Floor("Lua's own: \(row.name)"), patch: patch
    ) {
      count in
      precondition(workload.run(count) == count * row.each, "wrong sum of \(row.name)")
    }
    measurement.counted = row.counted
    return measurement
  }
}
