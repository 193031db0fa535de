// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Initializers that a class does not inherit: the compiler's stub in their place ends the program.
  @Suite struct MissingInitializerTests {
    /// What `WagonYard.run` returns that has this body; or the error.
    func run(_ body: String, _ declarations: String = "") throws -> String {
      try withPatch(
        """
        local Wagon, Coach, Sleeper = class "Bank.Wagon", class "Bank.Coach", class "Bank.Sleeper"
        local Cart, Landau, Yard = class "Bank.Cart", class "Bank.Landau", class "Bank.WagonYard"
        \(declarations)
        function Yard:run()
          local _, text = pcall(function() \(body) end)
          return tostring(text)
        end
        """
      ) { WagonYard().run() }
    }

    static let reason = "the class does not have it: it has designated initializers of its own"

    @Test(arguments: [
      "Coach()", "Coach['init()']()", "Sleeper['init(seats:)'](2)",
    ])
    func `a call of one is an error`(_ call: String) throws {
      expectContains(try run("return \(call):summary()"), Self.reason)
    }

    @Test(arguments: [
      ("Coach(2)", "4 wheels, 2 seats"), ("Coach{seats = 1}", "4 wheels, 1 seats"),
      ("Sleeper{beds = 3}", "4 wheels, 6 seats, 3 beds"), ("Cart()", "4 wheels, hay"),
      ("Wagon{axles = 1}", "4 wheels"),
    ])
    func `the others make objects`(_ call: String, _ expected: String) throws {
      expectEqual(try run("return \(call):summary()"), expected)
    }

    /// It would call the stub.
    @Test func `nor is a convenience initializer inherited that calls one`() throws {
      expectContains(try run("return Coach{axles = 2}:summary()"), "expected Int, got table")
      expectContains(try run("return Sleeper():summary()"), "expected Int, got nothing")
      expectContains(try run("return Sleeper['init()']():summary()"), "is a method")
    }

    @Test func `a subclass in Lua cannot call one`() throws {
      let declarations = """
        local Own = class("OwnCoach", Coach)
        function Own:init(how)
          if how == 1 then self.super:init()
          elseif how == 2 then self.super["init()"](self)
          else self.super:init(how) end
        end
        """
      expectContains(try run("return Own(1):summary()", declarations), Self.reason)
      expectContains(try run("return Own(2):summary()", declarations), Self.reason)
      expectEqual(try run("return Own(3):summary()", declarations), "4 wheels, 3 seats")
    }

    @Test func `one cannot be overridden, and the name means the other initializer`() throws {
      expectContains(
        refusal("class('Bank.Coach')['init()'] = function() end"), Self.reason)
      expectEqual(
        try run(
          "return Coach(2):summary()", "function Coach:init(n) self:ORIGinit(n + 1) end"),
        "4 wheels, 3 seats")
    }

    /// There is no metadata to be read of its type.
    @Test func `one that takes a block is an error`() throws {
      expectContains(
        try run("return class('Dispatch.DispatchWorkItem')()"),
        "has type @convention(block) () -> ()")
    }

    @Test func `lists leave them out`() throws {
      expectEqual(
        try run(
          """
          local all = {}
          for _, line in ipairs(typeof(Sleeper).members) do
            if line:find("^init") then all[#all + 1] = line end
          end
          return table.concat(all, " ")
          """), "init(beds: Int)")
    }

    @Test func `a class without a designated initializer for others has no subclasses in Lua`() {
      expectContains(
        refusal("class('A', 'ManagedBuffer<Int, Int>')"), "has no designated initializer")
      expectContains(
        refusal("class('A', '_ContiguousArrayStorage<Int>')"), "is internal to its library")
    }
  }
}
