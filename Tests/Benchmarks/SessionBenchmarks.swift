// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Waxwing

/// What it takes to apply a patch and to restore the baseline.
struct SessionBenchmarks {
  let overrides: Int
  private(set) var applying: [Double] = []
  private(set) var restoring: [Double] = []
  /// What a bare Lua state takes to load a chunk of as many functions, and to close.
  private(set) var loading: [Double] = []
  private(set) var closing: [Double] = []

  init(overrides: Int) {
    self.overrides = overrides
  }

  mutating func round() throws {
    let clock = ContinuousClock()
    measureFloor(clock)
    let before = allSteps(0)
    let text = text
    applying.append(
      try clock.measure { try WaxwingEngine.start(text: text, name: "steps") }.nanoseconds)
    precondition(allSteps(0) == before + overrides, "the patch is not live")
    var restoration: Restoration?
    restoring.append(
      try clock.measure { restoration = try WaxwingEngine.restore() }.nanoseconds)
    precondition(restoration?.isComplete == true && allSteps(0) == before, "not restored")
  }

  private mutating func measureFloor(_ clock: ContinuousClock) {
    let text = text("{}")
    var state: OpaquePointer?
    loading.append(clock.measure { state = benchmark_floor_load(text) }.nanoseconds)
    guard let state else { preconditionFailure("the floor's chunk does not load") }
    closing.append(clock.measure { benchmark_floor_close(state) }.nanoseconds)
  }

  private var text: String { text("module \"BenchmarkFixture\"") }

  private func text(_ table: String) -> String {
    let lines = (1...overrides).map { "m.step\($0) = function(n) return n + \($0 + 1) end" }
    return (["local m = \(table)"] + lines).joined(separator: "\n")
  }
}
