// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

@testable import WaxwingCore

/// What holds where a program and its operator say different things.
@Suite struct LimitOrderTests {
  private func merged(_ own: Int, _ operators: Int, mayRaise: Bool = false) -> Int {
    var policy = Policy()
    policy.limits.idleMilliseconds = own
    var configuration = Configuration()
    configuration.limits["idle-milliseconds"] = .init(figure: operators, mayRaise: mayRaise)
    return policy.merged(with: configuration).limits.idleMilliseconds
  }

  @Test func `nobody turns a thread on that the other has turned off`() {
    #expect(merged(0, 50) == 0)
    #expect(merged(50, 0) == 0)
    #expect(merged(0, 50, mayRaise: true) == 50)
  }

  @Test func `a longer pause holds, unless the shorter one is allowed`() {
    #expect(merged(50, 200) == 200)
    #expect(merged(200, 50) == 200)
    #expect(merged(200, 50, mayRaise: true) == 50)
  }
}
