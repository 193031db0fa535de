// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Members of generic types, and of protocols' extensions, overridden.
  @Suite struct GenericTypeOverrideTests {
    private func check(_ mark: String = "") {
      let pile = Pile(one: Token(1))
      pile.push(Token(2))
      #expect(pile.count == 2 && pile.pop()?.number == 2 && pile.paired("x").1 == "x")
      #expect(pile.allHeadings() == "token 1" + mark && Pile<Chest>.single(Chest(3)).count == 1)
      pile.top = Token(6)
      #expect(pile.top?.number == 6 && pile[1].number == 6)
      pile[0] = Token(9)
      expectEqual(pile[0].number, 9)
      let ints = IntPile(one: 4)
      ints.push(5)
      #expect(ints.total() == 10 && ints.pop() == 6)

      var cell = Cell(Chest(1))
      cell.put(Chest(2))
      let (chest, text) = cell.mapped("x")
      #expect(cell.get() == Chest(2) && chest == Chest(2) && text == "x")
      #expect(
        Cell.of(Token(3)).value.number == 3 && Cell(Tag(4, level: 1)).title("!") == "tag 4!" + mark)
      var number = Cell(1)
      number.increase(4)
      #expect(number.plus(2) == 7 && number.described == "cell of 5" + mark)
      expectEqual(cell.heading(), "cell chest 2" + mark)

      var ledger = Roster([Token(1)])
      ledger.add(Token(2))
      #expect(ledger.has(Token(2)) && !ledger.has(Token(3)) && ledger.entries.count == 2)
      #expect(Roster.single("x").has("x") && ledger.firstHeading() == "token 1" + mark)
      expectEqual(Handle(Token(4)).get().number, 4)
      let either: Either<Int, Token> = .right(Token(5))
      #expect(!either.isLeft() && either.swapped().isLeft())
      expectEqual(Outer<Int>.Inner(1, "two").both(3, "four"), "1 two 3 four" + mark)
    }

    @Test func `requirements of a library protocol's associated type leave the arguments readable`()
      throws
    {
      let patch = """
        local A, W = class "Bank.Aisle", class "Bank.Words"
        function A:count(more) return original(self, more * 10) end
        function A:order(number) return original(self, number - 1) end
        function A:text(order, number) return original(self, order, number + 5) end
        function W.get:width() return original(self) + #self.parts end
        function W:whole(index, more) return original(self, index + 1, more * 2) end
        """
      let aisle = Aisle(rows: [StockRow([3, 4]), StockRow([5])], row: StockRow(["k"]))
      let words = Words([300, 7] as [UInt16], as: Int32.self)
      func answers() -> [String] {
        [
          "\(aisle.count(4)) \(words.width) \(words.whole(0, 6))", aisle.text(aisle.order(1), 1),
          aisle.text(aisle.order(2), 2), aisle.text(aisle.order(3), 3),
        ]
      }
      let before = ["6 32 306", "[\"k\"] 1", "[3, 4, 5] 2", "[3, 4, 5] 3"]
      expectEqual(answers(), before)
      try withPatch(patch) {
        expectEqual(answers(), ["42 34 19", "nothing 6", "[\"k\"] 7", "[3, 4, 5] 8"])
        expectEqual(faults(), [])
      }
      expectEqual(answers(), before)
    }

    @Test func `originals give what they gave`() throws {
      let alive = Token.alive
      check()
      let names = [
        "Pile": [
          "push", "pop", "paired", "allHeadings?", "total", "get.count", "get.top", "set.top",
          "get.subscript", "set.subscript", "static.single",
        ],
        "Cell": [
          "put", "get", "mapped", "title?", "increase", "plus", "get.described?", "heading?",
          "static.of",
        ],
        "Roster": ["has", "add", "firstHeading?", "static.single"],
        "Handle": ["get"], "Either": ["isLeft", "swapped"], "Outer.Inner": ["both?"],
        "IntPile": ["push"],
      ]
      var text = ""
      for (type, members) in names {
        for member in members {
          let name = member.replacing("?", with: "")
          let parts = name.split(separator: ".")
          let original = "ORIG" + (parts.last ?? "")
          let mark = member.hasSuffix("?") ? " .. '?'" : ""
          let path = parts.count == 1 ? name : name
          text +=
            "do local C = class 'Bank.\(type)'; C.\(path) = function(self, ...) "
            + "return self:\(original)(...)\(mark) end end\n"
        }
      }
      try withPatch(text) {
        check("?")
        expectEqual(faults(), [])
      }
      check()
      expectEqual(Token.alive, alive)
    }

    @Test func `the receiver and its parameters are there`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Pile, Cell, Roster = class "Bank.Pile", class "Bank.Cell", class "Bank.Roster"
        function Pile:push(element) self:ORIGpush(element) self:ORIGpush(element) end
        function Pile.get:count() return 100 + #self.items end
        function Cell:put(value) self.value = value end
        function Cell:mapped(other) return self.value, other end
        function Roster:add(entry) self:ORIGadd(entry) self:ORIGadd(entry) end
        function Roster.static:single(entry) return self:ORIGsingle(entry) end
        """
      ) {
        let pile = Pile(one: Token(1))
        pile.push(Token(2))
        #expect(pile.count == 103 && pile.items[2].number == 2)
        var cell = Cell(Token(1))
        cell.put(Token(5))
        #expect(cell.value.number == 5 && cell.mapped(2).0.number == 5)
        var ledger = Roster([Token(1)])
        ledger.add(Token(2))
        #expect(ledger.entries.count == 3 && ledger.entries[2].number == 2)
        expectEqual(Roster.single(3).entries, [3])
        expectEqual(faults(), [])
      }
      expectEqual(Token.alive, alive)
    }
  }
}
