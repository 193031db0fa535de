// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Members of generic types called from Lua: the receiver tells what their parameters stand for.
  @Suite struct GenericTypeTests {
    @Test func `classes, and classes that inherit from generic ones`() throws {
      let text = try generic(
        """
        local pile, ints = self:pile(), self:intPile()
        pile:push(self:token(2))
        ints:push(4)
        local top, other = pile:paired("x")
        pile.top = self:token(9)
        return table.concat({
          pile.count, pile:pop().number, top.number, other, ints.count, ints:pop(),
          self:strings():pop(), pile:allHeadings(), ints:total(), pile.items[1].number,
        }, " ")
        """)
      expectEqual(text, "3 9 2 x 2 5 a text that is long enough token 1,token 2 1 1")
    }

    @Test func `structs by address and in registers`() throws {
      let text = try generic(
        """
        local cell, chest, ledger = self:cell(), self:chestCell(), self:ledger()
        cell:put(8)
        cell:increase(2)
        local value, other = chest:mapped("x")
        ledger:add(self:token(3))
        return table.concat({
          cell:get(), cell:plus(1), cell.described, cell:title("!"), chest:get().token.number,
          value.token.number, other, chest:title("?"), cell:matches(cell),
          tostring(ledger:has(self:token(2))), #ledger.entries, ledger:firstHeading(),
          self:handle():get().number, tostring(self:either():isLeft()),
          tostring(self:either():swapped():isLeft()), self:inner():both(3, "four"),
          chest:heading(), self:plain():told(8),
        }, "|")
        """)
      expectEqual(
        text,
        "10|11|cell of 10|number 10!|8|8|x|chest 8?|10 10|true|3|token 1|4|false|true"
          + "|1 two 3 four|cell chest 8|7 8")
    }

    @Test func `methods of protocols' extensions on any value that conforms`() throws {
      let text = try generic(
        """
        local out = {}
        for which = 0, 2 do
          local value = self:titled(which)
          local echo, heading = value:echoed(which)
          out[#out + 1] = value:shout("!") .. value.decorated .. echo .. heading
          out[#out + 1] = value:itself():heading()
        end
        out[#out + 1] = self:token(4):doubledStamp()
        out[#out + 1] = self:shelf():unitHeadings()
        return table.concat(out, "|")
        """)
      expectEqual(
        text,
        "token 6!<token 6>0token 6|token 6|tag 7!<tag 7>1tag 7|tag 7"
          + "|chest 8!<chest 8>2chest 8|chest 8|80|token 1 token 2")
    }

    @Test func `opaque results cross by what is behind them`() throws {
      let text = try generic(
        """
        local chest, number = Bank.hiddenPair()
        return table.concat({
          Bank.hiddenNumber(), Bank.hiddenChest(3).token.number, Bank.hiddenToken().number,
          Bank.hiddenObject():stamp(), Bank.hiddenEcho(self:tag(4)).value.token.number,
          Bank.hiddenList()[2].token.number, chest.token.number, number,
        }, " ")
        """)
      expectEqual(text, "5 3 3 40 4 2 2 9")
    }
  }
}
