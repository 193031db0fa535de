// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

extension BuildModeTests {
  /// Closures that a program passes to functions of another module, as it does with routes. Without implicit dynamic
  /// no function of it can be overridden, and the closures can all the same.
  @Suite struct RouteClosureTests {
    private let program: BuildModeTests

    init() throws {
      program = try BuildModeTests()
    }

    static let modes = [
      "-O -wmo", "-Onone -g", "-O -wmo -Xfrontend -enable-implicit-dynamic",
      "-Onone -Xfrontend -enable-implicit-dynamic",
    ]

    private func compile(_ flags: String) throws {
      try program.compile("Routes", importing: "Web", flags)
    }

    /// What the program says of each route, and at the end.
    private func answers(_ text: String) -> [String] {
      text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(arguments: modes)
    func `overrides of closures that only call the original change nothing`(flags: String) throws {
      try compile(flags)
      let answers = try program.run(
        """
        local modes, Controller = module "modes", class "modes.Controller"
        local function pass(...) return original(...) end
        for number = 1, 20 do modes["closure #" .. number .. " in buildRouter(_:prefix:)"] = pass end
        modes["closure #1 in closure #19 in buildRouter(_:prefix:)"] = pass
        Controller["closure #1 in add(to:)"] = pass
        Controller.static["closure #1 in boot(_:)"] = pass
        -- may be refused
        for number = 1, 2 do pcall(function() modes["closure #" .. number .. " in two"] = pass end) end
        modes["closure #1 in copied"] = pass
        pcall(function() modes["closure #1 in now"] = pass end)
        pcall(function() class("Web.Router")["closure #1 in health"] = pass end)
        """)
      program.expectNoChange(answers)
      expectContains(answers.before, "0 wrong, 1 store --")
    }

    /// The compiler makes two closures of a method with its receiver: the second has captured the receiver.
    @Test(arguments: ["-O -wmo -g", "-O -g"])
    func `methods that are passed as handlers are overridden`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local Desk, Clerk = class "modes.Desk", class "modes.Clerk"
        local function handler(n) return "implicit closure #" .. n + 1 .. " in implicit closure #" .. n .. " in add" end
        Desk[handler(1)] = function(q, c)
          -- The optimiser may forget what the types have.
          local isKnown, sign = pcall(function() return captured.self.sign end)
          if q.number == 5 then return (isKnown and sign or "desk") .. " " .. c.id end
          return "lua " .. original(q, c)
        end
        Desk[handler(3)] = function(...) return original(...) end
        Desk[handler(5)] = function(q, id) return original(q, id + 1) end
        Clerk[handler(1)] = function(q, c)
          local wide = original(q, c)
          local isKnown, name = pcall(function() return captured.self.name end)
          wide.note = (isKnown and name or "clerk") .. "!"
          return wide
        end
        """)
      func answers(_ text: String) -> [String] {
        self.answers(text).filter { ["shown", "counted", "wide m"].contains(where: $0.hasPrefix) }
      }
      expectEqual(
        answers(changed.before),
        [
          "counted: String desk 8 | String desk 12", "shown: String desk 1 4 | String desk 5 4",
          "shown again: String desk 1 4 | String desk 5 4",
          "wide method: Wide 1 2 3 4 clerk | Wide 5 6 7 8 clerk",
        ])
      expectEqual(
        answers(changed.patched),
        [
          "counted: String desk 9 | String desk 13", "shown: String lua desk 1 4 | String desk 7",
          "shown again: String desk 1 4 | String desk 5 4",
          "wide method: Wide 1 2 3 4 clerk! | Wide 5 6 7 8 clerk!",
        ])
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: modes)
    func `overrides of closures see and change what routes take, return and throw`(flags: String)
      throws
    {
      try compile(flags)
      let changed = try program.run(
        """
        local modes, Controller = module "modes", class "modes.Controller"
        local function route(number, f) modes["closure #" .. number .. " in buildRouter"] = f end
        modes["closure #1 in copied"] = function(q, id) return "lua " .. original(q, id) end
        route(1, function(q, c) return "lua " .. original(q, c) end)
        route(2, function(q, c) if q.number == 1 and c.id == 7 then return -1 end return original(q, c) end)
        route(3, function(q, c) return table.concat({ tostring(pcall(original, q, c)), c.user }, " ") end)
        route(4, function(q, c) local wide = original(q, c); wide.note = "lua"; return wide end)
        route(5, function(q, c) local small = original(q, c); small.value = small.value + 1; return small end)
        route(6, function(q, c) if original(q, c) then return nil end return "was nil" end)
        route(7, function(q, c) local all = original(q, c); all[#all + 1] = 100; return all end)
        route(8, function(q, c) return original(q, c) * 2 end)
        route(9, function(q, id) return original(q, id + 1):upper() end)
        route(10, function(a, b, c, d, e, f, g, h, i) return original(a + 10, b, c, d, e, f, g, h .. "!", i * 2) end)
        route(11, function(q) if q.number < 2 then return original(q) end end)
        route(12, function(one, all, u) return one .. #all, u * 2 end)
        route(13, function(session, n)
          local result, after = original(session, n)
          return result + 100, after + #session.name * 1000
        end)
        route(14, function(q) return original(q) end)
        route(15, function(q) return original(q) + 1 end)
        route(16, function(q) return original(q) * 10 end)
        route(17, function(q) return original(q) + 1 end)
        route(18, function(q) return 0 end)
        route(19, function(q, c) return original(q, c) .. "!" end)
        route(20, function(q) return select(2, pcall(original, q)) == "slept" and "lua" or "caught" end)
        modes["closure #1 in closure #19 in buildRouter"] = function(q, c) return "lua " .. original(q, c) end
        Controller["closure #1 in add"] = function(q, c) return original(q, c) .. "." end
        local _, reason = pcall(function() modes["closure #1 in alike(_:_:)"] = function() end end)
        modes[reason:match("closure #1 in alike%([^\\n]*String%)")] = function(q, id) return "lua " .. original(q, id) end
        Controller.static["closure #1 in boot"] = function(q, c) return original(q, c) .. "," end
        """)
      expectEqual(
        answers(changed.patched),
        [
          "alike 1: String 1 7 | String 1 7", "alike 2: String lua 1 7 | String lua 1 7",
          "array: Int 1,Int 7,Int 100 | Int 5,Int 7,Int 100",
          "bound: String bound 1 | String bound 1",
          "copied 1: String lua String text 7 | String lua String text 7",
          "copied 2: String lua Int 7 7 | String lua Int 7 7",
          "counted: String desk 8 | String desk 12", "double: Double 1.0 | Double 5.0",
          "error: String lua | String caught", "generic: String String v2 82 | String String v2 82",
          "health: String health 3 7 | String health 3 7", "ingeneric: Int 5 | Int 5",
          "inout: String 103 1002 | String 107 1006",
          "later: Int 30 | Int 70", "many: Wide 32 33 34 35 many! 1.0 | Wide 36 37 38 39 many! 1.0",
          "maybe: some Int 3 | some Int 7", "method: String hi 1 2. | String hi 5 2.",
          "nested: String String lua inner 1 pre! | String String lua inner 5 pre!",
          "nothing: Bool true | Bool true",
          "now: String now 3 | String now 3", "object: Int -1 | Int 15",
          "optional: nil | some String was nil", "pair: Int 5,Int 0 | Int 9,Int 0",
          "raw: String RAW 8 PRE | String RAW 8 PRE",
          "shown: String desk 1 4 | String desk 5 4",
          "shown again: String desk 1 4 | String desk 5 4",
          "small: Small false 2 | Small true 6",
          "static: String static 1, | String static 5,",
          "string: String lua string 1 7 | String lua string 5 7",
          "throwing: String true user | String false user",
          "two: String 4 Int 12 | String 8 Int 12", "void: String () | String ()",
          "wide: Wide 1 2 3 4 lua | Wide 5 6 7 8 lua",
          "wide method: Wide 1 2 3 4 clerk | Wide 5 6 7 8 clerk", "0 wrong, 1 store --",
        ])
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test func `the example of the documents works`() throws {
      try compile("-O -wmo")
      let blocks = try GuideTests.blocks("lua routes")
      let patch = try #require(blocks.first).replacing("\"shop", with: "\"modes")
      let changed = try program.run(patch)
      expectContains(changed.patched, "method: String lua hi 1 2 | String lua hi 5 2;")
      expectContains(changed.patched, "object: Int 3 | Int 15;")
      // Of 500 calls at once, the override answers those above 100 itself.
      expectContains(changed.patched, "399 wrong, 1 store --")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: modes)
    func `a closure is refused when nothing tells how it is called`(flags: String) throws {
      try compile(flags)
      let unchanged = try program.run(
        """
        local modes = module "modes"
        local function refusal(name)
          local isDeclared, reason = pcall(function() modes[name] = function() end end)
          return not isDeclared and reason or "none"
        end
        local function check(name, text)
          local reason = refusal(name)
          assert(reason:find(text, 1, true), name .. ": " .. reason)
        end
        check("closure #1 in refused", "closure #1 in refused(_:_:): nothing tells how it is called")
        check("closure #1 in generic", "closure #1 in generic(_:): ")
        check("closure #1 in two", "closure #1 in two(_:_:): nothing tells how it is called")
        check("closure #2 in two", "closure #2 in two(_:_:): nothing tells how it is called")
        check("closure #21 in buildRouter(_:prefix:)", "modes has no closure `closure #21 in buildRouter(_:prefix:)`")
        check("closure #21 in buildRouter(_:prefix:)", "did you mean `closure #1 in buildRouter(_:prefix:)`")
        check("closure #1 in missing()", "modes has no closure `closure #1 in missing()`")
        modes["closure #1 in buildRouter"] = function(q, c) return original(q, c) end
        """)
      program.expectNoChange(unchanged)
    }

    /// They are called where nothing sees it.
    @Test func `a closure is refused when the optimiser has made copies of it`() throws {
      try compile("-O -wmo")
      let unchanged = try program.run(
        """
        local modes, Router = module "modes", class "Web.Router"
        local function check(owner, name, text)
          local isDeclared, reason = pcall(function() owner[name] = function() end end)
          assert(not isDeclared and reason:find(text, 1, true), name .. ": " .. tostring(reason))
        end
        check(modes, "closure #1 in now", "the optimiser has made a copy of its code for certain values")
        check(Router, "closure #1 in health", "2 images have a copy of it")
        """)
      program.expectNoChange(unchanged)
    }
  }
}
