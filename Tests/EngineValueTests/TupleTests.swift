// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Tuples: tables as arguments and elements, several values as results.
  @Suite struct TupleTests {
    private let values = Values()

    private func check() {
      #expect(values.pair((7, "seven")) == (7, "seven"))
      #expect(values.labelled((x: 1.5, name: nil)) == (1.5, nil))
      #expect(values.labelled((x: 1.5, name: "n")) == (1.5, "n"))
      #expect(values.small(1, (-3, true, 0.25), 2) == (-3, true, 0.25))
      expectEqual(values.wide((1, 2, "a string that is long enough", 0.5)).2.count, 28)
      expectEqual(values.pairs([(1, "a"), (2, "b")]).map(\.1), ["a", "b"])
      let nested = values.nestedTuple((1, (true, 2.5)))
      #expect(nested.0 == 1 && nested.1 == (true, 2.5))
    }

    @Test func `tuples go through overrides and originals`() throws {
      check()
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:pair(t) return t[1], t[2] end
        function V:labelled(t) assert(t.x == t[1]) return self:ORIGlabelled(t) end
        function V:small(a, t, b) return self:ORIGsmall(a, t, b) end
        function V:wide(t) local a, b, c, d = self:ORIGwide(t) return a, b, c, d end
        function V:pairs(list) return self:ORIGpairs(list) end
        function V:nestedTuple(t) return t[1], t[2] end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `a live element is the same by its position and its label`() throws {
      let keys = TupleOfKeys()
      try withPatch(
        """
        local K = class "Bank.TupleOfKeys"
        function K:echo(t)
          local unchanged = self:ORIGecho(t)
          t.marks[{ name = "a" }] = 5
          assert(t[2] == t.marks)
          return unchanged * 100 + self:ORIGecho(t)
        end
        """
      ) {
        expectEqual(keys.echo((number: 1, marks: [SingleKey(name: "a"): 2])), 306)
        expectEqual(faults(), [])
      }
    }

    @Test func `wrong elements are named`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:pair(t) return 1, 2 end
        function V:labelled(t) return self:ORIGlabelled({x = 1, title = "n"}) end
        """
      ) {
        #expect(values.pair((7, "seven")) == (7, "seven"))
        #expect(values.labelled((x: 1.5, name: "n")) == (1.5, "n"))
        #expect(expectedFault().contains("expected String at [2], got integer 2"))
        #expect(expectedFault(1).contains("a table with the key title"))
      }
    }
  }
}
