// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The program behind scripts/bench, run shortly: what it measures says nothing here.
@Suite struct BenchmarkTests {
  private struct Results: Decodable {
    struct Row: Decodable {
      let section, name, unit: String
      let median, best: Double
      let spread: [Double]
      let ratios: [Ratio]
    }

    struct Ratio: Decodable {
      let floor, kind: String
      let median, best: Double
      let spread: [Double]
    }

    struct Machine: Decodable {
      let processor: String
      let cores: Int
      let load: Double
    }

    let machine: Machine
    let rounds: Int
    let rows: [Row]
    let missing: [String: String]
  }

  /// Those that need no other program.
  private static let sections = [
    "calls": [
      "Library functions", "Lua uses Swift", "Several on one function", "Swift calls Lua",
      "What limits cost",
    ],
    "async": ["Swift waits for Lua"],
    "threads": ["Two threads on one patch point"],
    "latency": ["One call under load of two threads"],
    "memory": ["Memory"],
    "programs": ["Programs that are not patched"],
    "sessions": ["One patch"],
    "lifetimes": ["Objects made and dropped by Lua code"],
    "startup": ["Start of a process"],
  ]

  private func run(_ arguments: String...) throws -> CommandResult {
    try Command(try BuiltProduct("WaxwingBenchmarks").path, arguments).run(timeout: .seconds(60))
  }

  private func results(_ name: String) throws -> (results: Results, output: String) {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/results.json"
    let result = try run("--json", file, "--brief", "1", name)
    expectSuccess(result)
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    return (try JSONDecoder().decode(Results.self, from: data), result.standardOutput)
  }

  @Test(arguments: sections.keys.sorted())
  func `a section is JSON with all that is printed`(name: String) throws {
    let (results, output) = try results(name)
    #expect(results.rounds == 1 && results.machine.cores > 0)
    expectEqual(Set(results.rows.map(\.section)).sorted(), Self.sections[name])
    let names = Set(results.rows.map(\.name))
    #expect(names.count == results.rows.count, "two rows of one name")
    for row in results.rows {
      expectContains(output, row.name)
      #expect(row.best.isFinite && row.spread.count == 2, "\(row)")
      #expect(row.spread[0] <= row.median && row.median <= row.spread[1], "\(row)")
      for ratio in row.ratios {
        #expect(ratio.spread.count == 2 && names.contains(ratio.floor), "\(row)")
        #expect(["fair", "generous", "strict"].contains(ratio.kind))
        expectContains(output, "× \(ratio.floor)")
      }
    }
  }

  @Test func `what cannot be measured is named`() throws {
    let (results, output) = try results("startup")
    expectEqual(results.missing.keys.sorted(), ["the first patch, with 10,000 patch points more"])
    expectContains(output, "left out: name a library that has them with --points")
  }

  @Test func `calls are chosen by the ends of their names, with what they are compared with`()
    throws
  {
    let (results, _) = try results("get a stored property")
    expectEqual(
      results.rows.map(\.name),
      [
        "C: get a stored property", "C, a word checked: get a stored property",
        "get a stored property",
      ])
    expectEqual(results.rows.last?.ratios.map(\.kind), ["generous", "strict"])
  }

  /// Compares counts of some runs as callgrind writes them, of 2,000 calls each, with a table.
  private func report(_ runs: [String: Int]..., table: String) throws -> CommandResult {
    let directory = try TemporaryDirectory()
    let folders = runs.indices.map { "\(directory.path)/\($0)" }
    for (run, counts) in runs.enumerated() {
      try FileManager.default.createDirectory(
        atPath: folders[run], withIntermediateDirectories: false)
      for (index, (name, count)) in counts.enumerated() {
        try directory.write(
          "desc: Trigger: Client Request: \(name)\ntotals: \(count * 2000)\n",
          to: "\(run)/out.\(index)")
      }
    }
    let table = try directory.write(table, to: "table.tsv")
    let program = try BuiltProduct("WaxwingBenchmarks").path
    return try Command(program, ["--report", "--table", table] + folders).run()
  }

  @Test func `the gate fails for ratios above the table's, and for such that it has not`() throws {
    let counts = [
      "C: get a stored property": 800, "C, a word checked: get a stored property": 500,
      "get a stored property": 1000,
    ]
    // 1.25; 5 % and a hundredth more are let pass.
    let good = try report(counts, table: "get a stored property\t1.19\n")
    #expect(good.isSuccess && good.standardOutput.contains("1.25 [generous], 2.00 [strict]"))
    let worse = try report(counts, table: "get a stored property\t1.17\n")
    expectEqual(worse.status, .exited(1))
    expectContains(worse.standardOutput, "worse: get a stored property, 1.25 instead of 1.17")
    // What is worse in one run only is the seed's doing.
    var other = counts
    other["get a stored property"] = 930
    let lucky = try report(counts, other, table: "get a stored property\t1.15\n")
    #expect(lucky.isSuccess && lucky.standardOutput.contains("1.16 [generous], 1.86 [strict]"))
    let better = try report(counts, table: "get a stored property\t1.40\n")
    #expect(better.isSuccess && better.standardOutput.contains("better: get a stored property"))
    let new = try report(counts, table: "")
    expectEqual(new.status, .exited(1))
    expectContains(new.standardOutput, "new: get a stored property, 1.25")
  }

  @Test func `instructions are counted under callgrind only`() throws {
    let result = try run("--count", "get a stored property")
    expectEqual(result.status, .exited(2))
    #expect(result.standardError.hasPrefix("this is to be run under callgrind"))
  }

  @Test func `wrong arguments are usage errors`() throws {
    let help = try run("--help")
    #expect(help.isSuccess && help.standardOutput.hasPrefix("usage: WaxwingBenchmarks "))
    for arguments in [["--wrong"], ["0"], ["1", "calls", "more"], ["--json"], ["--report"]] {
      let result = try Command(try BuiltProduct("WaxwingBenchmarks").path, arguments).run()
      #expect(result.status == .exited(2) && result.standardError == help.standardOutput)
    }
    let unknown = try run("1", "nonsense")
    expectEqual(unknown.status, .exited(2))
    expectEqual(unknown.standardError, "nothing has a name that ends in 'nonsense'\n")
  }
}
