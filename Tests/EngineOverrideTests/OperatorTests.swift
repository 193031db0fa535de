// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Lua's operators on proxies.
  @Suite struct OperatorTests {
    @Test func `operators call the type's own functions, by the types of both operands`() throws {
      let result = try answer(
        """
        local a, b = desk:vector(1, 2), desk:vector(3, 4)
        local function text(v) return v.x .. "," .. v.y end
        return table.concat({text(a + b), text(b - a), text(a * 2), text(2.5 * a), a * b,
          text(-a), text(b / 2), tostring(a % a)}, "; ")
        """)
      expectEqual(result, "4.0,6.0; 2.0,2.0; 2.0,4.0; 2.5,5.0; 11.0; -1.0,-2.0; 1.5,2.0; true")
    }

    @Test func `values are equal as Swift says, objects if they are one`() throws {
      let result = try answer(
        """
        local a, b = desk:vector(1, 2), desk:vector(1, 2)
        local s, t, u = desk:area(2, 6), desk:area(3, 4), desk:area(1, 1)
        local m, n = desk:money(1), desk:money(1)
        return table.concat({tostring(a == b), tostring(a == desk:vector(1, 3)), tostring(a ~= b),
          tostring(s == t), tostring(u < s), tostring(s <= t), tostring(s > u), tostring(s < t),
          tostring(m == n), tostring(m == m), tostring(a == s), tostring(a == m)}, " ")
        """)
      expectEqual(result, "true false false true true true true false false true false false")
    }

    @Test func `classes' operators, inherited too`() throws {
      let result = try answer(
        """
        local m, c = desk:money(1), desk:coin(20)
        return table.concat({(m + c).cents, (c + c).cents, (c + 5).cents, tostring(m < c)}, " ")
        """)
      expectEqual(result, "21 40 25 true")
    }

    @Test func `errors of operators`() throws {
      let missing = try answer(
        "return failure(function() return desk:vector(1, 2) & desk:vector(1, 2) end)")
      expectEqual(missing, "Bank.Vector has no operator `&`; it has `%`, `*`, `+`, `-`, `/`")
      let wrong = try answer("return failure(function() return desk:vector(1, 2) * 'x' end)")
      let named = try answer(
        "return failure(function() local arrow = desk:vector(1, 2) return arrow & 1 end)")
      #expect(
        named.hasPrefix("Bank.Vector (local 'arrow') has no operator `&`; it has"), "\(named)")
      #expect(wrong.contains("no `*` takes (a value of type Bank.Vector, string \"x\"):"))
      let opaque = try answer(
        "return failure(function() return desk:opaque() == desk:opaque() end)")
      expectEqual(opaque, "Bank.Opaque has no operator `==`")
      let thrown = try answer("return failure(function() return desk:vector(1, 2) / 0 end)")
      expectEqual(thrown, "closed")
    }

    @Test(arguments: [
      ("local other return desk:vector(1, 2) + other", "perform arithmetic on", "local 'other'"),
      ("local other return other + desk:vector(1, 2)", "perform arithmetic on", "local 'other'"),
      ("local t = {} return desk:vector(1, 2) * t.other", "perform arithmetic on", "field 'other'"),
      ("local other return desk:money(1) < other", "compare a Swift value with", "local 'other'"),
      ("local other return desk:vector(1, 2) .. other", "concatenate", "local 'other'"),
      (
        "local other return desk:vector(1, 2) | other", "perform bitwise operation on",
        "local 'other'"
      ),
    ])
    func `nil beside a Swift value is called by its name`(body: String, what: String, name: String)
      throws
    {
      let message = try answer("return failure(function() \(body) end)")
      #expect(message.hasSuffix("attempt to \(what) a nil value (\(name))"), "\(message)")
    }
  }
}
