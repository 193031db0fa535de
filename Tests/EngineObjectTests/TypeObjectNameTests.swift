// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Members of the program's whose names type objects have parts of their own for.
  @Suite struct TypeObjectNameTests {
    /// What an expression is, as text.
    func value(_ expression: String, _ declarations: String = "") throws -> String {
      try withPatch(
        """
        local Verb, Phase, Shelf = class "Bank.Verb", class "Bank.Phase", class "Bank.Cupboard"
        local Registrar, Probe = class "Bank.Registrar", class "Bank.VerbProbe"
        \(declarations)
        function Probe:text() return tostring(\(expression)) end
        """
      ) {
        let text = VerbProbe().text()
        expectEqual(faults(), [])
        return text
      }
    }

    @Test(arguments: [
      ("Verb.get.name", "GET"), ("Verb.set.name", "SET"), ("Verb.before.name", "BEFORE"),
      ("Verb.method.name", "METHOD"), ("Verb.static.name", "STATIC"),
      ("Verb.get == Verb{name = 'GET'}", "true"), ("Verb.get == Verb.set", "false"),
      ("patching(Verb).static.type.name", "TYPE"), ("patching(Verb).static.get.name", "GET"),
      ("Phase.get.case", "get"), ("Phase.didSet.case", "didSet"), ("Phase.after.case", "after"),
      ("Phase.field.case", "field"), ("Phase.new.case", "new"),
    ])
    func `a value of the program's comes first`(_ expression: String, _ expected: String) throws {
      expectEqual(try value(expression), expected)
    }

    @Test func `patching gives what a type object has besides`() throws {
      let declarations = """
        local get, static = patching(Verb).get, patching("Bank.Verb").static
        function get:title() return "patched " .. self.name end
        local static_get = patching(static).get
        function static_get:count() return 60 end
        patching(Verb):method("shout", function(self) return self.name .. "!" end)
        """
      expectEqual(
        try value("Verb.get.title .. Verb.count .. Verb.set:shout()", declarations),
        "patched GET60SET!")
      #expect(refusal("local x = patching(class 'Bank.Verb').nothing").contains("has no `nothing`"))
      #expect(refusal("patching(3)").contains("patching takes"))
    }

    @Test func `patching gives what an object or a value has besides its members`() throws {
      let declarations = """
        local Heir = class "Bank.Annexe"
        function Heir:title() return self.super .. " " .. patching(self, "super"):title() end
        """
      let heir = "class('Bank.Annexe')():title()"
      expectEqual(try value("\(heir)", declarations), "attic shed")
      expectEqual(
        try value(
          "class('Bank.Room').cellar.case .. ' ' .. patching(class('Bank.Room').cellar, 'case')"),
        "a room cellar")
      expectContains(
        try value("select(2, pcall(patching, class('Bank.Annexe')(), 'other'))"), "gives no `other`"
      )
    }

    @Test func `a function of the program's is called, and the part is there too`() throws {
      let declarations = """
        function Shelf.get:size() return self:ORIGsize() + 10 end
        function Shelf:get(key) return self:ORIGget(key) + 1 end
        Shelf:method("shout", function(self) return "shout" end)
        Shelf:field("colour", "red")
        """
      let body = """
        (function()
          local shelf = Shelf()
          shelf:set("a", 4)
          Shelf.set(shelf, "b", 5)
          return table.concat({ Shelf.get(shelf, "a"), shelf:get("b"), shelf.size, shelf:shout(),
            Shelf.method(shelf), Shelf.field("x"), shelf.colour, Shelf["get(_:)"](shelf, "c") }, " ")
        end)()
        """
      expectEqual(try value(body, declarations), "5 6 12 shout method field x red 1")
    }

    @Test(arguments: [
      ("Registrar.title(Registrar)", "Registrar"), ("Registrar:title(Registrar)", "Registrar"),
      ("Registrar.title(Shelf)", "Cupboard"), ("Registrar:title(Shelf)", "Cupboard"),
      ("Registrar.either()", "Int"), ("Registrar:either(Registrar)", "Registrar"),
      ("Registrar.count(3)", "3"), ("Registrar:count(3)", "3"),
    ])
    func `a type is an argument where the function takes one`(
      _ expression: String, _ expected: String
    ) throws {
      expectEqual(try value(expression), expected)
    }

    @Test func `where a type may be either, the call is an error`() throws {
      expectContains(
        try value("select(2, pcall(function() return Registrar.either(Registrar) end))"),
        "the type may be an argument here")
    }

    @Test func `the class in an inherited static method of a class in Lua equals the class`() throws
    {
      let declarations = """
        local One = class("One", Registrar)
        function One.static:kind() return tostring(self == Two) .. tostring(self == One) end
        Two = class("Two", One)
        """
      expectEqual(try value("Two.kind() .. ' ' .. One.kind()", declarations), "truefalse falsetrue")
    }

    @Test func `a method does not hide what an extension of a protocol gives the type`() {
      #expect(
        refusal("class 'Bank.Pantry':method('place', function() end)").contains(
          "has a Swift member `place`"))
    }
  }
}
