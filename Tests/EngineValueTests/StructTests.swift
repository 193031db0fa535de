// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Structs: made of tables, read by name and position, values.
  @Suite struct StructTests {
    private let values = StructValues()
    private let a = Made.coordinate(2, 20.5)
    private let b = Made.coordinate(-1, 0)

    private func check() {
      expectEqual(values.coordinate(a), a)
      expectEqual(values.optionalCoordinate(a), a)
      #expect(values.optionalCoordinate(nil) == nil)
      for note in [nil, "a note that is long enough"] {
        let segment = Made.segment(a, b, note)
        expectEqual(values.segment(segment), segment)
      }
      let polygon = Made.polygon("p", [a, b], [[a], [], [b, a]])
      expectEqual(values.polygon(polygon), polygon)
      expectEqual(values.nothing(Made.nothing()), Made.nothing())
      for last in [true, false, nil] {
        let gaps = Made.gaps(true, -7, false, -1, .min, last)
        expectEqual(values.gaps(gaps), gaps)
      }
      expectEqual(values.coordinates([a, b]), [a, b])
      expectEqual(values.places([a: "a", b: "b"]), [a: "a", b: "b"])
    }

    @Test func `nested structs with padding go through byte for byte`() throws {
      check()
      let names = [
        "coordinate", "optionalCoordinate", "segment", "polygon", "nothing", "gaps", "coordinates",
        "places",
      ]
      for body in ["return v", "return self:ORIGNAME(v)"] {
        let text = names.map { "function S:\($0)(v) \(body.replacing("NAME", with: $0)) end" }
        try withPatch("local S = class 'Bank.StructValues'\n" + text.joined(separator: "\n")) {
          check()
          expectEqual(faults(), [])
        }
      }
      check()
    }

    @Test func `the length of a collection is what Collection says where its type has no count`()
      throws
    {
      let lengths = Lengths("a")
      func all() -> [Int] {
        [
          lengths.ofCountdown(Countdown(from: 5)), lengths.ofPairwise(Pairwise(["a", "b"])),
          lengths.ofReversed([1, 2, 3].reversed()), lengths.ofPlain(lengths),
        ]
      }
      let text = ["Countdown", "Pairwise", "Reversed", "Plain"].map {
        "function L:of\($0)(value) return #value end"
      }
      try withPatch("local L = class 'Bank.Lengths'\n" + text.joined(separator: "\n")) {
        expectEqual(all(), [5, 4, 3, -1])
        expectEqual(
          faults().map { $0.contains("Bank.Lengths has no `count`, which `#` asks for") },
          [true])
      }
      expectEqual(all(), [-1, -1, -1, -1])
    }

    @Test func `the place of a call is the patch's, and strings are static strings`() throws {
      let text = """
        local L = class 'Bank.Located'
        function L:asked(text)
          if text == "promise" then return self:promise("p") end
          if text == "log" then return self:log("l") end
          if text == "level" then return self:log("l", 3) end
          if text == "given" then return self:promise("g", "café", 7) end
          return self:draw("d")
        end
        """
      try withPatch(text) {
        let located = Located()
        func ends(_ text: String, _ end: String) { expectContains(located.asked(text), end) }
        ends("promise", ".lua:3")
        expectEqual(located.asked("promise").hasPrefix("p "), true)
        ends("log", ".lua:4 ")
        ends("level", ".lua:5 ")
        expectEqual(located.asked("level").hasPrefix("l 3 "), true)
        expectEqual(located.asked("given"), "g café:7")
        expectEqual(faults(), [])
        expectEqual(located.asked("draw"), "draw")
        expectContains(
          faults().joined(),
          "`file` of Bank.Located.draw(_:file:line:): expected String, got nothing")
      }
    }

    @Test func `a copy is a value of its own, and only values have copies`() throws {
      let text = """
        local S = class 'Bank.StructValues'
        function S:coordinate(v)
          local other = copy(v)
          other.x = 7
          assert(other ~= v and copy(v) == v and copy(self, true) == nil)
          local works, message = pcall(copy, self)
          assert(not works and message:find("a struct or an enum, got", 1, true), message)
          return v
        end
        """
      try withPatch(text) {
        expectEqual(values.coordinate(a), a)
        expectEqual(faults(), [])
      }
    }

    @Test func `fields by name and in order; copies are values`() throws {
      let segment = Made.segment(a, b, nil)
      try withPatch(
        """
        local S = class "Bank.StructValues"
        function S:coordinate(c)
          local x, y = unpack(c)
          assert(x == 2 and y == 20.5 and c[1] == 2 and c[2] == 20.5 and c.x == 2 and c.y == 20.5)
          assert(not pcall(function() return c[3] end))
          local ok, message = pcall(function() return c.z end)
          assert(not ok and message:find("no member `z`"), message)
          c.y = 30.25
          return c
        end
        function S:segment(s)
          local from, to, note = unpack(s)
          assert(from == s.from and to == s.to and from ~= to and note == nil)
          s.note = "changed"
          assert(s.note == "changed")
          local copy = self.home
          copy.x = 99
          assert(self.home.x == 0)
          return s
        end
        """
      ) {
        let changed = values.coordinate(a)
        expectEqual(changed, Made.coordinate(2, 30.25))
        expectEqual(a, Made.coordinate(2, 20.5))
        expectEqual(values.segment(segment), Made.segment(a, b, "changed"))
        expectEqual(segment, Made.segment(a, b, nil))
        expectEqual(values.home, Made.coordinate(0, 0))
        expectEqual(faults(), [])
      }
    }

    @Test func `a table becomes a struct`() throws {
      try withPatch(
        """
        local S = class "Bank.StructValues"
        function S:coordinate() return { x = 10, y = 20 } end
        function S:optionalCoordinate() return { 1, 2.5 } end
        function S:segment(s)
          return self:ORIGsegment { from = { x = 1, y = 1 }, to = { 2, 2 } }
        end
        function S:polygon()
          return { name = "n", corners = { { 1, 2 }, { x = 3, y = 4 } }, holes = { {}, { { 5, 6 } } } }
        end
        function S:nothing() return {} end
        function S:gaps() return { true, { 5, false }, -1, 1 << 62 } end
        function S:coordinates() return { { 1, 1 }, { 2, 2 } } end
        function S:places(p)
          assert(p[{ x = 2, y = 20.5 }] == "a" and #p == 1)
          p[{ 3, 3 }] = "three"
          return p
        end
        """
      ) {
        expectEqual(values.coordinate(a), Made.coordinate(10, 20))
        expectEqual(values.optionalCoordinate(nil), Made.coordinate(1, 2.5))
        expectEqual(
          values.segment(Made.segment(a, b, "x")),
          Made.segment(Made.coordinate(1, 1), Made.coordinate(2, 2), nil))
        expectEqual(
          values.polygon(Made.polygon("", [], [])),
          Made.polygon(
            "n", [Made.coordinate(1, 2), Made.coordinate(3, 4)], [[], [Made.coordinate(5, 6)]]))
        expectEqual(values.nothing(Made.nothing()), Made.nothing())
        expectEqual(
          values.gaps(Made.gaps(false, 1, true, 1, 1, true)),
          Made.gaps(true, 5, false, -1, 1 << 62, nil))
        expectEqual(values.coordinates([]), [Made.coordinate(1, 1), Made.coordinate(2, 2)])
        expectEqual(values.places([a: "a"]), [a: "a", Made.coordinate(3, 3): "three"])
        expectEqual(faults(), [])
      }
    }

    @Test(arguments: [
      (
        "{ x = 1 }",
        "expected Bank.Polygon, got a table with the key x; there are `name`, `corners`"
      ),
      ("{ name = 'n', corners = {} }", "got no value for its property `holes`"),
      ("{ name = 'n', corner = {}, holes = {} }", "the key corner; did you mean 'corners'?"),
      ("{ name = 'n', corners = { {1, 2}, {1, 'x'} }, holes = {} }", "Double at corners[2].y, got"),
      (
        "{ name = 'n', corners = {}, holes = { {}, { 7 } } }", "Bank.Coordinate at holes[2][1], got"
      ),
      ("{ name = 'n', corners = {}, holes = { {}, 7 } }", "at holes[2], got integer 7"),
      ("{ 'n', {}, {}, 4 }", "expected Bank.Polygon, got a table with a value [4]: it has 3"),
      (
        "{ name = 'n', corners = {{1, 2, 3}}, holes = {} }",
        "at corners[1], got a table with a value"
      ),
    ])
    func `wrong tables are errors with the path`(lua: String, message: String) throws {
      let polygon = Made.polygon("p", [a], [])
      try withPatch(
        "local S = class 'Bank.StructValues'\nfunction S:polygon() return \(lua) end"
      ) {
        expectEqual(values.polygon(polygon), polygon)
        let fault = try #require(faults().first)
        #expect(fault.contains(message), "\(fault)")
      }
    }

    @Test func `weak and unowned properties are read and written`() throws {
      let alive = Census.accounts.alive
      do {
        let owner = Account(owner: "owner")
        let friend = Account(owner: "friend")
        let holder = ReferenceHolder(owner: owner)
        try withPatch(
          """
          local R = class "Bank.ReferenceHolder"
          function R:probe(step)
            if step == 1 then
              assert(self.friend == nil and self.listener == nil and self.owner.owner == "owner")
              self.friend = self.owner
              self.listener = self.owner
              assert(self.friend == self.owner and self.listener == self.owner)
            elseif step == 2 then
              assert(self.friend.owner == "friend")
              self.owner = self.friend
              self.friend = nil
              assert(self.friend == nil and self.owner.owner == "friend")
            elseif step == 3 then
              local ok, message = pcall(function() return self.raw end)
              assert(not ok and message:find("unowned%(unsafe%)"), message)
            end
            return "done"
          end
          local S = class "Bank.StructValues"
          function S:references(v)
            assert(v.friend == v.account and v.owner.owner == "owner")
            v.friend = nil
            v.label = "changed"
            return v
          end
          """
        ) {
          expectEqual(holder.probe(1), "done")
          let isOwner = holder.friend === owner
          #expect(isOwner)
          expectEqual(holder.listener?.heard(), "heard by owner")
          holder.friend = friend
          expectEqual(holder.probe(2), "done")
          let isFriend = holder.owner === friend
          #expect(isFriend && holder.friend == nil)
          expectEqual(holder.probe(3), "done")
          let changed = values.references(
            WithReferences(account: friend, friend: friend, owner: owner, label: "old"))
          let areSame = changed.account === friend && changed.owner === owner
          #expect(areSame && changed.friend == nil && changed.label == "changed")
          expectEqual(faults(), [])
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `an unowned object that is gone is an error, not a trap`() throws {
      var owner: Account? = Account(owner: "gone")
      guard let holder = owner.map(ReferenceHolder.init) else { return }
      owner = nil
      try withPatch(
        """
        local R = class "Bank.ReferenceHolder"
        function R:probe(step)
          local ok, message = pcall(function() return self.owner end)
          return message
        end
        """
      ) {
        #expect(holder.probe(1).contains("does not exist any more"))
        expectEqual(faults(), [])
      }
      // Its deinitializer must find something to give up.
      let other = Account(owner: "other")
      holder.owner = other
    }
  }
}
