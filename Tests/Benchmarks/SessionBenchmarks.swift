// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Waxwing

/// What it takes to apply a patch and to restore the baseline.
struct SessionBenchmarks {
  private let overrides: Int
  private var applying: [Double] = []
  private var restoring: [Double] = []
  /// What a bare Lua state takes to load a chunk of as many functions, and to close.
  private var loading: [Double] = []
  private var closing: [Double] = []

  private init(overrides: Int) {
    self.overrides = overrides
  }

  static func run(_ report: Report) throws {
    var sizes = [0, 1, 100, 1000].map(SessionBenchmarks.init)
    // The first round warms up.
    for round in 0...report.rounds {
      for index in sizes.indices { try sizes[index].round(isKept: round > 0) }
    }
    report.begin("One patch", "µs")
    for size in sizes { size.show(report) }
  }

  private var title: String {
    switch overrides {
    case 0: "an empty patch"
    case 1: "1 override"
    default: "\(overrides) overrides"
    }
  }

  private func show(_ report: Report) {
    for (verb, floor, times, floorTimes) in [
      ("apply", "C: load a chunk for", applying, loading),
      ("restore", "C: close the state of", restoring, closing),
    ] {
      let name = "\(floor) \(title)"
      report.add(name, floorTimes.map { $0 / 1000 }, .microseconds)
      report.add(
        "\(verb), \(title)", times.map { $0 / 1000 }, .microseconds,
        comparedTo: [.init(floor: Floor(name), values: floorTimes.map { $0 / 1000 })])
    }
  }

  private mutating func round(isKept: Bool) throws {
    let clock = ContinuousClock()
    let (loading, closing) = measureFloor(clock)
    let before = allSteps(0)
    let text = text
    let applying = try clock.measure { try WaxwingEngine.start(text: text, name: "steps") }
    precondition(allSteps(0) == before + overrides, "the patch is not live")
    var restoration: Restoration?
    let restoring = try clock.measure { restoration = try WaxwingEngine.restore() }
    precondition(restoration?.isComplete == true && allSteps(0) == before, "not restored")
    guard isKept else { return }
    self.loading.append(loading.nanoseconds)
    self.closing.append(closing.nanoseconds)
    self.applying.append(applying.nanoseconds)
    self.restoring.append(restoring.nanoseconds)
  }

  private func measureFloor(_ clock: ContinuousClock) -> (loading: Duration, closing: Duration) {
    let text = text("{}")
    var state: OpaquePointer?
    let loading = clock.measure { state = benchmark_floor_load(text) }
    guard let state else { preconditionFailure("the floor's chunk does not load") }
    return (loading, clock.measure { benchmark_floor_close(state) })
  }

  private var text: String { text("module \"BenchmarkFixture\"") }

  private func text(_ table: String) -> String {
    if overrides == 0 { return "-- nothing" }
    let lines = (1...overrides).map { "m.step\($0) = function(n) return n + \($0 + 1) end" }
    return (["local m = \(table)"] + lines).joined(separator: "\n")
  }
}
