// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// A class of which everything is overridden.
  @Suite struct WindmillTests {
    private let patch = """
      local M = class "Bank.Windmill"
      M:field("log", function() return {} end)
      M:field("count", 0)
      local function note(self, what)
        self.count = self.count + 1
        self.log[#self.log + 1] = what
      end

      function M:init_name(name) self:ORIGinit_name(name .. "!") note(self, "init") end
      function M.get:title() note(self, "get") return table.concat(self.log, " ") end
      function M.set:title(text) note(self, "set") self:ORIGtitle(text .. text) end
      M.get["subscript(_:)"] = function(self, i)
        note(self, "at") return self["ORIGsubscript(_:)"](self, i) + 100
      end
      M.set["subscript(_:)"] = function(self, value, i) note(self, "put") end
      function M:listen(f)
        note(self, "listen")
        local me = weak(self) -- the object keeps the function
        self:ORIGlisten(function(n) note(me.object, "event" .. n) f(n * 10) end)
      end
      function M:start() note(self, "start") return self:ORIGstart() + 1000 end
      function M.static:standard() local m = self:ORIGstandard() note(m, "static") return m end
      function M:wrap(part) note(self, "wrap") return { part, part } end
      function M:farewell() return self.name .. " " .. self.count end
      """

    private func check(_ name: String, isPatched: Bool) {
      let machine = Windmill(name: name)
      var heard: [Int] = []
      #expect(machine.name == (isPatched ? name + "!" : name))
      machine.title = "four"
      #expect(machine.level == (isPatched ? 8 : 4) && machine.changes == 1)
      machine[1] = 5
      #expect(machine[1] == (isPatched ? 100 : 5))
      machine.listen { heard.append($0) }
      #expect(machine.start() == (isPatched ? 1008 : 4))
      #expect(heard == (isPatched ? [80] : [4]))
      #expect(machine.wrap("x") == (isPatched ? ["x", "x"] : ["x"]))
      #expect(machine.wrap(2.5).count == (isPatched ? 2 : 1))
      #expect(
        machine.title
          == (isPatched
            ? "init set put at listen start event8 wrap wrap get" : "machine \(name)"))
      let standard = Windmill.standard()
      #expect(standard.name == (isPatched ? "standard!" : "standard"))
      #expect(standard.title == (isPatched ? "init static get" : "machine standard"))
    }

    @Test func `all of a class is overridden, state is each object's and goes with it`() throws {
      check("a", isPatched: false)
      Windmill.farewells.withLock { $0 = [] }
      try withPatch(patch) {
        check("a", isPatched: true)
        check("b", isPatched: true)
        expectEqual(faults(), [])
        let held = try WaxwingEngine.liveObjects()
        #expect(held[0].objects["Bank.Windmill", default: 0] == 0, "\(held[0].objects)")
        expectEqual(Windmill.farewells.withLock { $0.count }, 4)
      }
      let farewells = Windmill.farewells.withLock { $0.sorted() }
      expectEqual(farewells, ["a! 10", "b! 10", "standard! 3", "standard! 3"])
      Windmill.farewells.withLock { $0 = [] }
      check("c", isPatched: false)
      expectEqual(Windmill.farewells.withLock { $0.sorted() }, ["bye c", "bye standard"])
    }
  }
}
