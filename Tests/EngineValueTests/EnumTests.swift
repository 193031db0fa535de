// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Enums: cases, payloads, raw values, building.
  @Suite struct EnumTests {
    private let values = EnumValues()

    private func checkFigure(_ figure: Figure, _ sourceLocation: SourceLocation = #_sourceLocation)
    {
      let back = values.figure(figure)
      #expect(back == figure, sourceLocation: sourceLocation)
    }

    private func check() {
      for compass: Compass in [.north, .east, .south, .west] {
        expectEqual(values.compass(compass), compass)
        expectEqual(values.optionalCompass(compass), compass)
      }
      #expect(values.optionalCompass(nil) == nil)
      expectEqual(values.grade(.high), .high)
      let figures: [Figure] = [
        .circle(radius: 2), .rectangle(width: 1, height: -0.5), .named("a long enough name", .west),
        .maybe(nil), .maybe(7), .points([Point(x: 1, y: 2)]), .unit, .empty(()),
      ]
      for figure in figures {
        checkFigure(figure)
        expectEqual(values.optionalFigure(figure), figure)
      }
      #expect(values.optionalFigure(nil) == nil)
      expectEqual(values.figures(figures), figures)
      expectEqual(values.namedFigures(["a": .unit]), ["a": .unit])
      let chain = values.chain(.link(value: 1, next: .link(value: 2, next: .end)))
      expectEqual("\(chain)", "\(Chain.link(value: 1, next: .link(value: 2, next: .end)))")
      let tree = values.tree(.node(.leaf, 3, .node(.leaf, 4, .leaf)))
      expectEqual("\(tree)", "\(Tree<Int>.node(.leaf, 3, .node(.leaf, 4, .leaf)))")
      for value: Int?? in [nil, .some(nil), 5] { expectEqual(values.deepOptional(value), value) }
      let deep: [Int???] = [nil, .some(nil), .some(.some(nil)), 5]
      expectEqual(values.deeperOptional(deep), deep)
      expectEqual(values.distances([.north: 1, .west: 4]), [.north: 1, .west: 4])
      expectEqual(values.distances([:]), [:])
    }

    @Test func `enums of every layout go through overrides and originals`() throws {
      let alive = Census.accounts.alive
      check()
      let names = [
        "compass", "optionalCompass", "grade", "optionalFigure", "figures", "namedFigures",
        "holder", "tree", "chain", "deepOptional", "deeperOptional", "distances",
      ]
      for body in ["return v", "return self:ORIGNAME(v)"] {
        let text = (names + ["figure"]).map {
          "E[\"\($0)(_:)\"] = function(self, v) \(body.replacing("NAME", with: $0 + "(v)")) end"
            .replacing("ORIG\($0)(v)(v)", with: "ORIG\($0)(v)")
        }
        try withPatch("local E = class 'Bank.EnumValues'\n" + text.joined(separator: "\n")) {
          check()
          expectEqual(faults(), [])
        }
      }
      check()
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `case, payload and raw value are readable`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local E = class "Bank.EnumValues"
        E["figure(_:)"] = function(self, f)
          if f.case == "circle" then
            assert(f[1] == 2 and f.radius == 2 and f.width == nil and f[2] == nil)
          elseif f.case == "rectangle" then
            local w, h = unpack(f)
            assert(w == 1 and h == 3 and f.width == 1 and f.height == 3 and f[2] == 3)
          elseif f.case == "named" then
            assert(f[1] == "x" and f[2].case == "west" and tostring(f[2]) == "west")
          elseif f.case == "maybe" then
            assert(f[1] == nil)
          elseif f.case == "points" then
            assert(#f[1] == 1 and f[1][1].x == 5)
          else
            assert((f.case == "unit" or f.case == "empty") and f[1] == nil)
          end
          local ok, message = pcall(function() return f.raduis end)
          assert(not ok and message:find("no member `raduis`.-radius"), message)
          return f
        end
        function E:grade(g) assert(g.rawValue == 20 and g.case == "high") return g end
        function E:holder(h)
          if h.case == "account" then assert(h[1].owner == "Ada") else assert(h.case == "none") end
          return h
        end
        function E:tree(t)
          assert(t.case == "node" and t[1].case == "leaf" and t[2] == 3 and t[3][2] == 4)
          return t[3]
        end
        function E:chain(c)
          assert(c.value == 1 and c.next.value == 2 and c.next.next.case == "end")
          return c.next
        end
        function E:deepOptional(v)
          assert(v == nil or v == 5 or (v.case == "some" and v[1] == nil))
          return v
        end
        """
      ) {
        checkFigure(.circle(radius: 2))
        checkFigure(.rectangle(width: 1, height: 3))
        checkFigure(.named("x", .west))
        checkFigure(.maybe(nil))
        checkFigure(.points([Point(x: 5, y: 0)]))
        checkFigure(.unit)
        checkFigure(.empty(()))
        expectEqual(values.grade(.high), .high)
        if case .account(let account) = values.holder(.account(Account(owner: "Ada"))) {
          expectEqual(account.owner, "Ada")
        } else {
          Issue.record("the account is gone")
        }
        if case .account = values.holder(.none) { Issue.record("an account from nowhere") }
        #expect("\(values.tree(.node(.leaf, 3, .node(.leaf, 4, .leaf))))".contains("4"))
        #expect("\(values.chain(.link(value: 1, next: .link(value: 2, next: .end))))".contains("2"))
        for value: Int?? in [nil, .some(nil), 5] { expectEqual(values.deepOptional(value), value) }
        expectEqual(faults(), [])
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `enums are built in Lua`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local E, Figure = class "Bank.EnumValues", class "Bank.Figure"
        local Compass = class "Bank.Compass"
        local turn = 0
        local made = {
          Figure.circle(4), Figure.circle { radius = 4 }, { case = "circle", radius = 4 },
          { case = "circle", 4 }, Figure.rectangle(1, 2), Figure.rectangle { height = 2, width = 1 },
          Figure.named("n", "east"), Figure.named("n", Compass.east), Figure.maybe(), Figure.maybe(3),
          Figure.points { { x = 1, y = 2 }, { 3, 4 } }, Figure.unit, "unit", Figure.empty(), "empty",
        }
        E["figure(_:)"] = function(self, f) turn = turn + 1 return made[turn] end
        function E:compass(c)
          assert(c == Compass.north and c ~= Compass.south and c ~= "north")
          assert(Figure.circle(1) == Figure.circle(1) and Figure.circle(1) ~= Figure.circle(2))
          return "south"
        end
        function E:optionalCompass(c) return "west" end
        function E:holder(h) return class("Bank.AccountHolder").account(h[1]) end
        function E:chain(c) return { case = "link", value = 9, next = { case = "link", 8, "end" } } end
        function E:tree(t) return { case = "node", "leaf", 7, { case = "node", t, 8, "leaf" } } end
        function E:distances(d)
          assert(d.north == 1 and d[Compass.north] == 1 and d.south == nil and #d == 1)
          d.south = 5
          for k, v in pairs(d) do assert(k.case == "north" or k.case == "south") end
          return { east = 2, [Compass.west] = d.south }
        end
        """
      ) {
        let expected: [Figure] = [
          .circle(radius: 4), .circle(radius: 4), .circle(radius: 4), .circle(radius: 4),
          .rectangle(width: 1, height: 2), .rectangle(width: 1, height: 2), .named("n", .east),
          .named("n", .east), .maybe(nil), .maybe(3),
          .points([Point(x: 1, y: 2), Point(x: 3, y: 4)]), .unit, .unit, .empty(()), .empty(()),
        ]
        for figure in expected {
          let made = values.figure(.unit)
          expectEqual(made, figure)
        }
        expectEqual(values.compass(.north), .south)
        expectEqual(values.optionalCompass(nil), .west)
        if case .account(let account) = values.holder(.account(Account(owner: "Ada"))) {
          expectEqual(account.owner, "Ada")
        } else {
          Issue.record("the account is gone")
        }
        expectEqual(
          "\(values.chain(.end))", "\(Chain.link(value: 9, next: .link(value: 8, next: .end)))")
        let tree = Tree<Int>.node(.leaf, 7, .node(.node(.leaf, 1, .leaf), 8, .leaf))
        expectEqual("\(values.tree(.node(.leaf, 1, .leaf)))", "\(tree)")
        expectEqual(values.distances([.north: 1]), [.east: 2, .west: 5])
        expectEqual(faults(), [])
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test(arguments: [
      (
        "'nroth'",
        "expected Bank.Compass, got string \"nroth\", which is none of its cases; did you"
      ),
      ("0", "expected Bank.Compass, got integer 0"),
      ("class('Bank.Figure').unit", "expected Bank.Compass, got a value of type Bank.Figure"),
      ("{ kind = 'north' }", "a table without a `case`"),
      ("{ case = 'north', 5 }", "a table with a value [1]: it has 0"),
      ("class('Bank.Figure').circle('x')", "expected Double at radius, got string \"x\""),
      ("class('Bank.Figure').circle(1, 2)", "expected 1 value for Bank.Figure.circle, got 2"),
      ("class('Bank.Figure').circle()", "expected Double at radius, got no value for `circle`"),
      ("class('Bank.Figure').circle { rad = 1 }", "expected Double at radius, got table"),
      ("class('Bank.Figure').ring(1)", "`ring`"),
    ])
    func `wrong enums are errors that help`(lua: String, message: String) throws {
      try withPatch(
        "local E = class 'Bank.EnumValues'\\nfunction E:compass() return \(lua) end"
          .replacing("\\n", with: "\n")
      ) {
        expectEqual(values.compass(.east), .east)
        let fault = try #require(faults().first)
        #expect(fault.contains(message), "\(fault)")
      }
    }

    @Test func `a raw value is never taken for a case`() throws {
      try withPatch(
        """
        local E = class "Bank.EnumValues"
        function E:grade(g) return 20 end
        E["figure(_:)"] = function(self, f) return "circle" end
        """
      ) {
        expectEqual(values.grade(.low), .low)
        checkFigure(.unit)
        #expect(expectedFault().contains("expected Bank.Grade, got integer 20"))
        #expect(
          expectedFault(1).contains("a case with a payload; build it: Bank.Figure.circle(radius)"))
      }
    }

    /// With the original, and with the function itself, called by name.
    @Test(arguments: ["ORIG", ""])
    func `enums of one case travel as their payload`(prefix: String) throws {
      func check() {
        let scale = Scale()
        expectEqual(scale.weigh(.grams(1.5), 4), .grams(6))
        expectEqual(
          scale.add(.items([1, 2], sum: 1 << 100), ["a": 7, "b": 9], 5),
          .items([1, 2, 7, 9], sum: 1 << 100 + 5))
        expectEqual(scale.tie(.tied(5), .holding(2.5), 7), .tied(262))
      }
      check()
      try withPatch(
        """
        local Scale = class "Bank.Scale"
        local isInside = false
        for _, name in ipairs { "weigh", "add", "tie" } do
          Scale[name] = function(self, ...)
            if isInside then return self["ORIG" .. name](self, ...) end
            isInside = true
            local result = self["\(prefix)" .. name](self, ...)
            isInside = false
            return result
          end
        end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }
  }
}
