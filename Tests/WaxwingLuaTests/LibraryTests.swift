// SPDX-License-Identifier: MIT

import CWaxwingLua
import Expectations
import Testing
import WaxwingLua

@Suite struct LibraryTests {
  private func names(_ table: String, _ libraries: wax_library_libraries) throws -> [String] {
    let state = try TestState(libraries: libraries)
    let values = try state.run(
      """
      local names = {}
      for name in pairs(\(table)) do names[#names + 1] = name end
      table.sort(names)
      return table.concat(names, " ")
      """)
    guard case .string(let bytes) = values.first else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
  }

  @Test func `the safe set is this and nothing else`() throws {
    try expectEqual(
      names("_G", WAX_LIBRARY_LIBRARIES_SAFE),
      [
        "_G", "_VERSION", "assert", "coroutine", "error", "getmetatable", "ipairs", "math", "next",
        "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset", "select", "setmetatable",
        "string", "table", "tonumber", "tostring", "type", "utf8", "waxwing.separately",
        "waxwing.setmetatable", "waxwing.throw", "weak", "xpcall",
      ])
    #expect(try !names("string", WAX_LIBRARY_LIBRARIES_SAFE).contains("dump"))
  }

  @Test(arguments: [
    "io", "os", "debug", "load", "dofile", "loadfile", "require", "package", "print", "warn",
    "collectgarbage",
  ])
  func `dangerous functions are nowhere to be found`(name: String) throws {
    let state = try TestState()
    try expectEqual(state.run("return _G[...], rawget(_G, ...)") { $0.string(name) }, [.nil, .nil])
    let full = try TestState(libraries: WAX_LIBRARY_LIBRARIES_FULL)
    try expectEqual(full.run("return _G[...] ~= nil") { $0.string(name) }, [.boolean(true)])
  }

  @Test func `strings' own metatable gives no way round`() throws {
    let state = try TestState()
    try expectEqual(state.run("return ('x').dump, getmetatable('')"), [.nil, .boolean(false)])
  }
}
