// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Foundation
import Testing
import WaxwingLua

/// The files in `Lua/`, whose cases follow the official test suite of Lua. Lua's own libraries say
/// whether the cases are right.
@Suite struct LibrarySuiteTests {
  private static let suites = ["PatternTests", "SortTests", "StringTests"]

  private func failures(of suite: String, _ libraries: wax_library_libraries) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("Lua/\(suite).lua")
    let values = try TestState(libraries: libraries)
      .run(try String(contentsOf: file, encoding: .utf8), name: "@\(suite).lua")
    guard case .string(let bytes) = values.first else { return "it returned no text" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: suites)
  func `scripts' functions pass what Lua's own are tested by`(suite: String) throws {
    let failures = try failures(of: suite, WAX_LIBRARY_LIBRARIES_SAFE)
    expectEqual(failures, "")
  }

  @Test(arguments: suites)
  func `so do Lua's own`(suite: String) throws {
    let failures = try failures(of: suite, WAX_LIBRARY_LIBRARIES_FULL)
    expectEqual(failures, "")
  }

  @Test func `an error of the order function leaves the table as it was`() throws {
    let state = try TestState()
    let values = try state.run(
      """
      local list, calls = {}, 0
      for i = 1, 200 do list[i] = 200 - i end
      pcall(table.sort, list, function(a, b)
        calls = calls + 1
        if calls == 500 then error("no more") end
        return a < b
      end)
      for i = 1, 200 do if list[i] ~= 200 - i then return i end end
      return true
      """)
    expectEqual(values, [.boolean(true)])
  }

  @Test func `equal elements keep their order`() throws {
    let state = try TestState()
    let values = try state.run(
      """
      local list = {}
      for i = 1, 1000 do list[i] = {i * 7 % 10, i} end
      table.sort(list, function(a, b) return a[1] < b[1] end)
      for i = 2, 1000 do
        local a, b = list[i - 1], list[i]
        if a[1] > b[1] or a[1] == b[1] and a[2] > b[2] then return i end
      end
      return true
      """)
    expectEqual(values, [.boolean(true)])
  }

  @Test func `the comparisons have a bound whatever they say`() throws {
    let state = try TestState()
    let values = try state.run(
      """
      local most = 0
      for seed = 1, 50 do
        local list, calls, random = {}, 0, seed
        for i = 1, 1024 do list[i] = i end
        pcall(table.sort, list, function()
          calls = calls + 1
          random = (random * 1103515245 + 12345) % 2147483648
          return random >> 16 & 1 == 1
        end)
        most = math.max(most, calls)
      end
      return most <= 1024 * 10 + 1024
      """)
    expectEqual(values, [.boolean(true)])
  }
}
