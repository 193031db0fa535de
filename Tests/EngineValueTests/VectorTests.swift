// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Option sets by the names of their members, SIMD values with their operators, the length of dictionaries.
  @Suite struct VectorTests {
    /// What Lua code that has `v`, a `Bank.Bearings`, returns, each value as text.
    private func all(_ code: String, _ vectors: Bearings = Bearings()) throws -> String {
      let patch = """
        local V = class "Bank.Bearings"
        local function text(x)
          if type(x) ~= "table" then return tostring(x) end
          local all = {}
          for i, y in ipairs(x) do all[i] = text(y) end
          return "{" .. table.concat(all, ",") .. "}"
        end
        local function failure(f, ...)
          local _, message = pcall(f, ...)
          return (string.gsub(tostring(message), "^[^:]*:%d+: ", ""))
        end
        local function all(...)
          local found = table.pack(...)
          for i = 1, found.n do found[i] = text(found[i]) end
          return table.concat(found, " ")
        end
        function V:run() local v = self return all(\(code)) end
        """
      return try withPatch(patch) {
        let text = vectors.run()
        expectEqual(faults(), [])
        return text
      }
    }

    @Test func `option sets are named by their members`() throws {
      let vectors = Bearings()
      expectEqual(
        try all(
          """
          v:bits("readable"), v:bits("open"), v:bits("most"), v["bits(_:)"](v, {}), v:bits{ "readable", "hidden" },
          v:bits{ Access.writable, "hidden" }, v:bits_of{ "readable", { "writable", "hidden" } },
          v:bits_in{ a = "writable", b = null }, v:bits(Access{ "writable" }), v:bits{ access = "open" }
          """), "1 3 131 0 129 130 {1,130} 102 2 3")
      expectEqual(
        try all(
          """
          (function() v.access = "hidden" local a = v.access v.access = { "open" } return text(a.names) end)()
          """, vectors), "{hidden}")
      expectEqual(vectors.access, .open)
      try withPatch(
        "local V = class 'Bank.Bearings' function V:granted() return { 'writable', 'hidden' } end"
      ) {
        expectEqual(vectors.granted(), [.writable, .hidden])
        expectEqual(faults(), [])
      }
    }

    @Test func `the names of an option set are those of its members, and the bits that none has`()
      throws
    {
      expectEqual(
        try all(
          "v.access.names, Access.open.names, Access.most.names, Access.init_rawValue(0x31).names, Access{}.names"
        ),
        "{readable} {readable,writable} {readable,writable,hidden} {readable,48} {}")
    }

    @Test func `what is no member of an option set is refused`() throws {
      expectEqual(
        try all("failure(v['bits(_:)'], v, 'readables')"),
        "argument 1 of Bank.Bearings.bits(_:): expected Bank.Access, got string \"readables\", "
          + "which is none of its members; did you mean 'readable'?")
      expectContains(
        try all("failure(v.bits, v, { 'open', 'count' })"),
        "got string \"count\", which is none of its members; there are `hidden`, `most`")
      expectContains(try all("failure(v.bits, v, 1)"), "expected Bank.Access, got integer 1")
    }
  }
}
