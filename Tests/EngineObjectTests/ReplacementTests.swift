// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Functions that Swift code has replaced.
  @Suite struct ReplacementTests {
    @Test
    func `an override of a replaced function calls the replacement, and is gone without trace`()
      throws
    {
      let bellhop = Bellhop()
      expectEqual(bellhop.greet("a"), "new hello a")
      try withPatch(
        """
        local Bellhop = class "Bank.Bellhop"
        function Bellhop:greet(name) return "<" .. self:ORIGgreet(name) .. ">" end
        """
      ) {
        expectEqual(bellhop.greet("a"), "<new hello a>")
        expectEqual(bellhop.newGreet("b"), "new hello b")
        expectEqual(faults(), [])
      }
      expectEqual(bellhop.greet("a"), "new hello a")
    }

    @Test func `an override of the replacement is refused`() {
      expectContains(
        refusal("class('Bank.Bellhop').newGreet = function() end"),
        "it is a `@_dynamicReplacement`")
    }
  }
}
