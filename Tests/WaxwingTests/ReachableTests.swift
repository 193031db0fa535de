// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import HostileRig
import Testing
import Waxwing

extension EngineSuite {
  /// What a script can get at: everything that it reaches from its globals, from values of every kind
  /// and their metatables, by name.
  @Suite struct ReachableTests {
    /// The names of all functions and tables, one a line; tables within tables by their path. The
    /// metatables of values of every kind, which scripts must not get, too.
    private static let walk = """
      local lines, seen = {}, {}
      local function walk(path, value)
        if type(value) == "table" and not seen[value] then
          seen[value] = path
          lines[#lines + 1] = path .. ": table"
          for key, element in next, value do walk(path .. "." .. tostring(key), element) end
        elseif type(value) ~= "table" then
          lines[#lines + 1] = path .. ": " .. type(value)
        end
        local metatable = getmetatable(value)
        if metatable then walk(path .. " (metatable)", metatable) end
      end
      walk("_G", _G)
      local values = {
        string = "", number = 1, boolean = true, ["function"] = print, light = null,
        object = self, face = class "Bank.Cage", static = class("Bank.Cage").static,
        module = module "Bank", thread = coroutine.create(print), live = live(self),
        weak = weak(self), token = task(function() end), listing = typeof(self),
        integers = 0xFFFFFFFFFFFFFFFF,
      }
      for name, value in next, values do
        local metatable = getmetatable(value)
        lines[#lines + 1] = "metatable of " .. name .. ": " .. type(metatable)
        if type(metatable) == "table" then walk("metatable of " .. name, metatable) end
      end
      for name in pairs(string) do assert((""):find("") and (""  )[name] == string[name]) end
      table.sort(lines)
      return table.concat(lines, "\\n")
      """

    @Test func `a script reaches what is on the list and nothing else`() throws {
      let outcome = try HostileOutcome.of(Self.walk)
      expectEqual(outcome.faults, [])
      let found = (outcome.answers.first ?? "").split(separator: "\n").map(String.init)
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Reachable.txt")
      let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .map(String.init)
      let more = Set(found).subtracting(known).sorted()
      let less = Set(known).subtracting(found).sorted()
      #expect(more == [], "new: look at each, then add it to \(file.lastPathComponent)")
      expectEqual(less, [])
    }
  }
}
