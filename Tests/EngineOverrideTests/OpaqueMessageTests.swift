// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What is said of opaque values: never by the name of the engine's own type.
  @Suite struct OpaqueMessageTests {
    private static let pack =
      "it is opaque here: it has a parameter pack (`each T`), so the number of its values is not fixed"

    /// Bodies of an override of `joined(_:by:)`, and what each fails with.
    static let uses: [(String, String)] = [
      (
        "return original(self, x, '+')",
        "expected the String that the call came with (\(pack)), got string"
      ),
      (
        "return 'a'",
        "expected the String that the original has returned (\(pack)), got string \"a\""
      ),
      ("return s", "expected String as the original has returned it, got another opaque value"),
      (
        "return s.count",
        "String is opaque here and has no `count`: it can only be passed to the original"
      ),
      ("return s[1]", "String is opaque here and has no subscript: it can only be passed"),
      ("s[1] = 2", "String is opaque here and has no subscript: it can only be passed"),
      ("s.count = 2", "String is opaque here and has no `count`: it can only be passed"),
      ("return #s", "String is opaque here and has no length: it can only be passed"),
      ("return s .. 'a'", "String is opaque here and has no operator `..`: it can only be passed"),
      ("return s < s", "String is opaque here and has no operator `<`: it can only be passed"),
      ("return -s", "String is opaque here and has no prefix operator `-`: it can only be passed"),
      (
        "return original(self, x, s) + 1",
        "String is opaque here and has no operator `+`: it can only be returned"
      ),
      ("return s()", "attempt to call a opaque value (local 's')"),
      ("return self:kept(s)", "an opaque value can only be returned, or passed to the original"),
      ("error(tostring(typeof(s)))", "opaque value"),
      ("error(tostring(s))", "String (opaque)"),
      ("repack(s, {1})", "opaque"),
      ("self.stored = s", "got an opaque String"),
      ("return string.rep(s, 2)", "string expected, got opaque"),
    ]

    @Test(arguments: uses)
    func `what cannot be done says so`(body: String, message: String) throws {
      try withPatch("function Unsupported:joined(x, s) \(body) end") {
        expectEqual(Unsupported().joined(1, "a", by: "-"), "-")
        let fault = faults().first ?? "none"
        expectContains(fault, message)
        #expect(!fault.contains("Waxwing"), "\(fault)")
      }
    }

    @Test func `nil for an opaque result says that it is opaque`() throws {
      try withPatch("function Unsupported:maybe(n) return nil end") {
        let isThere = if case .some = Unsupported().maybe(1) { true } else { false }
        #expect(isThere)
        expectContains(
          faults().first ?? "none",
          "expected the Unique? that the original has returned (it is opaque here: ")
        expectContains(faults().first ?? "none", "got nil")
      }
    }
  }
}
