// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What the engine holds a patch to that its manifest says, wherever the patch comes from.
  @Suite struct ManifestTests {
    private let body = """
      local A = class "Bank.Account"
      function A:describe() return "patched" end
      A:after("inheritedOnly(_:)", function() end)
      """

    @Test func `a patch overrides what its manifest lists`() throws {
      let list = "'Bank.Account.describe()', 'Bank.Account.inheritedOnly(_:)'"
      try withPatch("patch { overrides = { \(list) } } \(body)") {
        expectEqual(Account(owner: "Ada").describe(), "patched")
        expectEqual(patches().map(\.origin), [.program])
      }
    }

    @Test func `one more or one less is refused, by its name`() {
      expectEqual(
        refusal("patch { overrides = { 'Bank.Account.describe()' } } \(body)"),
        "refused.lua: the patch overrides Bank.Account.inheritedOnly(_:), which its `overrides` "
          + "does not list")
      expectEqual(
        refusal("patch { overrides = { 'Bank.fee(_:)' } }"),
        "refused.lua: `overrides` lists Bank.fee(_:), which the patch does not override")
      #expect(
        refusal("patch { overrides = {} } \(body)").contains("which its `overrides` does not"))
    }

    @Test func `a capability that nobody gives is refused`() {
      expectEqual(
        refusal("patch { capabilities = { 'network' } }"),
        "refused.lua: the patch asks for the capability `network`, which this host does not grant")
    }

    @Test func `an expired patch is not loaded`() throws {
      #expect(
        refusal("patch { expires = '2020-01-01T00:00:00Z' } \(body)")
          .hasPrefix("refused.lua: the patch expired 2020-01-01T00:00:00Z; it is "))
      try withPatch("patch { expires = '2999-01-01T00:00:00Z', serial = 7 } \(body)") {
        expectEqual(patches().map(\.serial), [7])
        expectEqual(patches().map(\.expires), [32_472_144_000])
      }
    }

    @Test func `a patch for other builds is refused, and both are named`() {
      let message = refusal("patch { build = { '00112233', '44556677' } } \(body)")
      #expect(
        message.hasPrefix("refused.lua: the patch is for build 00112233, 44556677; this is build "))
    }
  }
}
