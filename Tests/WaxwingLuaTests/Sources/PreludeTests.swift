// SPDX-License-Identifier: MIT

import Testing

/// The tests of `Lua/PreludeTests.lua`, each with a prelude of its own and a host that keeps a record.
@Suite struct PreludeTests {
  @Test(arguments: try LuaTests.names(in: "PreludeTests"))
  func prelude(name: String) throws {
    let tests = try LuaTests(suite: "PreludeTests")
    let failure = try tests.run(name)
    #expect(failure == nil)
  }

  @Test func `no line of the prelude is left out`() throws {
    let lines = try LuaTests.linesNotRun(
      by: "PreludeTests", in: ["prelude", "classes", "conform", "patching", "captured", "listing"])
    #expect(lines == [])
  }

  @Test func `a failing test is seen as such`() throws {
    let tests = try LuaTests(suite: "PreludeTests")
    #expect(try tests.run("no such test") == "there is no test `no such test`")
  }
}
