// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// What it takes to apply a patch and to restore the baseline.
struct SessionBenchmarks {
  let overrides: Int
  private(set) var applying: [Double] = []
  private(set) var restoring: [Double] = []

  init(overrides: Int) {
    self.overrides = overrides
  }

  mutating func round() throws {
    let clock = ContinuousClock()
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

  private var text: String {
    let lines = (1...overrides).map { "m.step\($0) = function(n) return n + \($0 + 1) end" }
    return (["local m = module \"BenchmarkFixture\""] + lines).joined(separator: "\n")
  }
}
