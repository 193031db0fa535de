// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `any P<X>`: by the dynamic type, as `any P`.
  @Suite struct ConstrainedTests {
    private let librarian = Librarian(Scroll("own"))

    private func check() throws {
      expectEqual(librarian.first(), "own 1")
      expectEqual(librarian.sum([1, 2, 3]), 6)
      expectEqual(librarian.sum(Set([4, 5])), 9)
      expectEqual(Array(librarian.rows(3)), [0, 1, 2])
      expectEqual(librarian.same(Scroll("a")) as? Scroll, Scroll("a"))
      expectEqual(librarian.same(Scrolls()) as? Scrolls, Scrolls())
      expectEqual(
        librarian.all([Scroll("a"), Scrolls(), Dresser()]).map { $0.item(1) ?? "" },
        ["a 1", "b", "dresser 1"])
      expectEqual(librarian.named(["x": Scrolls()])["x"] as? Scrolls, Scrolls())
      #expect(librarian.perhaps(nil) == nil)
      expectEqual(librarian.perhaps(Scrolls()) as? Scrolls, Scrolls())
      expectEqual(librarian.pair(Pairing()).left, "left")
      expectEqual(librarian.pair(Pairing()).right, 7)
      let barrel = Barrel()
      #expect(librarian.chest(barrel) === barrel)
      expectEqual(librarian.bookcase(Scroll("a")).height, 3)
      let dresser = Dresser()
      #expect(librarian.object(dresser) === dresser)
      expectEqual(librarian.furniture(dresser).legs, 4)
      expectEqual(librarian.stand(Plinth(6)).load, 6)
      expectEqual(librarian.both(Scroll("a")), "scroll a")
      expectEqual(librarian.counts { $0.size + 1 }, 5)
      expectEqual(librarian.item(Scroll("a") as any Lender<String>, 2), "a 2")
      expectEqual(librarian.item(Numbers() as any Lender<Int>, 2), 2)
      let scrolls: [any Lender<String>] = [Scroll("a"), Dresser()]
      expectEqual(
        librarian.items(scrolls, Scrolls(), ["x": Scroll("c")]), ["a 0", "dresser 0", "b", "c 2"])
      let numbers: [any Lender<Int>] = [Numbers()]
      expectEqual(librarian.items(numbers, nil, [:]), [0, nil, nil])
      expectEqual(try librarian.checked(Scrolls()) as? Scrolls, Scrolls())
      #expect(throws: BankError.closed) { try librarian.checked(Scroll("")) }
      expectEqual(librarian.hidden(), 8)
      expectEqual(Display(Scrolls()).first(), "b")
      expectEqual(Cabinet<Int>(Numbers()).size(), 10)
    }

    private func checkLater() async throws {
      expectEqual(try await librarian.later(Scrolls()) as? Scrolls, Scrolls())
      await #expect(throws: BankError.closed) { try await librarian.later(Scroll("")) }
    }

    private static let names = [
      "sum", "rows", "same", "all", "named", "perhaps", "pair", "chest", "bookcase", "object",
      "furniture",
      "stand", "both", "counts", "item", "items", "checked", "later", "hidden(_:)",
    ]

    @Test func `values keep their type through overrides and originals`() async throws {
      try check()
      let text = Self.names.map {
        "L['\($0)'] = function(self, ...) return original(self, ...) end"
      }.joined(separator: "\n")
      try await withAsyncPatch("local L = class 'Bank.Librarian'\n" + text) {
        try check()
        try await checkLater()
        expectEqual(faults(), [])
      }
    }

    @Test func `Lua calls what the value has, and returns it`() async throws {
      let text = [
        "same", "all", "named", "perhaps", "pair", "chest", "bookcase", "object", "furniture",
        "stand",
      ].map {
        "function L:\($0)(value) return value end"
      }.joined(separator: "\n")
      try await withAsyncPatch(
        """
        local L = class "Bank.Librarian"
        local Scroll = class "Bank.Scroll"
        \(text)
        function L:first() return self.shelf:item(1) end
        function L:sum(rows)
          local sum = 0
          for _, n in pairs(rows.copy and rows:copy() or rows) do sum = sum + n end
          assert(rows.count == #rows and not rows.isEmpty)
          return original(self, rows)
        end
        function L:rows(n) local t = {} for i = 1, n do t[i] = i - 1 end return t end
        function L:both(value) return value.description end
        function L:counts(count) return count(Scroll("four")) end
        function L:item(shelf, index) return shelf:item(index) end
        function L:items(shelves, more, named)
          local items, size = {}, #shelves
          for i, shelf in ipairs(shelves) do items[i] = shelf:item(0) end
          items[size + 1] = more and more:item(1) or null
          items[size + 2] = named.x and named.x:item(2) or null
          return items
        end
        function L:checked(shelf) if shelf.size == 0 then return original(self, shelf) end return shelf end
        function L:later(shelf) if shelf.size == 0 then return original(self, shelf) end return shelf end
        L["hidden(_:)"] = function(self, value) return value.thing end
        local Display, Cabinet = class "Bank.Display", class "Bank.Cabinet"
        function Display:first() return self.shelf:item(1) end
        function Cabinet:size() return self.shelf.size end
        """
      ) {
        try check()
        try await checkLater()
        expectEqual(faults(), [])
      }
    }

    @Test func `an object is shown that has types which the runtime cannot spell`() throws {
      try withPatch(
        """
        local C = class "Bank.Catalogue"
        function C:show()
          return tostring(self):match("^Bank.Catalogue") .. tostring(reveal(self) ~= nil)
            .. tostring(#typeof(self).members > 0)
        end
        """
      ) {
        expectEqual(Catalogue().show(), "Bank.Cataloguetruetrue")
        expectEqual(faults(), [])
      }
    }

    @Test func `what a function is generic over is told by what the value has`() throws {
      try withPatch(
        """
        local L = class "Bank.Librarian"
        function L:first()
          local numbers, scroll = class("Bank.Numbers")(), class("Bank.Scroll")("s")
          local cabinet = class("Bank.Cabinet")(numbers)
          return cabinet:size() .. self:item(scroll, 2) .. self:item(numbers, 3)
            .. self:items({ scroll, scroll }, nil, {})[2]
        end
        """
      ) {
        expectEqual(librarian.first(), "10s 23s 0")
        expectEqual(faults(), [])
      }
    }

    @Test func `what has another type is refused`() throws {
      try withPatch(
        """
        local L = class "Bank.Librarian"
        function L:same(shelf) return class("Bank.Numbers")() end
        function L:rows(n) return { "a" } end
        function L:furniture(shelf) return 5 end
        """
      ) {
        expectEqual(librarian.same(Scroll("a")) as? Scroll, Scroll("a"))
        expectEqual(Array(librarian.rows(2)), [0, 1])
        expectEqual(librarian.furniture(Dresser()).legs, 4)
        let found = faults()
        expectContains(
          found[0], "expected any Bank.Lender<String>, got a value of type Bank.Numbers")
        expectContains(found[1], "expected any Collection<Int>, got table")
        expectContains(found[2], "got integer 5")
      }
    }

    @Test func `a stored property is changed and shown`() throws {
      try withPatch(
        """
        local L = class "Bank.Librarian"
        function L:first()
          local old = self.shelf
          self.shelf = class("Bank.Scroll")("new")
          return tostring(old) .. self.shelf:item(2) .. tostring(old == old)
        end
        """
      ) {
        let librarian = Librarian(Scroll("old"))
        expectEqual(librarian.first(), "scroll oldnew 2true")
        expectEqual(librarian.shelf as? Scroll, Scroll("new"))
        expectEqual(faults(), [])
      }
    }
  }
}
