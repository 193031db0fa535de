// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing test`.
@Suite struct PatchTestsTests {
  private static let patch = """
    patch { name = "overdraft", program = "bankd" }
    local Account = class "bankd.Account"
    function Account:withdraw(amount, memo)
      if amount > self.balance then return false end
      return self:ORIGwithdraw(amount, memo)
    end
    """

  private static let head = """
    local test = require "waxwing.test"
    local describe, it, assert = test.describe, test.it, test.assert
    local Account = class "bankd.Account"
    """

  private func stage(_ tests: String) throws -> Stage {
    let stage = try Stage()
    try stage.write(Self.patch, to: "overdraft/main.lua")
    try stage.write(Self.head + "\n" + tests, to: "overdraft/spec/overdraft_spec.lua")
    return stage
  }

  /// All that the tool says, as it is.
  private func waxwing(_ stage: Stage, _ words: String...) throws -> String {
    let result = try stage.tool(words).run()
    return result.standardOutput + result.standardError
      + (result.isSuccess ? "" : "\(result.status)")
  }

  @Test func `tests run at baseline, with the patch, and when it has ended`() throws {
    let stage = try stage(
      """
      local account
      describe("an account", function()
        test.before_each(function()
          account = Account(1, "Ada", nil)
          account:deposit(100, "salary")
        end)
        test.after_each(function() account = nil end)
        test.baseline("pays out what it does not have", function()
          local paid = account:withdraw(150, "rent")
          assert.is_true(paid)
          return account.balance
        end)
        it("refuses", function()
          assert.is_false(account:withdraw(150, "rent"))
          assert.are.equal(100, account.balance)
        end)
        test.unchanged("pays out what it has", function()
          return account:withdraw(50, "rent"), account.balance
        end)
        test.pending("asks # twice")
      end)
      """)
    try expectEqual(
      waxwing(stage, "test", "overdraft"),
      """
      TAP version 13
      # baseline
      ok 1 - an account pays out what it does not have
      ok 2 - an account pays out what it has
      # patched
      ok 3 - an account refuses
      ok 4 - an account pays out what it has
      ok 5 - an account asks \\# twice # TODO pending
      # restored
      ok 6 - an account pays out what it does not have
      ok 7 - an account pays out what it has
      1..7
      # 0 failures

      """)
    try expectContains(waxwing(stage, "versions"), "all types are at version 0")
    #expect(!(try waxwing(stage, "list")).contains("overdraft"))
  }

  @Test func `a failure has its file and line, and the exit code tells it`() throws {
    let stage = try stage(
      """
      it("fails", function()
        assert.are.same({ 1, 2 }, { 1, 3 })
      end)
      it("raises", function() error("not today") end)
      it("throws", function() class("bankd.Bank").check(-1) end)
      local count = 0
      test.baseline("counts", function()
        count = count + 1
        return count
      end)
      test.unchanged("is the same", function() return Account(1, "A", nil):withdraw(5, "") end)
      """)
    let result = try stage.tool(["test", "overdraft/"]).run()
    #expect(result.status == .exited(1), "\(result)")
    let output = result.standardOutput
    for expected in [
      """
      not ok 3 - fails
        ---
        at: overdraft/spec/overdraft_spec.lua:5
        message: |
          expected {
      """, "  at: overdraft/spec/overdraft_spec.lua:7\n  message: |\n    not today\n",
      "not ok 5 - throws\n  ---\n  at: overdraft/spec/overdraft_spec.lua:8\n",
      "restored, it returns { 2 }; at baseline it returned { 1 }",
      "patched, it returns { false }; at baseline it returned { true }", "# 5 failures\n",
    ] {
      expectContains(output, expected)
    }
    let json = try stage.tool(["test", "overdraft", "--json"]).run()
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
    #expect(document["failures"] as? Int == 5)
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.count == document["tests"] as? Int)
    #expect(results.contains { $0["at"] as? String == "overdraft/spec/overdraft_spec.lua:5" })
    expectEqual(
      Set(results.compactMap { $0["phase"] as? String }), ["baseline", "patched", "restored"])
    try expectContains(waxwing(stage, "versions"), "all types are at version 0")
  }

  @Test func `a patch that is one file has its tests beside it`() throws {
    let stage = try Stage()
    try stage.write(Self.patch, to: "overdraft.lua")
    let none = try waxwing(stage, "test", "overdraft.lua")
    expectContains(none, "overdraft.lua has no tests: overdraft_spec.lua: cannot read it")
    try stage.write(
      Self.head + "\nit('refuses', function() assert(not Account(1, 'A', nil):withdraw(5, '')) end)"
        + "\nit('fails', function() assert(false, 'as it is') end)", to: "overdraft_spec.lua")
    let result = try waxwing(stage, "test", "overdraft.lua")
    expectContains(result, "ok 1 - refuses\nnot ok 2 - fails\n")
    expectContains(result, "  at: overdraft_spec.lua:5\n  message: |\n    as it is\n")
  }

  @Test func `what goes wrong leaves nothing behind`() throws {
    let stage = try stage("it('x', function() end)")
    try stage.write("error('not today')", to: "overdraft/main.lua")
    let refused = try waxwing(stage, "test", "overdraft")
    expectContains(refused, "not today")
    #expect(!(try waxwing(stage, "list")).contains("overdraft"))
    try stage.write(Self.patch, to: "overdraft/main.lua")
    try stage.write("local x = = 1", to: "overdraft/spec/overdraft_spec.lua")
    try expectContains(waxwing(stage, "test", "overdraft"), "error:")
    try stage.write("return 1", to: "overdraft/spec/overdraft_spec.lua")
    try expectContains(waxwing(stage, "test", "overdraft"), "the files declare no test")
    try expectContains(waxwing(stage, "apply", "overdraft"), "applied")
    let live = try waxwing(stage, "test", "overdraft")
    expectContains(live, "overdraft is live in bankd")
    expectContains(live, "exited(4)")
    try expectContains(waxwing(stage, "list"), "overdraft")
  }

  @Test func `assertions hold and fail as their names say`() throws {
    let stage = try stage(
      """
      it("holds", function()
        assert.equal(1, 1) assert.are.equal("a", "a") assert.are_not.equal(1, 2)
        assert.same({ a = { 1 } }, { a = { 1 } }) assert.are.same({}, {}) assert.is_not.same({ 1 }, {})
        assert.is_true(true) assert.is_false(false) assert.is_nil(nil) assert.is_not_nil(0)
        assert.truthy(0) assert.falsy(nil) assert.is.truthy("") assert.near(1, 1.05, 0.1)
        assert.matches("^a.c$", "abc") assert.has_error(function() error("x y") end, "x y")
        assert.has_no.errors(function() end) assert.is_table({}) assert.is_string("") assert(true)
      end)
      local failing = {
        function() assert.equal(1, 2) end, function() assert.are_not.equal(1, 1) end,
        function() assert.same({ 1 }, { 2 }) end, function() assert.is_true(1) end,
        function() assert.is_false(nil) end, function() assert.is_nil(false) end,
        function() assert.is_not_nil(nil) end, function() assert.truthy(false) end,
        function() assert.falsy(0) end, function() assert.near(1, 2, 0.5) end,
        function() assert.matches("^b", "abc") end, function() assert.has_error(function() end) end,
        function() assert.has_error(function() error("x") end, "y") end,
        function() assert.has_no.errors(function() error("x") end) end,
        function() assert.is_table(1) end, function() assert(nil) end,
        function() assert.is_odd(1) end,
      }
      for i, f in ipairs(failing) do
        it("fails " .. i, function()
          if pcall(f) then error("number " .. i .. " holds") end
        end)
      end
      """)
    let result = try waxwing(stage, "test", "overdraft")
    #expect(
      result.contains("\nok 1 - holds\n") && result.contains("1..18\n# 0 failures\n"), "\(result)")
  }
}
