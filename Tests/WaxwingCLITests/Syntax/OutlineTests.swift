// SPDX-License-Identifier: MIT

import Testing
import WaxwingCLI
import WaxwingPatches

/// What a patch says of its program, without being run.
@Suite struct OutlineTests {
  private func outline(_ text: String) throws -> PatchOutline {
    PatchOutline(try LuaChunk(PatchFile(name: "a.lua", bytes: Array(text.utf8))))
  }

  private func overrides(_ text: String) throws -> [String] {
    try outline(text).overrides.map { override in
      let target = override.target
      let parts = [
        override.kind.rawValue, target.owner.name, target.isStatic ? "static" : nil,
        target.accessor?.rawValue, override.name,
        override.function.map { "\($0.allParameters.count)" } ?? "?",
      ]
      return parts.compactMap(\.self).joined(separator: " ")
    }
  }

  @Test func `overrides in all spellings`() throws {
    let found = try overrides(
      """
      local A = class "m.A"
      local get = A.get
      function A:one(x) end
      A["two(_:)"] = function(self, x) end
      function get:three() end
      function A.static.set:four(x) end
      function A.static:five() end
      local M = module "m"
      function M.six(x) end
      local function seven(self) end
      A.seven = seven
      A:after("eight", function(self, result) end, { once = true })
      ;(A.get):before("nine", f)
      function B:ten() end
      A.shared = 5
      A.made = make()
      function M.C:eleven() end
      """)
    #expect(
      found == [
        "override m.A one 2", "override m.A two(_:) 2", "override m.A get three 1",
        "override m.A static set four 2", "override m.A static five 1", "override m six 1",
        "override m.A seven 1", "after m.A eight 2", "before m.A get nine ?", "override B ten 1",
        "override m.C eleven 1",
      ])
  }

  @Test func `a variable that is assigned again, and a shadowed class, tell nothing`() throws {
    #expect(
      try overrides(
        """
        local A = class "m.A"
        A = class "m.B"
        function A:one() end
        local function class() end
        local C = class "m.C"
        function C:two() end
        local D = {}
        function D:three() end
        for E in pairs(D) do function E:four() end end
        """) == [])
  }

  @Test func `Wax's spelling`() throws {
    #expect(
      try overrides(
        """
        function before() end
        waxClass{"m.A"}
        function one_two(self, x) end
        waxClass{"New", "m.A"}
        function three(self) end
        """) == ["override m.A one_two 2"])
  }

  @Test func `originals belong to the override that they are in, also in closures`() throws {
    let found = try outline(
      """
      local A = class "m.A"
      function A:one(x)
        local me = self
        each(function() return self:ORIGone(x), self["ORIGtwo(_:)"](self, 1, 2) end)
        me:ORIGthree()
        do local self = {}; self:ORIGfour() end
        return original(self, x)
      end
      function A:five() return self:ORIGfive(table.unpack(x)) end
      return A.ORIGsix
      """
    ).originals.map {
      "\($0.name ?? "-") \($0.argumentCount.map(String.init) ?? "?") \($0.override ?? -1)"
    }
    #expect(found == ["one 1 0", "two(_:) 2 0", "three 0 0", "- 1 0", "five ? 1", "six ? -1"])
  }

  @Test func `who may have globals that nobody sees`() throws {
    #expect(try outline("require('wax').globals()").makesGlobals)
    #expect(try outline("rawset(_G, 'a', 1)").makesGlobals)
    #expect(try !outline("local _G = {}; globals()").makesGlobals)
  }

  @Test func `types and modules that are named, and those that may be missing`() throws {
    let found = try outline(
      """
      local a, b = class "m.A", class("m.B", "m.A")
      pcall(class, "m.C")
      pcall(function() return class "m.D" end)
      when_loaded("P", function() local P = module "P" end)
      """
    ).owners.map { "\($0.owner.name) \($0.place.column) \($0.isOptional)" }
    #expect(found == ["m.A 20 false", "m.D 31 true", "P 46 true"])
  }
}
