// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Classes that patches make over the program's.
  @Suite struct LuaClassTests {
    /// What Lua makes for Swift is fetched with an override of `SketchBook.run`.
    func under(_ patch: String, _ body: (SketchBook) throws -> Void) throws {
      try withPatch(
        "local Sketch, Book = class 'Bank.Sketch', class 'Bank.SketchBook'\n" + patch
      ) {
        try body(SketchBook())
        expectEqual(faults(), [])
      }
    }

    static let circle = """
      local Circle = class("Circle", Sketch)
      function Circle:init(name, radius)
        self.radius = radius
        self.super:init{name = name}
        self.double = radius * 2
      end
      function Circle:area() return self.double + self.super:area() end
      function Circle.get:title() return "circle " .. self.super.title end
      function Circle:own() return self.name .. self.radius end
      function Book:run(n)
        local circle = Circle("round", n)
        self:add(circle)
        return #circle:own()
      end

      """

    @Test func `methods of a class in Lua are reached from Swift`() throws {
      try under(Self.circle) { book in
        expectEqual(book.run(5), 6)
        try #require(faults() == [])
        let circle = book.figures[0]
        expectEqual(circle.area(), 11.5)
        expectEqual(circle.describe(), "round has area 11.5")
        expectEqual(circle.finalDescribe(), "final round 11.5")
        expectEqual(circle.title, "circle sketch round")
        expectEqual(book.totalArea(), 11.5)
        expectEqual(Sketch(name: "f").area(), 1.5)
        expectEqual(Sketch(name: "f").title, "sketch f")
      }
    }

    @Test func `its objects are ordinary objects`() throws {
      try under(Self.circle) { book in
        expectEqual(book.run(5), 6)
        let circle = book.figures[0]
        #expect(type(of: circle) != Sketch.self)
        expectEqual(String(describing: type(of: circle)), "Circle")
        expectEqual(String(reflecting: type(of: circle)), "test.Circle")
        expectEqual("\(circle)", "test.Circle")
        #expect((circle as Any) is Sketch)
        #expect((circle as Any) as? SketchPolygon == nil)
        let parent = Mirror(reflecting: circle).superclassMirror
        expectEqual(parent?.children.compactMap(\.label), ["name", "scale"])
        #expect(circle.isSame(circle))
        expectEqual([ObjectIdentifier(circle): 1][ObjectIdentifier(circle)], 1)
        book.favourite = circle
        #expect(book.favourite === circle)
        unowned let same = circle
        expectEqual(same.area(), 11.5)
        onThreads(4) { _ in
          for _ in 0..<100 { expectEqual(circle.area(), 11.5) }
        }
      }
    }

    @Test func `Swift makes them by their metatype`() throws {
      try under(
        """
        local Circle = class("Circle", Sketch)
        function Circle:init(name) self.super:init(name .. "!") self.double = 1 end
        function Circle:area() return self.double + self.super:area() end
        function Book:run(n)
          self:add(self:make(Circle))
          self:add(self:makeShort(Circle))
          return 2
        end
        """
      ) { book in
        expectEqual(book.run(5), 2)
        try #require(faults() == [])
        expectEqual(book.figures.map(\.name), ["made!", "short one!"])
        expectEqual(book.figures.map { $0.area() }, [2.5, 2.5])
        let type = type(of: book.figures[0])
        let made = book.make(type)
        expectEqual(made.area(), 2.5)
        expectEqual(made.name, "made!")
        expectEqual(String(describing: made), "test.Circle")
      }
    }

    @Test func `without an initializer of its own it has those of its superclass`() throws {
      try under(
        """
        local Plain = class("Plain", Sketch)
        function Plain:area() return 7 end
        function Book:run(n)
          self:add(Plain{name = "a"})
          self:add(Plain{sized = 3})
          self:add(Plain{maybe = "b"})
          assert(Plain{maybe = ""} == nil)
          local ok, error = pcall(Plain, {sized = 1000})
          assert(not ok, "it did not throw")
          self:add(self:make(Plain))
          return #self.figures
        end
        """
      ) { book in
        expectEqual(book.run(5), 4)
        try #require(faults() == [])
        expectEqual(book.figures.map(\.name), ["a", "sized", "b", "made"])
        expectEqual(book.totalArea(), 28)
        expectEqual(book.figures[1].scale, 3)
      }
    }

    @Test func `a class in Lua has subclasses in Lua`() throws {
      try under(
        """
        local A = class("A", "Bank.SketchPolygon")
        local B = class("B", A)
        local C = class("C", B)
        function C:area() return self.super:area() + 1000 end
        function A:area() return self.super:area() + 10 end
        function A:init(name) self.super:init{name = name .. "A"} self.a = 1 end
        function C:init(name) self.super:init(name .. "C") self.c = self.a + 1 end
        function A:who() return "A" end
        function B:who() return "B" .. self.super:who() end
        function C:corners() return self.c + self.super:corners() end
        function Book:run(n)
          for _, T in ipairs { A, B, C } do self:add(T("n")) end
          return #self.figures[3]:who()
        end
        """
      ) { book in
        expectEqual(book.run(5), 2)
        try #require(faults() == [])
        expectEqual(book.figures.map { $0.area() }, [16, 16, 1016])
        expectEqual(book.figures.map(\.name), ["nA", "nA", "nCA"])
        #expect((book.figures[2] as? SketchPolygon)?.corners() == 6)
        #expect((book.figures[1] as? SketchPolygon)?.corners() == 4)
        expectEqual(SketchPolygon(name: "p").area(), 6)
      }
    }

    @Test func `throwing, async, subscripts, class methods and setters are overridden`()
      async throws
    {
      let patch = """
        local All = class("All", Sketch)
        function All:grow(by)
          if by > 10 then throw("too much") end
          return self.super:grow(by) * 2
        end
        function All:fetch(n)
          sleep(0.001)
          return self.super:fetch(n + 1) .. "!"
        end
        function All.get:subscript(i) return self.super:subscript(i) + 1 end
        function All.static:kind() return "lua " .. self.super.kind() end
        function All.set:scale(value) self.super.scale = value + 1 end
        function Book:run(n)
          self:add(All{name = "all"})
          return 0
        end
        """
      let session = try WaxwingEngine.start(
        text: "local Sketch, Book = class 'Bank.Sketch', class 'Bank.SketchBook'\n" + patch,
        name: "test")
      let book = SketchBook()
      _ = book.run(0)
      expectEqual(faults(), [])
      let all = try #require(book.figures.first)
      try expectEqual(all.grow(by: 2), 6)
      #expect(throws: (any Error).self) { try all.grow(by: 20) }
      await expectEqual(all.fetch(1), "all 2!")
      expectEqual(all[3], 31)
      expectEqual(type(of: all).kind(), "lua plain")
      expectEqual(Sketch.kind(), "plain")
      expectEqual(book.kind(type(of: all)), "lua plainlua plain 0")
      all.scale = 5
      expectEqual(all.scale, 6)
      expectEqual(faults(), [])
      try WaxwingEngine.end(session)
    }

    @Test func `static properties are overridden`() throws {
      try withPatch(
        """
        local Easel, Maker = class "Bank.Easel", class "Bank.EaselMaker"
        local High, Higher = class("HighLevel", Easel)
        Higher = class("HigherLevel", High)
        function High.static.get:level() return self.super.level + 100 end
        function High.static.set:level(n) self.super.level = n * 2 end
        function Higher.static.get:level() return self.super.level + 1000 end
        function Maker:easel() return Higher() end
        Maker:method("levels", function() return { Easel.level, High.level, Higher.level } end)
        Maker:method("raise", function(_, n)
          High.level = n
          return High.level
        end)
        """
      ) {
        Easel.level = 1
        let type = type(of: try #require(EaselMaker().easel()))
        expectEqual(type.level, 1101)
        type.level = 3
        #expect((Easel.level, type.level) == (6, 1106))
        let levels: [Int] = try WaxwingEngine.call("levels", on: EaselMaker())
        expectEqual(levels, [6, 106, 1106])
        let raised: Int = try WaxwingEngine.call("raise", on: EaselMaker(), 10)
        #expect((raised, Easel.level) == (120, 20))
        expectEqual(faults(), [])
      }
    }

    @Test func `super and static methods go up the classes in Lua, and down again`() throws {
      try under(
        """
        local A = class("A", Sketch)
        local B = class("B", A)
        local C = class("C", B)
        function A:chain() return "A" .. self:who() end
        function A:who() return "a" end
        function B:chain() return self.super:chain() .. "B" end
        function C:who() return "c" end
        function C:chain() return self.super:chain() .. "C" end
        function A.static:named(name) return self{name = name} end
        function B.static:named(name) return self.super.named(name .. "!") end
        function Book:run(n)
          self:add(C.named("x"))
          self:add(B:named("y"))
          self:add(A.named("z"))
          local c = self.figures[1]
          assert(c:chain() == "AcBC", c:chain())
          assert(tostring(self.figures[2]):find("B"), tostring(self.figures[2]))
          return 1
        end
        """
      ) { book in
        expectEqual(book.run(0), 1)
        try #require(faults() == [])
        expectEqual(book.figures.map(\.name), ["x!", "y!", "z"])
        expectEqual(book.figures.map { String(describing: type(of: $0)) }, ["C", "B", "A"])
      }
    }

    @Test func `properties of its own are seen by Lua`() throws {
      try under(
        """
        local A = class("A", Sketch)
        local B = class("B", A)
        function A.get:double() return self.value * 2 end
        function A.set:double(n) self.value = n / 2 end
        function B.get:double() return self.super.double + 1 end
        function Book:run(n)
          local a, b = A{name = "a"}, B{name = "b"}
          a.double, b.double = 10, 20
          return a.double * 100 + b.double + a.value + b.value
        end
        """
      ) { book in
        expectEqual(book.run(0), 1036)
      }
    }

    @Test func `a deinitializer runs before the superclass's`() throws {
      Sketch.ends.withLock { $0 = [] }
      try under(
        """
        local Mortal = class("Mortal", Sketch)
        function Mortal:deinit() self.name = "dead " .. self.name .. (self.extra or "") end
        local Deeper = class("Deeper", Mortal)
        function Deeper:deinit() self.name = "deep " .. self.name end
        function Book:run(n)
          local one = Deeper{name = "one"}
          one.extra = "!"
          self:add(one)
          return 0
        end
        """
      ) { book in
        _ = book.run(1)
        try #require(faults() == [])
        expectEqual(book.figures.count, 1)
        _ = try WaxwingEngine.liveObjects()
        book.figures = []
        expectEqual(Sketch.ends.withLock { $0 }, ["end of dead deep one!"])
      }
    }

    @Test func `classes that cannot have subclasses are refused`() {
      func reason(_ text: String) -> String {
        refusal("local Sketch = class 'Bank.Sketch'\n" + text)
      }
      #expect(reason("class('A', 'Bank.SketchPoint')").contains("SketchPoint is `final`"))
      #expect(reason("class('A', 'Bank.SketchError')").contains("is not a class"))
      #expect(reason("class('A', 'Bank.SketchBox')").contains("is generic: write its arguments"))
      #expect(reason("class('A', 'Bank.Skech')").contains("did you mean"))
      #expect(reason("class('A B', Sketch)").contains("the name of a class is a word"))
      #expect(reason("class('A', Sketch) class('A', Sketch)").contains("made twice"))
      #expect(
        reason("local A = class('A', Sketch) function A:area() end function A:area() end")
          .contains("overridden twice in A"))
      #expect(
        refusal("patch { parallel = true }\nclass('A', 'Bank.Sketch')").contains(
          "cannot make classes")
      )
    }

    @Test func `a generic class and an internal one have subclasses`() throws {
      try under(
        """
        local Box = class("LuaBox", "SketchBox<Int>")
        function Box:peek() return self.super:peek() + 100 end
        local S = class("LuaSecret", "Bank.SketchSecret")
        function S:reveal(by) return self.super:reveal(by) * 2 end
        function Book:run(n)
          return self:peek(Box(5)) * 1000 + self:reveal(S(4), 6)
        end
        """
      ) { book in
        expectEqual(book.run(0), 106020)
        try #require(faults() == [])
        expectEqual(book.peek(SketchBox(7)), 8)
      }
    }

    @Test func `an error in Lua lets the superclass answer`() throws {
      try withPatch(
        """
        local Bad = class("Bad", "Bank.Sketch")
        function Bad:area() return "no number" end
        function Bad:describe() error({}) end
        local Worse = class("Worse", "Bank.Sketch")
        function Worse:init() end
        local B = class "Bank.SketchBook"
        function B:run(n)
          self:add(Bad{name = "bad"})
          local made, reason = pcall(Worse)
          assert(not made and reason:find("did not call self.super:init", 1, true), reason)
          self:add(self:make(Worse))
          return 1
        end
        """
      ) {
        let book = SketchBook()
        expectEqual(book.run(0), 1)
        expectEqual(book.figures[0].area(), 1.5)
        expectEqual(book.figures[0].describe(), "bad has area 1.5")
        expectEqual(book.figures[1].name, "made")
        expectEqual(faults().count, 3)
      }
    }
  }
}
