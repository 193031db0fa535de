// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides that return, pass, keep or call what they should not. The original answers, or Lua gets
  /// an error; the program never ends.
  @Suite struct HostileValueTests {
    private let prey = Prey()

    /// Calls an overridden method with this body; the original returns 1000.
    private func answer(_ body: String) throws -> (Int, String?) {
      var result = (0, String?.none)
      try withPatch("local P = class 'Bank.Prey'\nfunction P:number(n) \(body) end") {
        let number = prey.number(1)
        result = (number, faults().first)
      }
      return result
    }

    @Test(arguments: ["0/0", "1/0", "-1/0", "1e30", "2^63", "1.5", "-2^63 - 2048"])
    func `numbers that are no Int`(value: String) throws {
      let (number, fault) = try answer("return \(value)")
      expectEqual(number, 1000)
      #expect(fault != nil)
    }

    @Test(arguments: ["", "return nil", "return null", "return 1, 2", "return {}", "return self"])
    func `too little, too much, something else`(body: String) throws {
      let (number, fault) = try answer(body)
      if body == "return 1, 2" {
        #expect(number == 1 && fault == nil)  // as in Lua, more than is wanted is left out
      } else {
        expectEqual(number, 1000)
        #expect(fault != nil)
      }
    }

    @Test func `tables inside themselves, and tables without end`() throws {
      try withPatch(
        """
        local P = class "Bank.Prey"
        function P:table() local t = {} t.a = t return t end
        function P:anything() local t = {} t[1] = t return t end
        function P:list()
          local t = {} for i = 1, 100 do t = { t } end return t
        end
        """
      ) {
        expectEqual(prey.table(), ["original": 1])
        #expect(prey.anything() as? String == "original")
        expectEqual(prey.list(), [1])
        expectEqual(faults().count, 3)
      }
    }

    @Test func `text that is not UTF-8, and text with zeros`() throws {
      try withPatch(
        """
        local P = class "Bank.Prey"
        function P:text(which) return which == 0 and "\\xff\\xfe" or "a\\0b" end
        """
      ) {
        expectEqual(prey.text(0), "original")
        expectEqual(faults().count, 1)
        expectEqual(prey.text(1), "a\0b")
      }
    }

    @Test func `properties out of range`() throws {
      try withPatch(
        """
        local P = class "Bank.Prey"
        function P:number(n)
          local a = pcall(function() self.small = 300 end)
          local b = pcall(function() self.unsigned = -1 end)
          local c = pcall(function() self.small = "1" end)
          local d = pcall(function() self.small = -128 end)
          return (a or b or c) and 1 or d and 2 or 3
        end
        """
      ) {
        expectEqual(prey.number(1), 2)
        #expect(prey.small == -128 && prey.unsigned == 7)
        expectEqual(faults(), [])
      }
    }

    @Test func `the original twice, never, and with wrong arguments`() throws {
      #expect(try answer("return self:ORIGnumber(n) + self:ORIGnumber(n)") == (2000, nil))
      #expect(try answer("return 5") == (5, nil))
      expectEqual(prey.calls.count, 2)
      for wrong in ["", "'x'", "n, n", "{}", "1.5", "nil", "2^63"] {
        let (number, fault) = try answer("return self:ORIGnumber(\(wrong))")
        expectEqual(number, 1000)
        #expect(fault != nil, "\(wrong)")
      }
      // The original of the fault alone was called each time.
      expectEqual(prey.calls.count, 2 + 7)
    }

    @Test func `an original that is kept, and called later`() throws {
      let keeper = ClosureKeeper()
      try withPatch(
        """
        local P, K = class "Bank.Prey", class "Bank.ClosureKeeper"
        function P:number(n)
          kept = self.ORIGnumber
          return 1
        end
        function K:prepare()
          local prey = P()
          self:keep(function(n) return kept(prey, n) end)
          return kept(prey, 1)
        end
        """
      ) {
        expectEqual(prey.number(1), 1)
        expectEqual(keeper.prepare(), 1000)
        expectEqual(keeper.call(1), 1000)
      }
      expectEqual(keeper.call(1), 0)  // the session's functions answer without Lua
    }

    @Test func `two overrides that call one another without end`() throws {
      try withPatch(
        """
        local P = class "Bank.Prey"
        function P:number(n) return self:other(n) end
        function P:other(n) return self:number(n) end
        """
      ) {
        expectEqual(prey.number(1), 1000)
        expectEqual(patches().flatMap(\.overrides).map(\.errors), [1, 0])
      }
    }

    @Test func `functions of the program called a million times`() throws {
      // On a loaded machine 20 ms may be over before a million instructions are.
      try withPatch(
        """
        patch { limits = { milliseconds = 2000 } }
        local P = class "Bank.Prey"
        function P:number(n) for i = 1, 1e6 do self:other(i) end return 1 end
        """
      ) {
        expectEqual(prey.number(1), 1000)
        #expect(faults().first?.contains("more than 1000000 instructions") == true)
      }
    }

    @Test func `an error where the function cannot throw`() throws {
      try withPatch(
        """
        local P = class "Bank.Prey"
        function P:number(n) error("no") end
        function P:refuse(n) error("no") end
        function P:typed(n) error("no") end
        """
      ) {
        expectEqual(prey.number(1), 1000)
        #expect(throws: (any Error).self) { try prey.refuse(1) }
        // It can throw only its own type.
        #expect((try? prey.typed(1)) == 1000)
      }
    }
  }
}
