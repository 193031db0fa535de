// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `live(object).property`: collections that are worked on in place.
  @Suite struct LiveTests {
    private func run(_ body: String, _ ledger: Ledger = Ledger()) throws -> (Ledger, [String]) {
      let found = try withPatch(
        "local L = class 'Bank.Ledger'\nfunction L:work(step)\n\(body)\nreturn 'done'\nend"
      ) {
        let result = ledger.work(1)
        if result != "done" { Issue.record("\(faults())") }
        return faults()
      }
      return (ledger, found)
    }

    @Test func `both sides see what the other writes`() throws {
      let (ledger, faults) = try run(
        """
        local v = live(self).entries
        assert(#v == 3 and v[1] == 1 and v[4] == nil and v[0] == nil)
        v[2] = 20
        v[#v + 1] = 4
        v:append(5)
        v:insert(0, 1)
        assert(v:remove(2) == 1)
        assert(self.entries[2] == 20 and #self.entries == 5)
        self.entries = { 7, 8 }
        assert(#v == 2 and v[2] == 8)
        v[2] = nil
        local sum = 0
        for i, x in ipairs(v) do sum = sum + i * x end
        for i, x in pairs(v) do sum = sum + i * x end
        assert(sum == 14 and table.concat(v, " ") == "7")
        assert(self:sum(v) == 7 and self:same(v))
        local t = v:copy()
        t[1] = 100
        assert(v[1] == 7 and copy(v)[1] == 7 and type(t) == "table")
        assert(tostring(v) == "live Bank.Ledger.entries", tostring(v))
        assert(reveal(v) == "live Bank.Ledger.entries (1)", reveal(v))
        """)
      expectEqual(ledger.entries, [7])
      expectEqual(faults, [])
    }

    @Test func `live dictionaries, sets and optionals`() throws {
      let (ledger, faults) = try run(
        """
        local names, marks = live(self).names, live(self).marks
        assert(names.a == 1 and names.count == nil and #names == 1)
        names.count, names.b, names.a = 5, 2, nil
        local seen = {}
        for k, v in pairs(names) do seen[#seen + 1] = k .. v end
        table.sort(seen)
        assert(table.concat(seen, " ") == "b2 count5")
        assert(marks:contains("x") and not marks:contains("y") and #marks == 1)
        assert(marks:insert("y") and not marks:insert("y") and marks:remove("x"))
        assert(self:total(names, marks) == 8)
        local o = live(self).optionals
        assert(o[1] == 1 and o[2] == null and o[3] == nil)
        o[1] = null
        o:append(3)
        """)
      expectEqual(ledger.names, ["b": 2, "count": 5])
      expectEqual(ledger.marks, ["y"])
      expectEqual(ledger.optionals, [nil, nil, 3])
      expectEqual(faults, [])
    }

    @Test func `changes go through the property's observers, once each`() throws {
      let (ledger, faults) = try run(
        """
        local v = live(self).observed
        v:append("a")
        v[2] = "b"
        v[1] = "c"
        assert(not pcall(function() v[9] = "z" end))
        v:removeAll()
        """)
      expectEqual(ledger.observed, [])
      expectEqual(ledger.log, ["0->1", "1->2", "2->2", "2->0"])
      expectEqual(faults, [])
    }

    @Test func `objects in live collections are let go`() throws {
      let alive = Census.accounts.alive
      do {
        let ledger = Ledger()
        ledger.accounts = [Account(owner: "a"), Account(owner: "b"), Account(owner: "c")]
        let (_, faults) = try run(
          """
          local v = live(self).accounts
          assert(v[1].owner == "a")
          local last = v:remove(3)
          assert(last.owner == "c")
          v[1] = v[2]
          assert(v[1] == v[2] and v[1] ~= last)
          v[2] = nil
          """, ledger)
        expectEqual(ledger.accounts.map(\.owner), ["b"])
        expectEqual(faults, [])
        expectEqual(Census.accounts.alive, alive + 1)
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test(arguments: [
      ("live(self).entries[9] = 1", "expected an index from 1 to 4, got integer 9"),
      ("live(self).entries[1] = 'x'", "expected Int at [1], got string \"x\""),
      ("live(self).entries[1] = nil", "nil, which would leave a hole; use `remove`"),
      ("live(self).entries:remove(4)", "expected an index from 1 to 3, got integer 4"),
      ("local x = live(self).entries.sum", "has no `sum`"),
      ("live(self).entries.append(1)", "call its methods with `:`"),
      ("live(self).fixed[1] = 2", "Bank.Ledger.fixed is a `let`: it cannot be changed"),
      ("local x = live(self).count", "only arrays, dictionaries and sets can be live"),
      ("local x = live(self).entris", "has no stored property `entris`; did you mean"),
      ("local x = live(self.entries)", "live takes an object, not a table: a table is a copy"),
      ("live(self).names[1] = 1", "expected String as key, got integer 1"),
      ("live(self).names.a = 'x'", "expected Int at"),
      ("live(self).marks[1] = 'x'", "an assignment, but a set has no indices"),
    ])
    func `wrong uses are errors that help`(lua: String, message: String) throws {
      let ledger = Ledger()
      try withPatch(
        "local L = class 'Bank.Ledger'\nfunction L:work(step)\n\(lua)\nreturn 'done'\nend"
      ) {
        expectEqual(ledger.work(1), "1")
        let fault = try #require(faults().first)
        #expect(fault.contains(message), "\(fault)")
      }
      #expect(ledger.entries == [1, 2, 3] && ledger.names == ["a": 1])
    }
  }
}
