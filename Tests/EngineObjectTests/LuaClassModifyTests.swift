// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import PlainFixture
import Testing
import Waxwing

extension EngineSuite {
  /// Properties of classes in Lua that Swift changes in place.
  @Suite struct LuaClassModifyTests {
    @Test func `what Swift changes in place goes through the getter and the setter`() throws {
      try withPatch(
        """
        local Easel, Maker = class "Bank.Easel", class "Bank.EaselMaker"
        local Noted = class("Noted", Easel)
        Noted:field("calls", function() return {} end)
        local function note(self, text) self.calls[#self.calls + 1] = text end
        function Noted:log() return table.concat(self.calls, " ") end
        function Noted.get:scale() note(self, "scale") return self.super.scale end
        function Noted.set:scale(value) note(self, "scale=" .. value) self.super.scale = value end
        function Noted.get:tags() note(self, "tags") return self.super.tags end
        function Noted.set:tags(value) note(self, "tags=" .. #value) self.super.tags = value end
        function Noted.get:border() note(self, "border") return self.super.border end
        function Noted.set:border(value) note(self, "border=" .. value) self.super.border = value end
        function Noted.get:width() note(self, "width") return self.super.width end
        function Noted.set:width(value) note(self, "width=" .. value) self.super.width = value end
        function Maker:easel() return Noted() end
        """
      ) {
        let easel = try #require(EaselMaker().easel())
        easel.scale += 1
        easel.tags.append("one")
        easel.border += 1
        easel.width += 2
        expectEqual(faults(), [])
        try expectEqual(
          log(easel), "scale scale=2.0 tags tags=1 border border=1 width scale width=6.0 scale=3.0")
        easel.enlarge()
        #expect(
          try log(easel).hasSuffix(
            "scale scale=4.0 tags tags=2 border border=2 width scale width=9.0 scale=4.5"))
        #expect((easel.scale, easel.tags, easel.borders) == (4.5, ["one", "large"], [1, 2]))
        expectEqual(faults(), [])
      }
    }

    @Test func `it goes through those of the nearest class in Lua`() throws {
      try withPatch(
        """
        local Easel, Maker = class "Bank.Easel", class "Bank.EaselMaker"
        local Upper = class("Upper", Easel)
        local Lower = class("Lower", Upper)
        function Lower.set:scale(value) self.super.scale = value * 10 end
        function Upper.set:scale(value) self.super.scale = value + 1 end
        function Upper.get:tags() return { "upper", table.unpack(self.super.tags) } end
        function Maker:easel() return Lower() end
        """
      ) {
        let easel = try #require(EaselMaker().easel())
        easel.scale += 1
        expectEqual(easel.scale, 21)
        easel[keyPath: \.scale] += 1
        expectEqual(easel.scale, 221)
        easel.tags.append("x")
        expectEqual(easel.tags, ["upper", "upper", "x"])
        #expect(throws: SketchError.tooLarge(222)) { try easel.fail() }
        expectEqual(easel.scale, 2221)
        expectEqual(faults(), [])
      }
    }

    @Test func `classes that are generic have it too`() throws {
      try withPatch(
        """
        local Maker = class "Bank.EaselMaker"
        local Ints, Words = class("Ints", "EaselBox<Int>"), class("Words", "EaselBox<String>")
        function Ints.get:content() return self.super.content + 1 end
        function Words.set:content(word) self.super.content = word .. "!" end
        function Words.get:all() return { "all" } end
        function Maker:box() return Ints(5) end
        function Maker:words() return Words("a word that is long enough") end
        """
      ) {
        let ints = try #require(EaselMaker().box())
        let words = try #require(EaselMaker().words())
        ints.content += 10
        expectEqual(ints.content, 17)
        var other = 3
        ints.swapped(&other)
        #expect((other, ints.content) == (17, 4))
        words.content += " and more"
        expectEqual(words.content, "a word that is long enough and more!")
        var word = "another word that is long enough"
        words.swapped(&word)
        expectEqual(word, "a word that is long enough and more!")
        expectEqual(words.content, "another word that is long enough!")
        words.all.append("b")
        expectEqual(words.all, ["all"])
        expectEqual(faults(), [])
      }
    }

    @Test func `where the vtable alone reaches the accessors`() throws {
      try withPatch(
        """
        local Shelf = class "PlainFixture.PlainShelf"
        local High = class("High", Shelf)
        function High.get:subscript(row, other) return self.super:subscript(row, other) .. row end
        function High.set:subscript(value, row, other)
          self.super[{ row, other }] = value .. other
        end
        function High.set:label(text) self.super.label = text:upper() end
        function High.set:shout(text) self.super.shout = text .. "?" end
        function High.static.set:shelves(count) self.super.shelves = count * 2 end
        local Maker = class "Bank.EaselMaker"
        Maker:method("high", function() return High() end)
        Maker:method("shelves", function()
          High.shelves = 10
          return High.shelves
        end)
        """
      ) {
        let shelf: PlainShelf = try WaxwingEngine.call("high", on: EaselMaker())
        shelf[1, "none"] += "and"
        expectEqual(shelf[1, "other"], "none1andnone1")
        shelf.label += "s"
        expectEqual(shelf.label, "SHELFS")
        shelf.shout += "s"
        expectEqual(shelf.label, "SHELFS!S?")
        let type = type(of: shelf)
        type.shelves += 1
        type.shelves += 1
        expectEqual(PlainShelf.shelves, 6)
        let shelves: Int = try WaxwingEngine.call("shelves", on: EaselMaker())
        #expect((shelves, PlainShelf.shelves) == (20, 20))
        expectEqual(faults(), [])
      }
    }

    @Test func `other patches see what a class in Lua has`() throws {
      try withPatch(
        """
        local Shelf, Maker = class "PlainFixture.PlainShelf", class "Bank.EaselMaker"
        local High = class("High", Shelf)
        function High.get:count() return #self.super + self.super.count * 10 end
        function High.set:count(n) self.super.count = n + 1 end
        function High.get:label() return self.super.label .. "!" end
        function High.get:subscript(row, other) return self.super[{ row, other }] .. row end
        function Maker:easel() return nil end
        Maker:method("high", function() return High() end)
        """
      ) {
        let shelf: PlainShelf = try WaxwingEngine.call("high", on: EaselMaker())
        let other = try WaxwingEngine.start(
          text: """
            class("Bank.EaselMaker"):method("look", function(_, shelf)
              shelf.count = 2
              return table.concat({ #shelf, shelf.count, shelf.label, shelf[{ 5, "x" }] }, " ")
            end)
            """, name: "other")
        let seen: String = try WaxwingEngine.call("look", on: EaselMaker(), shelf)
        expectEqual(seen, "33 33 shelf! x5")
        try WaxwingEngine.end(other)
        expectEqual(faults(), [])
      }
    }

    @Test func `it goes on with living objects, and ends with them`() throws {
      let session = try WaxwingEngine.start(
        text: """
          local Easel, Maker = class "Bank.Easel", class "Bank.EaselMaker"
          local Lasting = class("Lasting", Easel)
          function Lasting.set:scale(value) self.super.scale = value * 10 end
          function Lasting.get:width() return self.super.width + 1 end
          function Maker:easel() return Lasting() end
          """, name: "lasting")
      let easel = try #require(EaselMaker().easel())
      easel.scale += 1
      #expect((easel.scale, easel.width) == (20, 41))
      try WaxwingEngine.end(session)
      easel.scale += 1
      #expect((easel.scale, easel.width) == (210, 421))
      easel.width += 1
      #expect((easel.scale, easel.width) == (2110, 4221))
      try WaxwingEngine.restore(now: true)
      easel.scale += 1
      easel.width += 2
      #expect((easel.scale, easel.width) == (2112, 4224))
      expectEqual(faults(), [])
    }

    private func log(_ easel: Easel) throws -> String {
      try WaxwingEngine.call("log", on: easel)
    }
  }
}
