// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Subscripts, read and set.
  @Suite struct SubscriptTests {
    @Test func `of a value: setting changes the proxy's copy`() throws {
      let result = try answer(
        """
        local grid = desk:grid()
        local other = desk:grid()
        local before = grid[{1, 2}]
        grid[{1, 2}] = 50
        grid[{flat = 0}] = 7
        return table.concat({before, grid[{1, 2}], grid[5], grid[{flat = 0}], other[5], #grid,
          grid:subscript(1, 1), grid["subscript(flat:)"](grid, 1)}, " ")
        """)
      expectEqual(result, "5 50 50 7 5 6 4 1")
    }

    @Test func `of an object: members win over string keys`() throws {
      let result = try answer(
        """
        local shelf = desk:shelf()
        shelf.b = "Beta"
        shelf[3] = "three"
        shelf.title = "new"
        shelf.a = nil
        return table.concat({shelf.b, shelf[4], shelf.title, tostring(shelf.a),
          tostring(shelf.missing), shelf[{"b", default = "d"}], shelf[{"x", default = "d"}],
          shelf.log[1]}, "; ")
        """)
      expectEqual(result, "Beta; number 4; new; nil; nil; Beta; d; 3 = three")
    }

    @Test func `static subscripts`() throws {
      let result = try answer(
        """
        local Shelf = class "Bank.Shelf"
        Shelf.set_subscript(40, 2)
        return Shelf.subscript(21) .. " " .. Shelf.subscript(4)
        """)
      expectEqual(result, "42 8")
      expectEqual(Shelf.last, 42)
    }

    @Test func `errors of subscripts`() throws {
      let readOnly = try answer("return failure(function() desk:grid()[1] = 5 end)")
      expectEqual(readOnly, "Bank.Grid.subscript(_:) cannot be set: it has a getter only")
      let wrong = try answer("return failure(function() return desk:shelf()[true] end)")
      #expect(wrong.contains("no `subscript` takes (boolean true):"))
      let none = try answer("return failure(function() return desk[1] end)")
      expectEqual(
        none, "Bank.Desk is indexed with integer 1; it has no subscript, and members have names")
    }
  }
}
