// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

/// `UInt64` values that no Lua integer holds.
@Suite struct LargeIntegerTests {
  let state: TestState

  init() throws { state = try TestState() }

  /// `max` is 2^64 - 1, `big` is 2^63.
  private func text(_ expression: String) throws -> [Value] {
    try state.run(
      """
      local max, big = ...
      local ok, value = pcall(function() return \(expression) end)
      return tostring(value), math.type(value) or type(value)
      """
    ) { writer in
      for value in [UInt64.max, 1 << 63] {
        writer.proxy(
          WAX_PROXY_KIND_UINT64, UnsafeMutableRawPointer(bitPattern: UInt(value)), type: nil)
      }
    }
  }

  static let results: [(String, String, String)] = [
    ("max", "18446744073709551615", "userdata"),
    ("big", "9223372036854775808", "userdata"),
    ("big - 1", "9223372036854775807", "integer"),
    ("max - 1", "18446744073709551614", "userdata"),
    ("1 + big", "9223372036854775809", "userdata"),
    ("max - max", "0", "integer"), ("big - max", "-9223372036854775807", "integer"),
    ("1 - big", "-9223372036854775807", "integer"), ("math.mininteger + big", "0", "integer"),
    ("max * 0", "0", "integer"), ("max * 1", "18446744073709551615", "userdata"),
    ("big * -1", "-9223372036854775808", "integer"),
    ("max // 2", "9223372036854775807", "integer"), ("max % 10", "5", "integer"),
    ("max // -2", "-9223372036854775808", "integer"), ("max % -10", "-5", "integer"),
    ("-7 // big", "-1", "integer"), ("-7 % big", "9223372036854775801", "integer"),
    ("max == max", "true", "boolean"), ("max == big", "false", "boolean"),
    ("max ~= big", "true", "boolean"), ("max == 1", "false", "boolean"),
    ("max > big", "true", "boolean"), ("max > math.maxinteger", "true", "boolean"),
    ("math.mininteger < big", "true", "boolean"), ("big <= big", "true", "boolean"),
    ("big < 9.3e18", "true", "boolean"), ("big > 1.5", "true", "boolean"),
    ("max < 2^64", "true", "boolean"), ("2^64 <= max", "false", "boolean"),
    ("big <= 2^63", "true", "boolean"), ("big + 1 > 2^63", "true", "boolean"),
    ("max < 1/0", "true", "boolean"),
  ]

  @Test(arguments: results)
  func `calculating is exact`(expression: String, text: String, type: String) throws {
    try expectEqual(self.text(expression), [.text(text), .text(type)])
  }

  static let failures: [(String, String)] = [
    ("max + 1", "integer overflow: the result fits neither Int64 nor UInt64"),
    ("max * max", "integer overflow: the result fits neither Int64 nor UInt64"),
    ("math.mininteger - big", "integer overflow: the result fits neither Int64 nor UInt64"),
    ("max // 0", "attempt to perform 'n//0'"), ("max % 0", "attempt to perform 'n%%0'"),
    ("max + 0.5", "attempt to calculate with a UInt64 and a number"),
    ("max + '1'", "attempt to calculate with a UInt64 and a string"),
    ("max < 'a'", "attempt to compare a UInt64 with a string"),
    ("{} < max", "attempt to compare a UInt64 with a table"),
    ("getmetatable(max).__add", "attempt to index a boolean value"),
    ("setmetatable(max, {})", "bad argument #1 to 'setmetatable' (table expected, got UInt64)"),
  ]

  @Test(arguments: failures)
  func `what cannot be calculated is an error`(expression: String, message: String) throws {
    let values = try text(expression)
    guard case .string(let bytes) = values.first else {
      Issue.record("no message")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains(message))
  }

  @Test func `NaN is neither smaller nor larger nor equal`() throws {
    for expression in ["max < 0/0", "max > 0/0", "max == 0/0", "max <= 0/0", "max >= 0/0"] {
      #expect(try text(expression) == [.text("false"), .text("boolean")], "\(expression)")
    }
  }

  @Test func `pointers are compared and printed`() throws {
    let values = try state.run("local a, b, c = ... return a == b, a == c, tostring(a)") { writer in
      for address in [0x10, 0x10, 0x20] {
        writer.proxy(
          WAX_PROXY_KIND_POINTER, UnsafeMutableRawPointer(bitPattern: address), type: nil)
      }
    }
    expectEqual(values, [.boolean(true), .boolean(false), .text("pointer: 0x10")])
  }
}
