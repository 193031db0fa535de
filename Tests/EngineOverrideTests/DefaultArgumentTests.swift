// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing

@testable import Bank

extension EngineSuite {
  /// What a caller from Lua leaves out, and variadic parameters.
  @Suite struct DefaultArgumentTests {
    @Test func `some and all of the default values`() throws {
      let result = try answer(
        """
        return table.concat({
          desk:order("pen", 1, 2.5, "n"), desk:order("pen", 1, 2.5), desk:order("pen", 1),
          desk:order("pen"), desk:order("pen", nil, 3.5), desk:order("pen", nil, nil, "n"),
        }, "; ")
        """)
      expectEqual(
        result,
        "pen 1 2.5 n; pen 1 2.5 nil; pen 1 0.5 nil; pen 2 0.5 nil; pen 2 3.5 nil; pen 2 0.5 n")
    }

    @Test func `default values of every size, and nil is a value where it can be`() throws {
      let result = try answer(
        """
        local slip = desk:slip("own")
        return table.concat({desk:place(), desk:place(slip),
          desk:place { last = null, list = {} }}, "; ")
        """)
      expectEqual(
        result,
        """
        default 7 [1, 2] ["a", "b"] 15 (4, 2.5) 9; own 1 [1, 2] ["a", "b"] 15 (4, 2.5) 9; \
        default 7 [1, 2] [] 15 (4, 2.5) nil
        """)
    }

    @Test func `a value is made at each call, and only where it is left out`() throws {
      let result = try answer(
        "local a = desk:counted() local b = desk:counted(50) return (desk:counted() - a) .. ' ' .. b"
      )
      expectEqual(result, "1 50")
    }

    @Test func `methods of structs, and methods that are inherited or overridden`() throws {
      let result = try answer(
        """
        local front = desk:front()
        return table.concat({desk:slip("s"):grown(), desk:slip("s"):grown(2), desk:greet(),
          front:greet(), front:order("x")}, "; ")
        """)
      expectEqual(result, "11; 3; hello you; welcome you; x 2 0.5 nil")
    }

    @Test func `initializers, chosen as other functions are`() throws {
      let result = try answer(
        """
        local Desk = class "Bank.Desk"
        local texts = {}
        for _, made in ipairs {Desk(), Desk("a"), Desk { string = "b" }, Desk { name = "c" },
          Desk["init(name:floor:open:)"]("d", 4), Desk { name = "e", open = false }} do
          texts[#texts + 1] = made.log[1]
        end
        local slip = (class "Bank.Slip")("s")
        return table.concat(texts, "; ") .. "; " .. slip.size
        """)
      expectEqual(
        result,
        """
        init(); init(_: a); init(string: b); init(name: c, floor: 3, open: true); \
        init(name: d, floor: 4, open: true); init(name: e, floor: 3, open: false); 1
        """)
    }

    @Test func `static methods and free functions`() throws {
      let result = try answer(
        """
        local Desk, Bank = class "Bank.Desk", module "Bank"
        return table.concat({Desk.static:price(1), Desk.static:price(1, 2), Bank.discount(),
          Bank.discount(3)}, " ")
        """)
      expectEqual(result, "20 3 5 8")
    }

    @Test func `what has no default value is missed by name`() throws {
      let missing = try answer("return failure(desk.order, desk)")
      expectEqual(
        missing,
        """
        argument 1 of Bank.Desk.order(_:count:price:note:): expected String, got nothing; the \
        program has no code for a default value of it: there is none, or the optimizer has dropped it; pass it, \
        or let `waxwing facts` record the values where the program is built
        """)
      let literal = try answer("return failure(desk.at, desk)")
      expectEqual(
        literal,
        """
        `line` of Bank.Desk.at(line:): expected Int, got nothing; only the compiler knows a \
        default value such as `#line`
        """)
      let given = try answer("return tostring(desk:at(5))")
      expectEqual(given, "5")
    }

    /// A call with the default value, which is not optimized here, keeps its code.
    @Test func `of a public function it is there as long as its code is`() throws {
      let result = try answer("return select(2, pcall(desk.pack, desk, 'x'))")
      expectEqual(Desk().pack("x"), "x 2")
      expectEqual(result, "x 2")
    }

    @Test func `a default value keeps nothing alive`() throws {
      let before = Traced.alive
      let result = try answer(
        """
        for _ = 1, 1000 do desk:traced() desk:traced(nil) end
        return failure(desk.traced, desk, nil, 5)
        """)
      #expect(result.contains("expected String?, got integer 5"))
      expectEqual(Traced.alive, before)
    }

    @Test func `none, one and several variadic arguments`() throws {
      let result = try answer(
        """
        return table.concat({desk:sum(), desk:sum(1), desk:sum(1, 2, 3), desk:sum({4, 5}),
          desk:join("a", "b", "-"), desk:join("-"), desk:join({"x", "y"}, "+"),
          desk:sumTwice(1, 2), desk:sumTwice({1, 2}, 10), desk:rows({1}, {2}), desk:rows({1, 2}),
          desk:maybe(1, nil, 3)}, "; ")
        """)
      expectEqual(result, "0; 1; 6; 9; a-b; ; x+y; 6; 30; 2; 1; 1,nil,3")
    }

    @Test func `a wrong variadic argument is an error with its position`() throws {
      let result = try answer("return failure(desk.sum, desk, 1, 'x')")
      expectEqual(result, "argument 1 of Bank.Desk.sum(_:): expected Int at [2], got string \"x\"")
    }

    @Test func `an override gets a table, and can pass it on`() throws {
      let desk = Desk()
      try withPatch(
        """
        local D = class "Bank.Desk"
        function D:sum(numbers)
          numbers[#numbers + 1] = 100
          return self:ORIGsum(numbers) + self:ORIGsum(1, 2)
        end
        """
      ) {
        expectEqual(desk.sum(1, 2), 106)
        expectEqual(desk.sum(), 103)
        expectEqual(faults(), [])
      }
      expectEqual(desk.sum(1, 2), 3)
    }

    @Test func `an override gets every value`() throws {
      let desk = Desk()
      try withPatch(
        """
        local D = class "Bank.Desk"
        function D:order(item, count, price, note)
          return item .. count .. price .. tostring(note) .. self:ORIGorder(item)
        end
        """
      ) {
        expectEqual(desk.order("x", price: 1.5), "x21.5nilx 2 0.5 nil")
        expectEqual(faults(), [])
      }
    }
  }
}
