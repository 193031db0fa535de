// SPDX-License-Identifier: MIT

import Testing
import TortureRig

extension EngineSuite {
  /// The torture test, in brief; `scripts/torture` is its long form.
  @Suite struct TortureTests {
    @Test(.timeLimit(.minutes(10)))
    func `161, 230, 238: patches come and go under calls, and everything adds up`() throws {
      var options = TortureOptions(seed: .random(in: 0..<1 << 32))
      options.rounds = 300
      options.checksHeap = false  // other tests have filled it
      let summary = try Torture.run(options)  // its failure names the seed
      #expect(summary.rounds == 300)
      #expect(summary.deepest >= 3 && summary.laggards > 0 && summary.calls > 300)
    }
  }
}
