// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import PlainFixture
import Testing
import Waxwing

extension EngineSuite {
  /// What is rare with classes in Lua: initializers that fail or make others, several classes in a line.
  @Suite struct LuaClassEdgeTests {
    private static let names = """
      local Sketch, Book = class "Bank.Sketch", class "Bank.SketchBook"
      local Drawer, Maker = class "Bank.Drawer", class "Bank.EaselMaker"

      """

    @Test func `fields are destroyed once where an initializer fails half-way`() throws {
      try withPatch(
        Self.names + """
          local Half = class("Half", Drawer)
          local Below = class("BelowHalf", Half)
          function Book:run(n)
            local papers = {}
            for i = 1, 5 do papers[i] = "a text that is long enough " .. i end
            for i = 1, n do
              assert(not pcall(Half, { papers = papers }))
              assert(not pcall(Below, { papers = papers }))
              assert(Below{ papers = { "one" } }.papers[1] == "one")
            end
            return n
          end
          """
      ) {
        expectEqual(SketchBook().run(100), 100)
        expectEqual(faults(), [])
      }
    }

    @Test func `an initializer may make another object of its class`() throws {
      try withPatch(
        Self.names + """
          local Node = class("Node", Sketch)
          function Node:init(name)
            self.super:init{ name = name }
            if name ~= "child" then self.child = Node("child") end
          end
          function Node:maker() return self.child and self.child.name or "none" end
          function Book:run(n) self:add(Node("first")) return n end
          """
      ) {
        let book = SketchBook()
        _ = book.run(1)
        let made = book.make(type(of: book.figures[0]))
        expectEqual(made.name, "made")
        let child: String = try WaxwingEngine.call("maker", on: made)
        expectEqual(child, "child")
        expectEqual(faults(), [])
      }
    }

    @Test func `another initializer of the superclass that fails leaves the call its own`() throws {
      let session = try WaxwingEngine.start(
        text: Self.names + """
          local Failing = class("Failing", Sketch)
          local Below = class("FailingBelow", Failing)
          function Failing:init(name) self.super:init{ sized = name == "one" and 1 or 1000 } end
          local Nothing = class("Nothing", Drawer)
          function Nothing:init(name)
            self.super:init{ maybe = name == "none" and "" or name }
            if name == "late" then return nil end
          end
          function Book:run(n)
            self:add(Below("one"))
            self:add(Failing("one"))
            return n
          end
          function Maker:easel() return nil end
          Maker:method("drawer", function() return Nothing("x") end)
          """, name: "test")
      let book = SketchBook()
      _ = book.run(1)
      for figure in book.figures { expectEqual(book.make(type(of: figure)).name, "made") }
      #expect(try WaxwingEngine.list().flatMap(\.overrides).reduce(0) { $0 + $1.errors } > 0)
      let drawer: Drawer = try WaxwingEngine.call("drawer", on: EaselMaker())
      for _ in 0..<3 {
        #expect(Drawer.make(type(of: drawer), "none") == nil)
        #expect(Drawer.make(type(of: drawer), "late") == nil)
        expectEqual(Drawer.make(type(of: drawer), "yes")?.papers, ["yes"])
      }
      try WaxwingEngine.end(session, now: true)
    }

    @Test func `super of a generic method is for the types of the call`() throws {
      try withPatch(
        Self.names + """
          local Wide = class("Wide", Drawer)
          function Wide:width(value) return self.super:width(value) + 1000 end
          Maker:method("drawer", function() return Wide{ papers = {} } end)
          function Maker:easel() return nil end
          """
      ) {
        let drawer: Drawer = try WaxwingEngine.call("drawer", on: EaselMaker())
        expectEqual(narrowWidth(drawer), 1008)
        expectEqual(drawer.width(of: 5), 1064)
        expectEqual(drawer.width(of: Int16(5)), 1016)
        expectEqual(faults(), [])
      }
    }

    @Test func `static requirements are those of the class that is asked`() throws {
      try withPatch(
        Self.names + """
          local Upper = class("UpperLabel", Sketch, { "Bank.Stamped" })
          local Lower = class("LowerLabel", Upper)
          function Upper.static:stamp() return "upper" end
          function Upper.static.get:rank() return 1 end
          function Lower.static:stamp() return "lower of " .. self.super:stamp() end
          function Lower.static.get:rank() return self.super.rank + 1 end
          function Book:run(n)
            self:add(Upper{ name = "u" })
            self:add(Lower{ name = "l" })
            assert(Upper.rank == 1 and Lower.rank == 2 and Lower.stamp() == "lower of upper")
            return n
          end
          """
      ) {
        let book = SketchBook()
        _ = book.run(1)
        let types: [any Any.Type] = book.figures.map { type(of: $0) }
        expectEqual(types.map { postmark($0) }, ["upper 1", "lower of upper 2"])
        expectEqual(faults(), [])
      }
    }

    @Test func `one function in two classes of a line is refused`() throws {
      let error = #expect(throws: WaxwingError.self) {
        try WaxwingEngine.start(
          text: Self.names + """
            local function traced(self) return self.super:area() end
            local A = class("A", Sketch)
            local B = class("B", A)
            A.area = traced
            B.area = traced
            """, name: "test")
      }
      #expect(
        error?.message.contains("the function is already a method of test.A, with which B shares")
          == true)
    }

    @Test func `a class over a class that is live gets none of its overrides`() throws {
      let text = """
        local Shelf, Maker = class "PlainFixture.PlainShelf", class "Bank.EaselMaker"
        local High = class("HighShelf", Shelf)
        function High.get:shout() return self.super.shout .. "+" end
        function Maker:easel() return nil end

        """
      try WaxwingEngine.apply(texts: [(text, "shelves")])
      try WaxwingEngine.apply(
        texts: [
          (
            "patch { version = 2 }\n" + text + """
              local Higher = class("HigherShelf", High)
              Maker:method("higher", function() return Higher() end)
              """, "shelves"
          )
        ])
      let shelf: PlainShelf = try WaxwingEngine.call("higher", on: EaselMaker())
      expectEqual(shelf.shout, "shelf!+")
      try WaxwingEngine.restore(now: true)
      expectEqual(shelf.shout, "shelf!")
    }

    @Test func `a new version takes the classes over that it has`() throws {
      let text = """
        local Sketch, Book = class "Bank.Sketch", class "Bank.SketchBook"
        local One = class("TakenOne", Sketch)
        function One:area() return %d end

        """
      func source(_ version: Int, _ rest: String) -> String {
        "patch { version = \(version) }\n" + text.replacing("%d", with: "\(version)") + rest
      }
      let two = """
        local Two = class("TakenTwo", One)
        function Two:describe() return "two " .. self:area() end
        function Book:run(n)
          self:add(One{ name = "one" })
          self:add(Two{ name = "two" })
          return n
        end
        """
      try WaxwingEngine.apply(texts: [(source(1, two), "taken")])
      let book = SketchBook()
      _ = book.run(1)
      expectEqual(book.figures.map { $0.area() }, [1, 1])
      try WaxwingEngine.apply(texts: [(source(2, ""), "taken")])
      expectEqual(book.figures.map { $0.area() }, [2, 1])
      expectEqual(book.figures[1].describe(), "two 1")
      try WaxwingEngine.restore()
      expectEqual(book.figures.map { $0.area() }, [2, 1])
      expectEqual(book.figures[1].describe(), "two 1")
      try WaxwingEngine.apply(texts: [(source(3, ""), "taken")])
      expectEqual(book.figures.map { $0.area() }, [3, 1])
      expectEqual(book.figures[1].describe(), "two 1")
      try WaxwingEngine.restore(now: true)
      expectEqual(book.figures.map { $0.area() }, [1.5, 1.5])
    }

    @Test func `ORIG outside an override is the program's, also where a class has an override`()
      throws
    {
      try withPatch(
        Self.names + """
          local Own = class("OwnSketch", Sketch)
          function Own:area() return 1 + self.super:area() end
          function Sketch:area() return 100 + self:ORIGarea() end
          Sketch:method("raw", function(self) return self:ORIGarea() end)
          """
      ) {
        let sketch = Sketch(name: "s")
        expectEqual(sketch.area(), 101.5)
        let raw: Double = try WaxwingEngine.call("raw", on: sketch)
        expectEqual(raw, 1.5)
        expectEqual(faults(), [])
      }
    }

    @Test func `the original on another object is not what comes of the call`() throws {
      let session = try WaxwingEngine.start(
        text: Self.names + """
          local Sketch = class "Bank.Sketch"
          Sketch:field("other")
          function Sketch:describe()
            if self.other then
              self.other:ORIGdescribe()
              error("after it")
            end
            return self:ORIGdescribe() .. "!"
          end
          Sketch:method("link", function(self, other) self.other = other end)
          """, name: "test")
      let (one, two) = (Sketch(name: "one"), Sketch(name: "two"))
      try WaxwingEngine.call("link", on: one, two, returning: Void.self)
      expectEqual(one.describe(), "one has area 1.5")
      expectEqual(two.describe(), "two has area 1.5!")
      try WaxwingEngine.end(session)
    }
  }
}
