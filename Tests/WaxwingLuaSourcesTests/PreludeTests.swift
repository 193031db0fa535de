// SPDX-License-Identifier: MIT

import Testing
import WaxwingLuaSources

/// The tests of `Lua/PreludeTests.lua`, each with a prelude of its own and a host that keeps a record.
@Suite struct PreludeTests {
  @Test(arguments: try LuaTests.names())
  func prelude(name: String) throws {
    let tests = try LuaTests(prelude: LuaSources.prelude)
    let failure = try tests.run(name)
    #expect(failure == nil)
  }

  @Test func `no line of the prelude is left out`() throws {
    let tests = try LuaTests(prelude: LuaSources.prelude)
    for name in try LuaTests.names() { _ = try tests.run(name) }
    let lines = try tests.linesNotRun()
    #expect(lines == [])
  }

  @Test func `a failing test is seen as such`() throws {
    let tests = try LuaTests(prelude: LuaSources.prelude)
    #expect(try tests.run("no such test") == "there is no test `no such test`")
  }
}
