// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What one call may spend besides instructions, and what it costs callers around it.
  @Suite struct LimitTests {
    private let account = Account(id: 1, owner: "Ada")

    /// Applies a body for `describe`, calls it once, and returns the fault.
    private func fault(_ limits: String, _ body: String) throws -> String {
      let original = account.describe()
      var messages: [String] = []
      try withPatch(
        """
        patch { name = "test", limits = { \(limits) } }
        local A = class "Bank.Account"
        function A:describe() \(body) return "x" end
        """
      ) {
        expectEqual(account.describe(), original)
        messages = faults()
      }
      return messages.first ?? "no fault"
    }

    @Test func `a deadline holds, whatever catches its error`() throws {
      let message = try fault(
        "milliseconds = 5, instructions = 100000000",
        "while true do pcall(function() while true do end end) end")
      #expect(message.hasPrefix("test.lua:3: "))
      #expect(message.contains("for more than 5 ms (`limits.milliseconds`)"))
    }

    @Test func `time in Swift and time that is slept do not count`() throws {
      try withPatch(
        """
        patch { limits = { milliseconds = 5, instructions = 100000000 } }
        local N = class "Bank.Nap"
        function N:rest(milliseconds)
          for i = 1, 3 do self:ORIGrest(milliseconds) for j = 1, 5000 do end end
          return "rested"
        end
        """
      ) {
        expectEqual(Nap().rest(30), "rested")
        expectEqual(faults(), [])
      }
    }

    @Test func `time in few calls of the program's functions is free, in a loop of many it is not`()
      throws
    {
      let nap = Nap()
      // The longest is free.
      try withPatch(
        """
        patch { limits = { instructions = 100000000, milliseconds = 20 } }
        local N = class "Bank.Nap"
        function N:work_rounds(n)
          if n < 1000 then self:spin(1100000) end
          for i = 1, n do self:spin(1000) end
          return "counted"
        end
        """
      ) {
        expectEqual(nap.work(rounds: 900), "counted")
        expectEqual(faults(), [])
        expectEqual(nap.work(rounds: 1_000_000), "original")
        #expect(
          faults().first?.contains(
            "functions that the call has called have run for more than 1000 ms, in more than 1000 "
              + "calls (`limits.milliseconds`)") == true)
      }
    }

    @Test func `memory that is used up ends the call, whoever catches that`() throws {
      let message = try fault(
        "memory = 2000000, instructions = 100000000, milliseconds = 2000",
        """
        local t = {}
        pcall(function() for i = 1, 1e9 do t[i] = {} end end)
        while true do end
        """)
      #expect(message.contains("test.lua:4: not enough memory"), "\(message)")
    }

    @Test func `memory that is at its limit again and again ends the call`() throws {
      let message = try fault(
        "memory = 2000000, instructions = 100000000, milliseconds = 2000",
        """
        local t = ("x"):rep(900000)
        while true do local u = t .. "y" end
        """)
      #expect(message.contains("requesting more memory (`limits.memory`)"), "\(message)")
    }

    /// One instruction can ask for a hundred times what there is.
    @Test func `a string that is far too long is refused, and the call may go on`() throws {
      let many = Array(repeating: "t", count: 100).joined(separator: " .. ")
      try withPatch(
        """
        patch { limits = { memory = 8000000, instructions = 100000000, milliseconds = 2000 } }
        local A = class "Bank.Account"
        function A:describe()
          local t = ("x"):rep(1000000)
          local done, message = pcall(function() return \(many) end)
          return tostring(done) .. " " .. message
        end
        """
      ) {
        expectEqual(account.describe(), "false not enough memory")
        expectEqual(faults(), [])
      }
    }

    @Test func `memory is charged to the budget`() throws {
      let message = try fault(
        "instructions = 100000",
        "local s = ('x'):rep(10000) for i = 1, 5000 do local t = s .. i end"
      )
      #expect(message.contains("more than 100000 instructions"), "\(message)")
    }

    @Test func `calls that call one another twice each do not multiply their budgets`() throws {
      let original = account.describe()
      try withPatch(
        """
        patch { limits = { instructions = 20000 } }
        local A = class "Bank.Account"
        function A:describe() return self:describe() .. self:describe() end
        """
      ) {
        WaxwingEngine.setLogHandler { _ in }
        #expect(account.describe().contains(original))
        #expect((patches().first?.overrides.first?.errors ?? 0) > 0)
      }
    }

    @Test func `a message of a megabyte is cut`() throws {
      let message = try fault("instructions = 10000000", "error(('x'):rep(2^19))")
      #expect(message.utf8.count < 5000 && message.utf8.count > 4000)
    }

    /// Functions with many results fill their part of Lua's stack, and are charged then.
    @Test func `a trip among many results is told, however full the stack is`() throws {
      for call in ["s:byte(1, n)", "utf8.codepoint(s, 1, n)", "table.unpack(t, 1, n)"] {
        let message = try fault(
          "instructions = 20000",
          "local s, t = ('x'):rep(100), {} while true do for n = 1, 100 do local _ = \(call) end end"
        )
        #expect(message.contains("more than 20000 instructions"), "\(call): \(message)")
      }
    }

    @Test func `limits above the host's are lowered, with a warning`() throws {
      WaxwingEngine.policy.limits.mostInstructions = 5000
      defer { WaxwingEngine.policy = Policy() }
      let message = try fault("instructions = 100000000", "while true do end")
      #expect(message.contains("more than 5000 instructions"))
    }

    @Test func `running a script that never ends is refused`() {
      WaxwingEngine.policy.limits.loadInstructions = 100_000
      defer { WaxwingEngine.policy = Policy() }
      let message = refusal("while true do pcall(function() while true do end end) end")
      #expect(message.contains("refused.lua:1: the call has run more than 100000 instructions"))
    }

    @Test func `all patches together have a limit of memory`() throws {
      WaxwingEngine.policy.limits.totalMemory = 3_000_000
      defer { WaxwingEngine.policy = Policy() }
      let message = refusal("t = {} for i = 1, 1e6 do t[i] = {} end")
      #expect(message.contains("not enough memory"), "\(message)")
    }
  }
}
