// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What is off by default.
  @Suite struct CapabilityTests {
    private let account = Account(id: 1, owner: "Ada")

    @Test func `a capability needs the manifest and the host`() {
      #expect(
        refusal("patch { capabilities = { 'unlimited' } }").contains(
          "the patch asks for the capability `unlimited`, which this host does not grant"))
    }

    @Test func `calls without limits`() throws {
      WaxwingEngine.policy.capabilities = [.unlimited]
      defer { WaxwingEngine.policy = Policy() }
      let body = """
        local A = class "Bank.Account"
        function A:describe() for i = 1, 3000000 do end return "done" end
        """
      try withPatch("patch { capabilities = { 'unlimited' } }\n" + body) {
        expectEqual(account.describe(), "done")
      }
      try withPatch(body) { #expect(account.describe() != "done") }
    }

    @Test func `weak tables`() throws {
      let text = "local t = setmetatable({}, { __mode = 'k' })"
      #expect(refusal(text).contains("a script's metatable cannot have `__mode`"))
      WaxwingEngine.policy.capabilities = [.weakTables]
      defer { WaxwingEngine.policy = Policy() }
      try withPatch(
        """
        patch { capabilities = { "weak-tables" } }
        local notes = setmetatable({}, { __mode = "k" })
        local A = class "Bank.Account"
        function A:describe() notes[{}] = 1 return "kept " .. type(notes) end
        """
      ) {
        expectEqual(account.describe(), "kept table")
        expectEqual(faults(), [])
      }
    }
  }
}
