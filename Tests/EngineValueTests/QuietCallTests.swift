// SPDX-License-Identifier: MIT

import Bank
import CWaxwingLua
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Texts about types, functions and errors are made when they are shown: they take longer than most calls.
  @Suite struct QuietCallTests {
    private static let operations = """
      local Bank = module "Bank"
      local Vector, Compass, Figure = class "Bank.Vector", class "Bank.Compass", class "Bank.Figure"
      local names, operations = {}, {}
      local function op(name, f) names[#names + 1], operations[#operations + 1] = name, f end
      op("overload by count", function(desk) desk:book(1) end)
      op("overload by type", function(desk) desk:sort("x") desk:sort(1.5) desk:sort(desk) end)
      op("overload by the elements of a table", function(desk) desk:sort { 1, 2 } desk:sort { a = 1 } end)
      op("overload with a generic one", function(desk) desk:weigh(1) desk:weigh(Vector(1, 2).x) end)
      op("overload that takes a case by name", function(desk) desk:weigh("north") end)
      op("overload by labels", function(desk) desk:find { path = "p" } desk:twin_second(1) end)
      op("default values", function(desk) desk:order("x") desk:order { "x", count = 3 } end)
      op("generic function", function(desk) Bank.same(1) Bank.same("x") Bank.same(desk) Bank.same { 1 } end)
      op("generic function of two", function() Bank.largest(1, 2) Bank.numbered("x", 2) end)
      op("protocol extension", function(desk) desk:front():shelve(1) end)
      op("initializer", function() Vector(1, 2) Int("12") Double(2) end)
      op("operators", function()
        local a, b = Vector(1, 2), Vector(3, 4)
        local c, d, e = a + b, a == b, -a
      end)
      op("enum", function() local a, b = Compass.north, Figure.circle(1) local c = a == Compass.south end)
      op("parts of a value", function() unpack(Vector(1, 2)) copy(Vector(1, 2)) repack(Vector(1, 2), { 3, 4 }) end)
      op("type of a value", function(desk) is(desk, "Bank.Desk") end)
      op("properties", function(desk) local x = desk.log desk.log = { "a" } end)
      op("live", function(desk) local log = live(desk).log log:append("b") end)
      op("an error that is caught", function(desk) pcall(Bank.tried, 1, false) end)
      local Probe, index = class "Bank.Probe", 0
      function Probe:run(desk)
        index = index % #operations + 1
        operations[index](desk)
        return names[index]
      end
      """

    #if DEBUG
      @Test func `a call that succeeds makes no text for people`() throws {
        let desk = Desk()
        let texts = try withPatch(Self.operations) {
          var texts: [String: UInt64] = [:]
          // Whatever is made once, such as codecs and plans, is there after the first time.
          for round in 1...2 {
            let first = Probe().run(desk)
            var name = first
            repeat {
              let before = wax_lua_text_count()
              name = Probe().run(desk)
              if round == 2 { texts[name] = wax_lua_text_count() - before }
            } while name != first
          }
          expectEqual(faults(), [])
          return texts
        }
        #expect(texts.count == 18)
        for (name, count) in texts { #expect(count == 0, "\(name)") }
      }
    #endif
  }
}
