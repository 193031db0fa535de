// SPDX-License-Identifier: MIT

import BenchmarkFloor
import Foundation
import Waxwing

/// Instructions that a call takes, as callgrind counts them: they are the same in each run, and on a
/// busy machine.
struct InstructionCounts {
  /// Floors of fewer instructions tell nothing of a ratio.
  private static let leastFloor = 300.0
  /// A ratio may be so much above the table's.
  private static let tolerance = 0.05

  private struct Row: Encodable {
    let section: String
    let name: String
    /// Instructions of one call.
    let count: Double
    /// To its floors, but for those that are next to nothing; none if it is one itself. The table has
    /// the first.
    let ratios: [Ratio]
  }

  private struct Ratio: Encodable {
    let floor: String
    let kind: Floor.Kind
    let value: Double
  }

  private let sections: [(title: String, rows: [Row])]

  /// Runs what is to be counted.
  static func count(_ measurements: [Measurement]) throws {
    guard benchmark_is_counted() else {
      Benchmarks.fail(
        "this is to be run under callgrind, and to be built where valgrind is installed: "
          + "scripts/bench --instructions\n")
    }
    for measurement in measurements {
      var limits = measurement.limits
      limits.idleMilliseconds = 0  // no other thread collects meanwhile
      try Benchmarks.patched(measurement.patches, limits) {
        measurement.run(measurement.counted)  // plans are made at the first call
        benchmark_count_begin()
        measurement.run(measurement.counted)
        benchmark_count_end(measurement.name)
      }
    }
  }

  /// Of each row that run counts in which its ratio is least: Lua's hashes begin with another seed in
  /// each, which a few rows feel.
  ///
  /// - Parameter folders: Where callgrind has written its files, of one run each.
  init(_ folders: [String], of lists: [(title: String, list: [Measurement])]) throws {
    let runs = try folders.map(Self.read)
    sections = lists.map { title, list in
      (
        title,
        list.compactMap { measurement in
          runs.compactMap { Self.row(measurement, title, $0, lists.flatMap(\.list)) }.min {
            ($0.ratios.first?.value ?? 0) < ($1.ratios.first?.value ?? 0)
          }
        }
      )
    }
  }

  private static func row(
    _ measurement: Measurement, _ section: String, _ totals: [String: Double], _ all: [Measurement]
  ) -> Row? {
    func count(_ measurement: Measurement) -> Double? {
      totals[measurement.name].map { $0 / Double(measurement.counted) }
    }
    guard let own = count(measurement) else { return nil }
    let ratios = measurement.floors.compactMap { floor -> Ratio? in
      guard let other = all.first(where: { $0.name == floor.name }).flatMap(count),
        other >= leastFloor
      else { return nil }
      return Ratio(floor: floor.name, kind: floor.kind, value: own / other)
    }
    return Row(section: section, name: measurement.name, count: own, ratios: ratios)
  }

  private static func read(_ folder: String) throws -> [String: Double] {
    var counts: [String: Double] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      var name: String?
      for line in text.split(separator: "\n") {
        if let range = line.range(of: "desc: Trigger: Client Request: ") {
          name = String(line[range.upperBound...])
        } else if line.hasPrefix("summary: ") || line.hasPrefix("totals: ") {
          guard let name,
            let total = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
          else { continue }
          counts[name] = total
        }
      }
    }
    return counts
  }

  func show() {
    for (title, rows) in sections where !rows.isEmpty {
      Table.row(title, "instructions", "ratio")
      for row in rows {
        Table.row(
          row.name, "\(Int(row.count.rounded()))", row.ratios.map(Self.text).joined(separator: ", ")
        )
      }
      print()
    }
  }

  private static func text(_ ratio: Ratio) -> String {
    Table.format(ratio.value) + (ratio.kind == .fair ? "" : " [\(ratio.kind.rawValue)]")
  }

  /// Writes all that is shown as JSON.
  func write(to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(["rows": sections.flatMap(\.rows)]).write(to: URL(fileURLWithPath: file))
  }

  /// Compares the ratios with those of a table, which has one a line: name, tab, ratio.
  /// - Returns: Whether none is much above it.
  func compare(_ file: String, updates: Bool) throws -> Bool {
    let ratios = sections.flatMap(\.rows).compactMap { row in
      row.ratios.first.map { (row.name, $0.value) }
    }
    if updates {
      let text = ratios.map { "\($0)\t\(Table.format($1))\n" }.joined()
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      return true
    }
    var known: [String: Double] = [:]
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: "\t")
      if parts.count == 2 { known[String(parts[0])] = Double(parts[1]) }
    }
    var isGood = !ratios.isEmpty
    for (name, ratio) in ratios {
      guard let before = known[name] else {
        print("new: \(name), \(Table.format(ratio)): write the table anew with --update")
        isGood = false
        continue
      }
      if ratio > before * (1 + Self.tolerance) + 0.01 {
        print("worse: \(name), \(Table.format(ratio)) instead of \(Table.format(before))")
        isGood = false
      } else if ratio < before * (1 - Self.tolerance) - 0.01 {
        print(
          "better: \(name), \(Table.format(ratio)) instead of \(Table.format(before))")
      }
    }
    print(
      isGood ? "no ratio is more than 5 % above the table's" : "some ratios are above the table's")
    return isGood
  }
}
