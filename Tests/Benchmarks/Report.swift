// SPDX-License-Identifier: MIT

import Foundation

/// What has been measured: printed as it comes, and kept for programs to read.
final class Report: Encodable {
  /// One thing that was measured, with a value for each round.
  struct Row: Encodable {
    let section: String
    let name: String
    let unit: Unit
    let median: Double
    let best: Double
    /// The middle half of the rounds: from the lower to the upper quartile.
    let spread: [Double]
    let ratios: [Ratio]
  }

  /// To what a row is compared: of values of the same round.
  struct Ratio: Encodable {
    let floor: String
    let kind: Floor.Kind
    let median: Double
    /// Of the best values of both: it holds on a busy machine, too.
    let best: Double
    let spread: [Double]
  }

  enum Unit: String, Encodable {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case bytes = "bytes"
    case objects = "objects"
    case perSecond = "a second"
    /// So many calls for one of a single thread.
    case times = "×"

    /// Whether more of it is better.
    var growsBetter: Bool { self == .perSecond || self == .times }
  }

  /// What a row is compared with: its values, in the order of the row's.
  struct Comparison {
    let floor: Floor
    let values: [Double]
  }

  /// The machine, as times and ratios are of one.
  struct Machine: Encodable {
    let processor: String
    let cores: Int
    /// How many threads wanted to run, on average over the minute before the start.
    let load: Double
  }

  private enum CodingKeys: CodingKey { case machine, rounds, rows, missing }

  let machine = Machine(
    processor: Machine.model, cores: ProcessInfo.processInfo.activeProcessorCount,
    load: Machine.currentLoad)
  let rounds: Int
  private(set) var rows: [Row] = []
  /// What could not be measured, and why.
  private(set) var missing: [String: String] = [:]
  private var section = ""

  var isEmpty: Bool { rows.isEmpty && missing.isEmpty }

  init(rounds: Int) {
    self.rounds = rounds
    print(
      "\(machine.processor), \(machine.cores) cores, load \(Table.format(machine.load)); "
        + "rounds: \(rounds)")
    print("A ratio: its median (the middle half of the rounds, the ratio of the best) × what to\n")
  }

  /// What follows belongs to a section.
  func begin(_ section: String, _ unit: String) {
    if !rows.isEmpty { print() }
    self.section = section
    Table.row(section, unit, "ratio")
  }

  /// Adds what was measured, in each round once, and prints it if nobody else does.
  func add(
    _ name: String, _ values: [Double], _ unit: Unit = .nanoseconds,
    comparedTo comparisons: [Comparison] = [], isPrinted: Bool = true
  ) {
    let best = Self.best(values, unit)
    let ratios = comparisons.map { comparison in
      let all = zip(values, comparison.values).map(/)
      return Ratio(
        floor: comparison.floor.name, kind: comparison.floor.kind, median: all.median,
        best: best / Self.best(comparison.values, unit), spread: all.quartiles)
    }
    rows.append(
      Row(
        section: section, name: name, unit: unit, median: values.median, best: best,
        spread: values.quartiles, ratios: ratios))
    guard isPrinted else { return }
    Table.row(name, Table.format(values.median), ratios.first?.text ?? "")
    for ratio in ratios.dropFirst() { Table.row("", "", ratio.text) }
  }

  /// Says that something was not measured.
  func leaveOut(_ name: String, because reason: String) {
    missing[name] = reason
    Table.row(name, "-", "left out: \(reason)")
  }

  func write(to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: file))
  }

  private static func best(_ values: [Double], _ unit: Unit) -> Double {
    unit.growsBetter ? values.greatest : values.least
  }
}

extension Report.Ratio {
  fileprivate var text: String {
    let range = spread.map(Table.format).joined(separator: "–")
    let remark = kind == .fair ? "" : " [\(kind.rawValue)]"
    return "\(Table.format(median)) (\(range), \(Table.format(best))) × \(floor)\(remark)"
  }
}

extension Report.Machine {
  fileprivate static var model: String {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown CPU"
  }

  fileprivate static var currentLoad: Double {
    var loads = [0.0]
    return getloadavg(&loads, 1) == 1 ? loads[0] : 0
  }
}

/// What is printed for people.
enum Table {
  /// A name, a value that ends in column 56, and a remark.
  static func row(_ name: String, _ value: String, _ remark: String) {
    let space = String(repeating: " ", count: max(1, 56 - name.count - value.count))
    print(name + space + value + (remark.isEmpty ? "" : "   " + remark))
  }

  static func format(_ number: Double) -> String {
    let hundredths = Int((abs(number) * 100).rounded())
    let fraction = hundredths % 100
    let sign = number < 0 && hundredths > 0 ? "-" : ""
    return "\(sign)\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
