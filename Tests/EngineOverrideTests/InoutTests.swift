// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `inout` arguments: passed in, and returned as further results, in order.
  @Suite struct InoutTests {
    private let values = Values()

    @Test func `an override changes the caller's variables`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:changes(value) return self:ORIGchanges(value) * 10 end
        V["exchange(_:_:_:by:)"] = function(self, number, text, point, by)
          local result
          result, number, text, point = self:ORIGexchange_by(number, text, point, by)
          point.y = 0.5
          return result + 1, number + 1, text .. "?", point
        end
        """
      ) {
        var value = 4
        values.changes(&value)
        expectEqual(value, 50)
        var number = 1
        var text = "a text that is long enough"
        var point = Point(x: 0, y: 0)
        let result = try values.exchange(&number, &text, &point, by: 2)
        #expect(result == 31 && number == 4)
        expectEqual(text, "a text that is long enough!?")
        expectEqual(point, Point(x: 3, y: 0.5))
        expectEqual(faults(), [])
      }
      var value = 4
      values.changes(&value)
      expectEqual(value, 5)
    }

    @Test func `too few or wrong values are errors, and change nothing`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:changes(value) end
        V["exchange(_:_:_:by:)"] = function(self, number, text, point, by)
          return 1, 2, 3, point
        end
        """
      ) {
        var value = 4
        values.changes(&value)
        expectEqual(value, 5)
        var number = 1
        var text = "t"
        var point = Point(x: 0, y: 0)
        let result = try values.exchange(&number, &text, &point, by: 2)
        #expect(result == 30 && number == 3 && text == "t!" && point.x == 3)
        #expect(
          expectedFault().contains("expected 1 values (its `inout` arguments in order), got 0"))
        #expect(expectedFault(1).contains("expected String at argument 2 (inout), got integer 3"))
      }
    }

    @Test func `after a fault, or an error, what the original did stands`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:changes(value) self:ORIGchanges(value) error("late") end
        V["exchange(_:_:_:by:)"] = function(self, number, text, point, by)
          self:ORIGexchange_by(number, text, point, by)
          return (nil).x
        end
        """
      ) {
        var value = 4
        values.changes(&value)
        expectEqual(value, 5)
        var number = 1
        var text = "t"
        var point = Point(x: 0, y: 0)
        let result = try values.exchange(&number, &text, &point, by: 2)
        #expect(result == 30 && number == 3 && text == "t!" && point.x == 3)
        expectEqual(faults().count, 2)
      }
    }
  }
}
