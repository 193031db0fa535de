// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing

@testable import Bank

extension EngineSuite {
  /// Which of several functions of one name a call from Lua means.
  @Suite struct OverloadTests {
    @Test func `by the number of arguments`() throws {
      let result = try answer(
        "return table.concat({desk:book(), desk:book(1), desk:book(1, 2)}, '; ')")
      expectEqual(result, "book(); book(Int); book(Int, Int)")
    }

    @Test func `by the types of the arguments`() throws {
      let result = try answer(
        """
        local slip = desk:slip("s")
        return table.concat({
          desk:sort(1), desk:sort(1.5), desk:sort("x"), desk:sort(true), desk:sort({1, 2}),
          desk:sort({"a"}), desk:sort({a = 1}), desk:sort(slip), desk:sort(desk),
          desk:sort(desk:front()), desk:sort({1.5}),
        }, "; ")
        """)
      expectEqual(
        result,
        "Int; Double; String; Bool; [Int]; [String]; [String: Int]; Slip; Desk; FrontDesk; Any")
    }

    /// Every value is passed three times, in another order each time: what was remembered of one must not be
    /// taken for another.
    @Test func `a remembered choice is the one that the value itself would bring`() throws {
      let result = try answer(
        """
        local token = desk:front() -- an object
        local cases = {
          { "weigh", 3, "Int" }, { "weigh", -1, "Int" }, { "weigh", 9007199254740993, "Int" },
          { "weigh", 1.5, "Double" }, { "weigh", 2.0, "Double" }, { "weigh", 0/0, "Double" },
          { "weigh", "text", "String" }, { "weigh", "\\u{e9}", "String" },
          { "weigh", "\\xff", "[UInt8]" }, { "weigh", "north", "String" },
          { "weigh", { 1, 2 }, "[UInt8]" },
          { "tip", 3, "UInt8" }, { "tip", 255, "UInt8" }, { "tip", 256, "several" },
          { "tip", -1, "several" }, { "tip", 16777217, "Double?" }, { "tip", 1.5, "several" },
          { "tip", 1e300, "Double?" }, { "tip", 9007199254740993, "none" }, { "tip", "x", "none" },
          { "sort", 1, "Int" }, { "sort", 1.0, "Double" }, { "sort", "1", "String" },
          { "sort", true, "Bool" }, { "sort", token, "FrontDesk" }, { "sort", desk, "Desk" },
          { "sort", {}, "several" }, { "sort", { "a" }, "[String]" }, { "sort", { 1.5 }, "Any" },
        }
        local wrong = {}
        for _, step in ipairs { 1, 5, 7, 1 } do
          for i = 0, #cases - 1 do
            local name, value, expected = table.unpack(cases[i * step % #cases + 1])
            local ok, found = pcall(desk[name], desk, value)
            if not ok then
              found = string.find(found, "no `") and "none"
                or string.find(found, "ambiguous") and "several" or found
            end
            if found ~= expected then
              wrong[#wrong + 1] = name .. " " .. tostring(value) .. ": " .. tostring(found)
            end
          end
        end
        return table.concat(wrong, "; ")
        """)
      expectEqual(result, "")
    }

    @Test func `several that fit alike are an error that names them`() throws {
      let twin = try answer("return failure(desk.twin, desk, 1)")
      expectEqual(
        twin,
        """
        `twin` is ambiguous for (integer 1); name one of these in full:
          func twin(first: Int) -> String, which is ["twin(first:)"]
          func twin(second: Int) -> String, which is ["twin(second:)"]
        """)
      let cross = try answer("return failure(desk.cross, desk, 1, 2)")
      #expect(cross.contains("`cross` is ambiguous for (integer 1, integer 2)"))
      #expect(
        cross.contains(
          #"func cross(_: Int, _: Any) -> String, which is ["cross(_: Swift.Int, _: Any)"]"#))
      let decided = try answer("return desk:cross(1, 'x') .. '; ' .. desk:cross('x', 1)")
      expectEqual(decided, "Int, Any; Any, Int")
    }

    @Test func `none that fits is an error with the reason of each`() throws {
      let count = try answer("return failure(desk.book, desk, 1, 2, 3)")
      expectEqual(
        count,
        """
        no `book` takes (integer 1, integer 2, integer 3):
          func book() -> String: it takes 0 arguments, got 3
          func book(_: Int) -> String: it takes 1 argument, got 3
          func book(_: Int, _: Int) -> String: it takes 2 arguments, got 3
        """)
      let type = try answer("return failure(desk.serve, desk, true)")
      #expect(type.contains("no `serve` takes (boolean true):"))
      #expect(type.contains("argument 1: expected Int, got boolean true"))
      #expect(type.contains("argument 1: expected String, got boolean true"))
    }

    @Test func `a parameter without label first, then a label that names the type`() throws {
      let result = try answer("return desk:seek('x') .. '; ' .. desk:find('x')")
      expectEqual(result, "seek(_:); find(string:)")
    }

    @Test func `one is picked by its full name, or its types`() throws {
      let result = try answer(
        """
        return table.concat({
          desk["sort(_: Any)"](desk, 1), desk["sort(_: Swift.Double)"](desk, 2),
          desk["find(path:)"](desk, "p"), desk:find_path("p"), desk:twin_second(1),
        }, "; ")
        """)
      expectEqual(result, "Any; Double; find(path:); find(path:); second")
    }

    @Test func `overloads of the superclass are found beside an override`() throws {
      let result = try answer(
        "local f = desk:front() return f:serve(1) .. '; ' .. f:serve('x') .. '; ' .. desk:serve(1)")
      expectEqual(result, "FrontDesk.serve(Int); Desk.serve(String); Desk.serve(Int)")
    }

    @Test func `arguments by name, in a table`() throws {
      let result = try answer(
        """
        return table.concat({
          desk:order { "pen", count = 5 },
          desk:order { "pen", note = "n" },
          desk:find { path = "p" },
          desk:twin { second = 1 },
        }, "; ")
        """)
      expectEqual(result, "pen 5 0.5 nil; pen 2 0.5 n; find(path:); second")
      let unknown = try answer("return failure(desk.twin, desk, { third = 1 })")
      #expect(unknown.contains("no `twin` takes (table):"))
    }

    @Test func `what a table of arguments lacks is named`() throws {
      let missing = try answer("return failure(desk.place2, desk, { price = 1.5 })")
      #expect(
        missing.contains("`item` of Bank.Desk.place2(item:price:): expected String, got nothing"))
    }

    @Test func `a table that is an argument by itself is not taken apart`() throws {
      let result = try answer("return desk:sort { a = 1 }")
      expectEqual(result, "[String: Int]")
    }

    @Test func `the result nil cannot be called on`() throws {
      let result = try answer("return desk:nothing():book()")
      expectEqual(result, "test.lua:8: attempt to index a nil value with 'book'")
      let written = try answer("desk:nothing().title = 5 return ''")
      expectEqual(written, "test.lua:8: attempt to index a nil value with 'title'")
    }

    @Test func `a method is called with a colon`() throws {
      let result = try answer("return failure(desk.book, 5)")
      #expect(result.contains("colon") || result.contains("`:`"), "\(result)")
      let single = try answer("return failure(desk.greet, 'x')")
      expectEqual(
        single,
        "Bank.Desk.greet(_:) is called on string \"x\", expected Bank.Desk; call it with `:`")
    }
  }
}
