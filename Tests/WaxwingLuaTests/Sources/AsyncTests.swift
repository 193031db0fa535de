// SPDX-License-Identifier: MIT

import Testing

/// The tests of `Lua/AsyncTests.lua`, each with a host that simulates tasks and time.
@Suite struct AsyncTests {
  @Test(arguments: try LuaTests.names(in: "AsyncTests"))
  func async(name: String) throws {
    let tests = try LuaTests(suite: "AsyncTests")
    let failure = try tests.run(name)
    #expect(failure == nil)
  }

  @Test func `no line is left out`() throws {
    let lines = try LuaTests.linesNotRun(by: "AsyncTests", in: ["coroutines", "async"])
    #expect(lines == [])
  }
}
