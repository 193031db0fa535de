// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// What calls of methods cost that a class in Lua has.
enum ClassBenchmarks {
  private static let patch = """
    local Meter = class "BenchmarkFixture.Meter"
    local LuaMeter = class("LuaMeter", Meter, { "BenchmarkFixture.Adding" })
    function LuaMeter:add(a, b) return a + b end
    function LuaMeter:sum(a, b) return a + b end
    function Meter.static:make() return LuaMeter() end
    """

  static var all: [Measurement] {
    [
      Measurement(
        "method of a class in Lua, through the vtable", comparedTo: "patched, two integers",
        "lua_pcall from C, two integers", patch: patch
      ) { count in check(Meter.addMany(Meter.make(), count), count) },
      Measurement(
        "method of a class in Lua, through a witness table", comparedTo: "patched, two integers",
        "lua_pcall from C, two integers", patch: patch
      ) { count in check(Meter.addMany(delegate: Meter.make(), count) ?? -1, count) },
      Measurement(
        "the same method of the superclass's objects", comparedTo: "plain function", patch: patch
      ) { count in check(Meter.addMany(Meter(), count), count) },
    ]
  }

  private static func check(_ sum: Int, _ count: Int) {
    precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
  }
}
