// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Functions that no patch may override.
  @Suite struct ProtectionTests {
    private func protecting<Result>(
      _ selectors: [String], _ body: () throws -> Result
    ) rethrows -> Result {
      WaxwingEngine.policy.protectedSelectors = selectors
      defer { WaxwingEngine.policy = Policy() }
      return try body()
    }

    private static let patch = """
      local A = class "Bank.Account"
      function A:describe() return "patched" end
      """

    @Test(arguments: ["Bank.Account", "Bank.Account.describe", "Bank.*.describe()", "*"])
    func `a protected function is not patched, also not by the program itself`(
      selector: String
    ) throws {
      let account = Account(id: 1, owner: "Ada")
      let plain = account.describe()
      let reason = protecting([selector]) { refusal(Self.patch) }
      expectEqual(
        reason,
        "refused.lua: Bank.Account.describe() may not be patched here: the host protects "
          + "`\(selector)`")
      expectEqual(account.describe(), plain)
      #expect(try WaxwingEngine.restore().endedPatches.isEmpty)
    }

    @Test func `what is not protected is patched, and the protection is for later patches`()
      throws
    {
      let account = Account(id: 1, owner: "Ada")
      try protecting(["Bank.Account.title", "Bank.Savings"]) {
        try withPatch(Self.patch) { expectEqual(account.describe(), "patched") }
      }
    }

    @Test func `an override that is made later is refused as well`() throws {
      let account = Account(id: 1, owner: "Ada")
      try protecting(["Bank.Account.withdraw"]) {
        try withPatch(
          """
          local A = class "Bank.Account"
          function A:describe()
            local ok, why = pcall(function()
              A:before("withdraw(_:)", function() end)
            end)
            return tostring(ok) .. " " .. tostring(why)
          end
          """
        ) {
          let answer = account.describe()
          #expect(
            answer.contains("Bank.Account.withdraw(_:) may not be patched here"), "\(answer)")
          #expect(answer.hasPrefix("false"))
        }
      }
    }

    @Test func `a pattern that is none protects everything`() {
      let reason = protecting(["Bank Account"]) { refusal(Self.patch) }
      expectEqual(
        reason,
        "`protectedSelectors` of the program's policy has 'Bank Account', which is not a pattern")
    }
  }
}
