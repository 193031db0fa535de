// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

extension BuildModeTests {
  /// Async functions of a module that is not compiled with implicit dynamic: they are overridden by rewriting their code. Two
  /// actors of the program call some of them all the time, and count wrong results.
  @Suite struct AsyncCodeEntryTests {
    private let program: BuildModeTests

    init() throws {
      program = try BuildModeTests()
      try program.shell.directory.write("code-entries = allow\n", to: "modes.conf")
    }

    /// Flags, and whether the module is a shared library.
    static let modes = [
      ("-O -wmo -g", false), ("-Onone -g", false), ("-O -wmo -g", true), ("-Onone -g", true),
    ]

    private func compile(_ flags: String, _ isShared: Bool = false) throws {
      try program.compile("AsyncCode", importing: "Depot", flags, isShared: isShared)
    }

    private static let names = """
      patch { partial = true }
      local Parcel, Stock, Depot = class "Depot.Parcel", class "Depot.Stock", class "Depot.Depot"
      local module = module "Depot"

      """

    private static let passing = """
      local function pass(...) return original(...) end
      Parcel.priced, Parcel.grow = pass, pass
      Stock.add, Stock.count, Stock.clear, Stock.title = pass, pass, pass, pass
      Depot.send, Depot.split, Depot.many, Depot.near, Depot.here = pass, pass, pass, pass, pass
      Depot.hold, Depot.sleep, module.later, module.onMain = pass, pass, pass, pass

      """

    @Test(arguments: modes)
    func `overrides of async functions that only call the original change nothing`(
      flags: String, isShared: Bool
    ) throws {
      try compile(flags, isShared)
      program.expectNoChange(try program.run(Self.names + Self.passing))
    }

    @Test(arguments: modes)
    func `overrides of async functions see and change what these take, return and throw`(
      flags: String, isShared: Bool
    ) throws {
      try compile(flags, isShared)
      let answers = try program.run(
        Self.names + """
          function Parcel:priced(rate) sleep(0) return original(self, rate) + 1 end
          function Parcel:grow(number) original(self, number) self.label = self.label .. "lua" end
          function Stock:add(name, number) return original(self, name, number == 0 and 0 or number * 10) end
          function Stock:count() return original(self) + 100 end
          function Stock:title(number) return original(self, number):upper() end
          function Depot:send(what, place)
            if what == "a" then sleep(0.001) return "no" end
            return (original(self, what, place):upper())
          end
          function Depot:split(parcel)
            local one, other, half = original(self, parcel)
            one.label = one.label .. "!"
            return other, one, half + 1
          end
          function Depot:many(...) return original(self, ...) * 2 end
          function Depot:near(number) sleep(0) return original(self, number) + 100 end
          function Depot:here() sleep(0) return original(self) * 0 end
          function Depot:hold(number) return original(self, number) end
          function Depot:sleep(name)
            local done, failure = pcall(original, self, name)
            return done and "done" or "ended " .. tostring(failure)
          end
          function module.later(number) sleep(0) return original(number) + 1000 end
          function module.onMain(number) sleep(0) return original(number) * 2 end
          """)
      expectEqual(answers.after, answers.before)
      expectEqual(answers.failures, [])
      expectContains(answers.before, "later 12 6; send error empty; send sent a to 1;")
      expectContains(
        answers.patched,
        "later 1012 12; send error empty; send no; send SENT A LONG THING, WHICH IS ON THE HEAP TO 1; heavy error tooHeavy(10);"
      )
      expectContains(answers.patched, "split 5 p2 4 p1! 5; many -136; parcel 5 l+lua 3.5;")
      expectContains(
        answers.patched, "add 20; add error empty; count 101 STOCK 3; near 105 here false;")
      expectContains(answers.patched, "sleep ended ")
      for answer in [answers.before, answers.patched, answers.after] {
        expectContains(answer, "wrong 0 --")
      }
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `calls are right while overrides of async functions come and go`(flags: String) throws {
      try compile(flags)
      let answers = try program.run(
        Self.names + """
          function Stock:add(name, number) return original(self, name, number) end
          function Depot:send(what, place) sleep(0) return (original(self, what, place):upper()) end
          function Depot:near(number) sleep(0) return original(self, number) + 100 end
          function module.later(number) sleep(0) return original(number) + 1000 end
          """,
        looking: """
          for i in 1 2 3 4 5 6 7 8 9 10; do
            waxwing restore >restored
            grep -q '0 differences' restored || cat restored
            waxwing apply all.lua >applied 2>&1 || cat applied
          done
          """)
      expectEqual(answers.after, answers.before)
      expectContains(answers.after, "wrong 0 --")
      expectEqual(try program.shell.bash("cat looked").standardOutput, "")
    }

    @Test func `without debugging information only what its code proves is overridden`() throws {
      try compile("-O -wmo")
      let answers = try program.run(
        Self.names + """
          local function pass(...) return original(...) end
          Stock.count, Depot.near, Depot.here = pass, pass, pass
          local function reason(f) local isDeclared, reason = pcall(f) assert(not isDeclared) return reason end
          for _, refused in ipairs {
            reason(function() Stock.add = pass end), reason(function() Depot.send = pass end),
            reason(function() module.unused = pass end),
          } do
            assert(refused:find("it is async, and nothing tells whether it gets its caller's actor", 1, true), refused)
          end
          """)
      program.expectNoChange(answers)
    }
  }
}
