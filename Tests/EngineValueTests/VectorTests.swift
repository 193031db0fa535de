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

    @Test func `an option set is shown by the names of its members, if they tell all of it`() throws
    {
      expectEqual(
        try all(
          "Access.open, Access.most, v.access, Access{}, { 'x', Access.readable }, Access.init_rawValue(0x31)"
        ),
        "Bank.Access(readable, writable) Bank.Access(readable, writable, hidden) Bank.Access(readable) Bank.Access() "
          + "{x,Bank.Access(readable)} Bank.Access(rawValue: 49)")
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

    @Test func `SIMD values have their operators, lane by lane`() throws {
      let vectors = Bearings()
      let (place, counts) = (vectors.place, vectors.counts)
      expectEqual(
        try all(
          "v.place + v.place, v.place * 3, 3 - v.place, v.place / v.place, -v.place, v.place + { 1, 0.5 }"
        ),
        [place + place, place * 3, 3 - place, place / place, -place, place + [1, 0.5]]
          .map { "\($0)" }.joined(separator: " "))
      expectEqual(
        try all(
          """
          v.counts + 1, v.counts - v.counts, v.counts * 3, v.counts / 2, v.counts % 2, -v.counts, v.counts & 1,
          v.counts | 8, v.counts ~ 1, ~v.counts, v.counts << 2, v.counts >> 1
          """),
        [
          counts &+ 1, counts &- counts, counts &* 3, counts / 2, counts % 2, 0 &- counts,
          counts & 1, counts | 8,
          counts ^ 1, ~counts, counts &<< 2, counts &>> 1,
        ].map { "\($0)" }.joined(separator: " "))
      expectEqual(
        try all(
          "v.mask & true, v.mask | true, v.mask ~ true, ~v.mask, v.mask[0], (v.wide + v.wide)[63]"),
        [vectors.mask, [true, true], [false, true], [false, true]].map { "\($0)" }.joined(
          separator: " ")
          + " true 2")
      expectEqual(
        try all(
          "v.place == v.place, v.place == v.place + 1, v.place ~= v.place * 1, v.mask == ~v.mask"),
        "true false false false")
    }

    @Test func `a SIMD value is a list of its lanes, which are read and set from 0`() throws {
      let vectors = Bearings()
      expectEqual(
        try all(
          """
          v:moved{ 5, 6 }, v:moved_all{ { 1, 2 }, v.place }, v:third{ 7, 8, 9 }, v:third(nil), v.place[0], v.bytes[7],
          v.place.y, (function() v.place[1] = 7 v.counts = { 4, 3, 2, 1 } return v.place end)()
          """, vectors),
        "SIMD2<Float>(5.0, 6.0) {SIMD2<Float>(1.0, 2.0),SIMD2<Float>(1.0, 2.0)} 9.0 -1.0 1.0 8 2.0 "
          + "SIMD2<Float>(1.0, 7.0)")
      expectEqual(vectors.place, [1, 7])
      expectEqual(vectors.counts, [4, 3, 2, 1])
    }

    @Test func `what SIMD values cannot do is an error, where Swift would wrap or end the program`()
      throws
    {
      let calls = [
        (
          "v.counts * 2000000000",
          "`*` of Swift.SIMD4<Swift.Int32>: lane 1 has no result: 2 and 2000000000"
        ),
        ("v.counts / 0", "`/` of Swift.SIMD4<Swift.Int32>: lane 0 has no result: 1 and 0"),
        ("v.counts << 32", "lane 0 has no result"),
        ("v.bytes - 2", "lane 0 has no result: 1 and 2"),
        ("v.place % 2", "Swift.SIMD2<Swift.Float> has no operator `%`"),
        ("v.place + v.counts", "expected Swift.SIMD2<Swift.Float>, got a value of type"),
        ("v.place + 'x'", #"expected Swift.SIMD2<Swift.Float>, got string "x""#),
        ("v.place < v.place", "has no operator `<`"),
        ("v.counts + 0.5", "expected Int32"),
        ("v.place[2]", "Swift.SIMD2<Swift.Float> has the lanes 0 to 1: there is no [2]"),
        ("v:moved{ 1, 2, 3 }", "expected 2 lanes of Swift.SIMD2<Swift.Float>, got 3"),
      ]
      for (call, message) in calls {
        expectContains(try all("failure(function() return \(call) end)"), message)
      }
      expectContains(
        try all("failure(function() v.place[-1] = 2 end)"), "there is no [-1]")
    }

    @Test func `the length of a dictionary is its count`() throws {
      expectEqual(
        try all(
          """
          #v:tallies(), #v:sparse(), #v:none(), #v:anything(), #v:anything().b,
          (function() local d = v:tallies() d.c, d.a, d.d = 3, nil, 4 return #d, v:sum(d), d.b, rawlen(d) end)(),
          (function() local n = 0 for _ in pairs(v:sparse()) do n = n + 1 end return n, next(v:none()) end)()
          """), "2 3 0 2 2 3 3 nil")
    }
  }
}
