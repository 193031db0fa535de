// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing

extension EngineSuite {
  /// Superclasses and their members, asked for from Lua.
  @Suite struct SuperclassTests {
    private let animal = Animal(food: "Grass")
    private let deer = Deer(food: "Beef")
    private let bambi = Bambi(food: "Milk")
    private let rabbit = Rabbit(food: "Carrot")

    /// What a script makes of an animal.
    private func meet(_ animal: Animal, _ body: String) throws -> String {
      expectEqual(meetAnimal(animal), "baseline")
      defer { expectEqual(meetAnimal(animal), "baseline") }
      return try withPatch(
        "local bank = module 'Bank'\nfunction bank.meetAnimal(o)\n\(body)\nend"
      ) {
        let text = meetAnimal(animal)
        expectEqual(faults(), [])
        return text
      }
    }

    @Test func `an override of a subclass calls the override of its superclass`() throws {
      #expect(bambi.info() == "Bambi" && deer.info() == "Deer")
      try withPatch(
        """
        local Deer, Bambi = class "Bank.Deer", class "Bank.Bambi"
        function Deer:info() return self:ORIGinfo() .. "Class" end
        function Bambi:info() return self.super:info() .. ":" .. self:ORIGinfo() .. "Class" end
        """
      ) {
        expectEqual(bambi.info(), "DeerClass:BambiClass")
        #expect(deer.info() == "DeerClass" && animal.info() == "Animal")
        expectEqual(faults(), [])
      }
      #expect(bambi.info() == "Bambi" && deer.info() == "Deer")
    }

    @Test func `a method called through super calls what the object's own class overrides`()
      throws
    {
      expectEqual(bambi.sentence(), "deer [bambi]")
      try withPatch(
        """
        local Deer, Bambi = class "Bank.Deer", class "Bank.Bambi"
        function Deer:sentence() return "patched " .. self.super:sentence() end
        function Bambi:word() return self.super:word() .. "!" end
        """
      ) {
        expectEqual(bambi.sentence(), "patched [deer!]")
        expectEqual(deer.sentence(), "patched [deer]")
        expectEqual(animal.sentence(), "[animal]")
        expectEqual(faults(), [])
      }
      expectEqual(bambi.sentence(), "deer [bambi]")
    }

    @Test func `super from outside is the class above the object's own`() throws {
      try expectEqual(meet(bambi, "return o:word() .. ' ' .. o.super:word()"), "bambi deer")
      try expectEqual(meet(deer, "return o:word() .. ' ' .. o.super:word()"), "deer animal")
      let text = try meet(animal, "return select(2, pcall(function() return o.super:word() end))")
      #expect(text.contains("Bank.Animal has no superclass"))
      let again = try meet(bambi, "return o.super:count(1) .. ' ' .. tostring(o.super:ears())")
      expectEqual(again, "01 2")
    }

    @Test func `what an initializer of the superclass has set is there for its methods`() throws {
      try withPatch(
        """
        local Deer, Bambi = class "Bank.Deer", class "Bank.Bambi"
        Bambi:field("bambiFood")
        function Bambi:init(food)
          self:ORIGinit(food .. "!")
          self.bambiFood = "Bambi" .. food
          self.super.notes = "set by way of super"
        end
        function Bambi:meal()
          return self.super:meal() .. " " .. self.bambiFood .. " " .. self.super.food
            .. " " .. self.super.notes
        end
        """
      ) {
        let first = Bambi(food: "Beef")
        let second = Bambi(food: "Grass")
        expectEqual(first.meal(), "AnimalBeef! BambiBeef AnimalBeef! set by way of super")
        expectEqual(second.meal(), "AnimalGrass! BambiGrass AnimalGrass! set by way of super")
        expectEqual(faults(), [])
      }
      expectEqual(Bambi(food: "Beef").meal(), "AnimalBeef?")
    }

    @Test func `a static method of the superclass is found on the subclass`() throws {
      let body = """
        return bank.Bambi.group() .. " " .. bank.Rabbit.group() .. " " .. bank.Animal.group()
        """
      try expectEqual(meet(animal, body), "deer animals animals")
      try withPatch(
        """
        local Animal = class "Bank.Animal"
        function Animal.static:group() return "patched " .. self:ORIGgroup() end
        local bank = module "Bank"
        function bank.meetAnimal(o) \(body) end
        """
      ) {
        expectEqual(meetAnimal(animal), "deer patched animals patched animals")
        #expect(Rabbit.group() == "patched animals" && Bambi.group() == "deer")
        expectEqual(faults(), [])
      }
      expectEqual(Rabbit.group(), "animals")
    }

    @Test func `an override joins the original's string and that of super`() throws {
      try withPatch(
        """
        local Deer = class "Bank.Deer"
        function Deer:word() return self:ORIGword() .. self.super:word() .. self.super:meal() end
        """
      ) {
        expectEqual(deer.word(), "deeranimalAnimalBeef")
        #expect(bambi.word() == "bambi" && animal.word() == "animal")
        expectEqual(faults(), [])
      }
      expectEqual(deer.word(), "deer")
    }

    @Test func `super goes up one class at a time, through overrides and Swift's own`() throws {
      expectEqual(bambi.count(7), "012")
      try withPatch(
        """
        local Animal, Deer, Bambi = class "Bank.Animal", class "Bank.Deer", class "Bank.Bambi"
        function Animal:count(n) return self:ORIGcount(n) .. "a" .. n end
        function Bambi:count(n) return self.super:count(n) .. "b" end
        """
      ) {
        expectEqual(bambi.count(7), "0a71b")
        expectEqual(faults(), [])
      }
      try withPatch(
        """
        local Animal, Deer, Bambi = class "Bank.Animal", class "Bank.Deer", class "Bank.Bambi"
        function Deer:count(n) return self.super:count(n) .. "d" end
        function Bambi:count(n) return self.super:count(n) .. self.super.count(self, n) .. "b" end
        """
      ) {
        expectEqual(bambi.count(7), "0d0db")
        expectEqual(deer.count(7), "0d")
        expectEqual(faults(), [])
      }
      expectEqual(bambi.count(7), "012")
    }

    @Test func `an override of a class is inherited, and its superclass unchanged`() throws {
      func words() -> [String] { [animal, deer, bambi].map { $0.word() } }
      func infos() -> [String] { [animal, deer, bambi].map { $0.sentence() } }
      expectEqual(words(), ["animal", "deer", "bambi"])
      try withPatch(
        """
        local Deer, Bambi = class "Bank.Deer", class "Bank.Bambi"
        function Deer:sentence() return "new" end
        function Bambi:word() return "new bambi" end
        """
      ) {
        expectEqual(words(), ["animal", "deer", "new bambi"])
        expectEqual(infos(), ["[animal]", "new", "new"])
        expectEqual(faults(), [])
      }
      expectEqual(words(), ["animal", "deer", "bambi"])
      expectEqual(infos(), ["[animal]", "deer [deer]", "deer [bambi]"])
    }

    @Test func `overrides of siblings leave each other alone`() throws {
      func all() -> [String] {
        [deer.word(), rabbit.word(), deer.untouched(), rabbit.meal(), deer.count(1)]
      }
      let before = all()
      try withPatch(
        """
        local Deer, Rabbit = class "Bank.Deer", class "Bank.Rabbit"
        function Deer:count(n) return "counted " .. n end
        function Rabbit:word() return "hop" end
        """
      ) {
        expectEqual(all(), ["deer", "hop", "same", "AnimalCarrot", "counted 1"])
        #expect(animal.count(1) == "0" && rabbit.count(1) == "0" && animal.word() == "animal")
        expectEqual(faults(), [])
      }
      expectEqual(all(), before)
    }

    @Test func `properties by way of super: getters, setters, stored ones, structs`() throws {
      let body = """
        o.title = "x"
        local text = o.title .. ", " .. o.super.title
        o.super.title = "y"
        text = text .. ", " .. o.super.title
        o.super.age = 5
        o.age = 6
        text = text .. ", " .. o.notes .. o.super.age
        o.super.place.x = 30.5
        return text .. " " .. o.place.x
        """
      let text = try meet(deer, body)
      expectEqual(text, "deer the x!, the x!, the y, y5>6 6 30.5")
    }

    @Test func `unknown names of super are errors with suggestions`() throws {
      let text = try meet(
        bambi,
        "return select(2, pcall(function() return o.super:owrd() end)) .. '|' "
          + ".. select(2, pcall(function() o.super.tilte = 1 end)) .. '|' "
          + ".. select(2, pcall(function() o.super.food = 'x' end))")
      #expect(text.contains("did you mean `word`"))
      #expect(text.contains("`tilte`"))
      #expect(text.contains("`let`"))
    }

    @Test func `a property that is a tuple is a table, each time`() throws {
      let body = """
        local text = ""
        for _ = 1, 3 do
          text = text .. #o.extent .. o.extent.height .. #bank.Animal.pair .. #o.super.extent
        end
        return text
        """
      try expectEqual(meet(deer, body), "272227222722")
    }

    @Test func `a path through a static property sets it`() throws {
      Animal.favourite = Spot(x: 0, y: 0)
      let text = try meet(
        animal,
        """
        bank.Animal.favourite.x = 9
        local kept = bank.Animal.favourite
        kept.y = 5
        local number, word = table.unpack(bank.Animal.pair)
        return tostring(bank.Animal.favourite.y) .. number .. word
        """)
      expectEqual(text, "0.07seven")
      expectEqual(Animal.favourite, Spot(x: 9, y: 0))
    }
  }
}
