// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Advice that fails, and what is done for the program then.
  @Suite struct AdviceFaultTests {
    private let machine = Machine(number: 3)

    private func error(of n: Int) -> MachineError? {
      do throws(MachineError) {
        _ = try machine.limited(n)
        return nil
      } catch {
        return error
      }
    }

    private func errors() -> [Int] { patches().flatMap(\.overrides).map(\.errors) }

    @Test func `a failing piece is reported and left out, the others and the original run`() throws
    {
      try withPatch(
        adviceHead + """
          local function fail(self) return self.nothing end
          M:before("run", function(self, n) Bank.note "a" return n + 1 end)
          M:before("run", function(self, n) Bank.note "b" fail(self) end)
          M:before("run", function(self, n) Bank.note "c" return n + 1 end)
          M:after("run", function(self, r) Bank.note "d" error("on purpose") end)
          M:after("run", function(self, r) Bank.note "e" return r * 10 end)
          """
      ) {
        expectEqual(trace(40) { machine.run(1) }, "abcrde")
        expectEqual(trace(40) { machine.run(1) }, "abcrde")
        expectEqual(errors(), [4])
        let error = patches().first?.overrides.first?.lastError
        #expect(error?.message == "on purpose" && error?.line == 7)
      }
      expectEqual(machine.run(1), 2)
    }

    @Test func `the traceback is that of the piece`() throws {
      let reports = LogLines()
      try withPatch(
        adviceHead + """
          local function deep(self)
            return self.nothing + 1
          end
          local function middle(self) local x = deep(self) return x end
          M:before("run", function(self, n)
            middle(self)
          end)
          """
      ) {
        WaxwingEngine.setLogHandler { reports.add($0.line) }
        expectEqual(machine.run(1), 2)
        let error = try #require(patches().first?.overrides.first?.lastError)
        #expect(error.file == "test.lua" && error.line == 4)
        expectEqual(
          error.traceback,
          [
            "test.lua:4: in function 'deep'", "test.lua:6: in function 'middle'",
            "test.lua:8: in function <anonymous>",
          ])
        #expect(reports.all.count == 1 && reports.all[0].contains("override.failed"))
      }
    }

    @Test func `values that the function cannot take are the piece's failure`() throws {
      try withPatch(
        adviceHead + """
          M:before("run", function(self, n) return "text" end)
          M:before("run", function(self, n) return n + 1 end)
          M:before("run", function(self, n) return n, 5 end)
          M:after("run", function(self, r) return r .. "!" end)
          M:after("run", function(self, r) return r * 10 end)
          M:after("run", function(self, r) return nil end)
          M:after("bounds", function(self, r) return { 1 } end)
          M:after("bounds", function(self, r) return { 5, 6 } end)
          M:after("adjusting", function(self, r, value, text) return r, "no number" end)
          M:before("wide", function(self, n) return 2 ^ 70 end)
          """
      ) {
        expectEqual(machine.run(1), 30)
        #expect(machine.bounds(1) == (5, 6))
        var value = 1
        var text = "t"
        #expect(machine.adjusting(&value, text: &text))
        #expect(value == 2 && text == "t!")
        expectEqual(machine.wide(5), 5)
        expectEqual(errors(), [4, 1, 1, 1])
        let messages = faults()
        expectEqual(
          messages,
          [
            "test.lua:8: the `after` of Bank.Machine.run(_:) returned a wrong result: expected Int, "
              + "got nil",
            "test.lua:9: the `after` of Bank.Machine.bounds(_:) returned a wrong result: "
              + "expected Int at [2], got nil",
            "test.lua:11: the `after` of Bank.Machine.adjusting(_:text:) returned a wrong value for "
              + "argument 1 (inout): expected Int, got string \"no number\"",
            "test.lua:12: the `before` of Bank.Machine.wide(_:) returned a wrong value for argument "
              + "1: expected Int64, got float 1.1805916207174113e+21, which is not an integer in range",
          ])
      }
    }

    @Test func `an error raised on purpose in a throwing function is thrown`() throws {
      try withPatch(
        adviceHead + """
          M:before("attempt", function(self, n) if n == 1 then error("not one") end end)
          M:after("attempt", function(self, result, n)
            if n == 2 then throw("not two") end
            return result .. "!"
          end)
          M:after("attempt", function(self, result, n) if n == 4 then return result + self end end)
          M:after("attempt", function() Bank.note "x" end)
          """
      ) {
        let first = #expect(throws: LuaError.self) { try machine.attempt(1) }
        #expect(first?.message == "not one" && first?.line == 3)
        _ = Trace.shared.take()
        let second = #expect(throws: LuaError.self) { try machine.attempt(2) }
        #expect(second?.message == "not two" && second?.line == 5)
        // The original has run; the pieces that follow have not.
        expectEqual(Trace.shared.take(), "a")
        let third = try machine.attempt(3)
        expectEqual(third, "done 3!")
        let fourth = try machine.attempt(4)
        expectEqual(fourth, "done 4!")
        _ = Trace.shared.take()
        #expect(throws: MachineError.jam(-1)) { try machine.attempt(-1) }
        // No `after` where the function threw.
        expectEqual(Trace.shared.take(), "a")
        expectEqual(errors(), [1])
      }
      #expect(throws: MachineError.jam(-1)) { try machine.attempt(-1) }
    }

    @Test func `with on_error = "throw" any failure is thrown`() throws {
      try withPatch(
        "patch { on_error = 'throw' }\n" + adviceHead + """
          M:before("attempt", function(self, n)
            if n == 1 then return self.nothing end
            if n == 2 then return "text" end
          end)
          M:before("run", function(self, n) return self.nothing end)
          """
      ) {
        let first = #expect(throws: LuaError.self) { try machine.attempt(1) }
        #expect(first?.line == 5 && first?.message.contains("has no member `nothing`") == true)
        let second = #expect(throws: LuaError.self) { try machine.attempt(2) }
        #expect(second?.message.contains("returned a wrong value for argument 1") == true)
        expectEqual(machine.run(1), 2)
        expectEqual(faults().count, 1)
      }
    }

    @Test func `a function that throws one type only gets errors of that type`() throws {
      try withPatch(
        adviceHead + """
          local E = class "Bank.MachineError"
          M:before("limited", function(self, n) if n == 1 then error("text") end end)
          M:before("limited", function(self, n) if n == 2 then throw(E.cancelled) end end)
          """
      ) {
        let one = try machine.limited(1)
        expectEqual(one, 1)
        expectEqual(error(of: 2), .cancelled)
        expectEqual(error(of: -1), .jam(-1))
        #expect(faults().count == 1 && expectedFault().contains("can throw Bank.MachineError only"))
      }
    }

    @Test func `what lasts as long as the call is an error after it`() throws {
      try withPatch(
        adviceHead + """
          local body, object, message
          local function failure(f, ...)
            local ok, found = pcall(f, ...)
            return ok and "no error" or tostring(found)
          end
          M:before("visit", function(self, closure) body = closure end)
          M:after("visit", function(self, result, closure) assert(closure(1) == 2) end)
          M:before("init(checked:)", function(self) object = self end)
          function M:maybe(what)
            if what == "closure" then return failure(body, 1) end
            return failure(function() return object.label end)
          end
          """
      ) {
        expectEqual(machine.visit { $0 + 1 }, 4)
        #expect(machine.maybe("closure")?.contains("error") == false)
        #expect(throws: MachineError.jam(-1)) { try Machine(checked: -1) }
        let gone = machine.maybe("object") ?? ""
        #expect(gone != "no error" && gone != "checked")
        expectEqual(faults(), [])
      }
    }

    @Test func `a failing piece for one call is used up, and a removed one fails no more`() throws {
      try withPatch(
        adviceHead + """
          M:before("run", function() error("once") end, { once = true })
          M:after("run", function() end)
          """
      ) {
        #expect(machine.run(1) == 2 && machine.run(1) == 2)
        expectEqual(errors(), [1])
      }
    }

    @Test func `advice with values that are not all of the function's own type`() throws {
      let crate = Crate<Int>()
      try withPatch(
        """
        local C = class "Bank.Crate"
        C:before("put", function(self, element) return "text" end)
        C:after("put", function(self, count) return count + 1 end)
        """
      ) {
        expectEqual(crate.put(5), 2)
        expectEqual(crate.contents, [5])
        #expect(expectedFault().contains("expected Int, got string"))
      }
    }
  }
}
