// SPDX-License-Identifier: MIT

import Foundation

/// What has been measured, for programs to read.
struct BenchmarkResults: Encodable {
  /// One thing that was measured. All times are those of one call, in nanoseconds.
  struct Row: Encodable {
    let section: String
    let name: String
    let median: Double
    let best: Double
    /// The middle half of the rounds: from the lower to the upper quartile.
    let spread: [Double]
    let ratios: [Ratio]
  }

  /// To what a row is compared with: of times of the same round.
  struct Ratio: Encodable {
    let floor: String
    let median: Double
    let best: Double
    let spread: [Double]
  }

  private let file: String
  private(set) var rows: [Row] = []

  private enum CodingKeys: CodingKey { case rows }

  init(_ file: String) {
    self.file = file
  }

  mutating func add(_ measurement: Measurement, _ section: String, _ times: [String: [Double]]) {
    let own = times[measurement.name, default: []]
    let ratios = measurement.floors.compactMap { name -> Ratio? in
      guard let floor = times[name] else { return nil }
      let all = zip(own, floor).map(/)
      return Ratio(
        floor: name, median: all.median, best: own.least / floor.least, spread: all.quartiles)
    }
    rows.append(
      Row(
        section: section, name: measurement.name, median: own.median, best: own.least,
        spread: own.quartiles, ratios: ratios))
  }

  func write() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: file))
  }
}
