// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Methods that patches add to types, called by Lua code.
  @Suite struct AddedMethodTests {
    /// What Lua code makes of a greeter.
    private func present(_ greeter: Greeter, _ patch: String, _ body: String) throws -> String {
      let text = try withPatch(
        """
        local bank = module "Bank"
        local G, P, R = class "Bank.Greeter", class "Bank.PoliteGreeter", class "Bank.RoyalGreeter"
        \(patch)
        bank["present(_:)"] = function(greeter) \(body) end
        """
      ) {
        let text = Bank.present(greeter)
        expectEqual(faults(), [])
        return text
      }
      expectEqual(Bank.present(greeter), "baseline")
      return text
    }

    private let three = """
      G:method("greeting", function(self, n) return "G" .. self.name .. tostring(n) end)
      P:method("greeting", function(self, n) return "P" .. self.super:greeting(n) end)
      R:method("greeting", function(self, n)
        local super = self.super
        return "R" .. super:greeting(n)
      end)
      """

    @Test func `a method is there for instances of the class and of its subclasses`() throws {
      let patch = """
        G:method("greeting", function(self, n, m) return self.name .. self:word() .. n .. tostring(m) end)
        """
      let body = "return greeter:greeting(1)"
      try expectEqual(present(Greeter(name: "a"), patch, body), "ahello1nil")
      try expectEqual(present(RoyalGreeter(name: "b"), patch, body), "bwe greet you1nil")
      try expectEqual(
        present(Greeter(name: "c"), patch, "return G.greeting(greeter, 1, 2)"), "chello12")
    }

    @Test func `a subclass may have its own, and call its superclass's`() throws {
      let body = "return greeter:greeting(1) .. ' ' .. greeter:greeting(2)"
      try expectEqual(present(Greeter(name: "a"), three, body), "Ga1 Ga2")
      try expectEqual(present(PoliteGreeter(name: "b"), three, body), "PGb1 PGb2")
      try expectEqual(present(RoyalGreeter(name: "c"), three, body), "RPGc1 RPGc2")
    }

    @Test func `from outside, super is the superclass of the object's own class`() throws {
      let body = """
        return greeter.super:greeting(1) .. ' ' .. greeter.super.super:greeting(2)
        """
      try expectEqual(present(RoyalGreeter(name: "c"), three, body), "PGc1 Gc2")
    }

    @Test func `a method of super has the whole object`() throws {
      let patch = """
        G:field("notes", "none")
        G:method("greeting", function(self)
          self.notes = self.notes .. "+"
          return self:word() .. self:bye() .. self.notes
        end)
        G:method("bye", function() return " G" end)
        R:method("bye", function() return " R" end)
        """
      try expectEqual(
        present(RoyalGreeter(name: "c"), patch, "return greeter.super:greeting()"),
        "we greet you Rnone+")
    }

    @Test func `a method calls others, itself, and what is not added`() throws {
      let patch = """
        G:method("count", function(self, n) return n == 0 and "" or n .. self:count(n - 1) end)
        G:method("loud", function(self) return string.upper(self:word()) .. self:count(3) end)
        """
      try expectEqual(
        present(PoliteGreeter(name: "p"), patch, "return greeter:loud()"), "GOOD DAY321")
    }

    @Test func `a static method gets the class that it is called on`() throws {
      let patch = """
        G.static:method("make", function(self, name) return self(name):word() .. tostring(self) end)
        """
      try expectEqual(
        present(Greeter(name: "x"), patch, "return G.make('a') .. ' ' .. P:make('b')"),
        "helloBank.Greeter good dayBank.PoliteGreeter")
      try expectEqual(
        present(
          Greeter(name: "x"), patch,
          "return G.static:make('a') .. ' ' .. R.static.make('b')"),
        "helloBank.Greeter we greet youBank.RoyalGreeter")
    }

    @Test func `typeof lists what is added`() throws {
      let patch = three + "\nG.static:method('make', function() end)"
      try expectEqual(
        present(
          RoyalGreeter(name: "c"), patch,
          "return table.concat(typeof(greeter, '(...)').members, '; ')"),
        "func greeting(...); static func make(...)")
      try expectEqual(
        present(
          Greeter(name: "c"), patch, "return table.concat(typeof(P, '(...)').members, '; ')"),
        "func greeting(...); static func make(...)")
    }

    @Test func `structs and enums have methods too, which get the copy`() throws {
      try withPatch(
        """
        local bank = module "Bank"
        local Badge, Mood = class "Bank.Badge", class "Bank.Mood"
        Badge:method("raise", function(self, n) self.level = self.level + n return self end)
        Badge.static:method("of", function(self, title) return self(title, 1) end)
        Mood:method("word", function(self) return self.case .. tostring(self[1]) end)
        bank["present(badge:)"] = function(badge)
          return badge:raise(2):stars() .. badge.level .. Badge.of("x").title
        end
        bank["present(mood:)"] = function(mood) return mood:word() end
        """
      ) {
        let badge = Badge(title: "t", level: 1)
        expectEqual(Bank.present(badge: badge), "***3x")
        expectEqual(badge.level, 1)
        expectEqual(Bank.present(mood: .gloomy(4)), "gloomy4")
        expectEqual(Bank.present(mood: .merry), "merrynil")
        expectEqual(faults(), [])
      }
      expectEqual(Bank.present(mood: .merry), "baseline")
    }

    @Test func `a generic class has them for all its types`() throws {
      try withPatch(
        """
        local bank = module "Bank"
        class("Bank.GuestList"):method("double", function(self) return self:size() * 2 end)
        bank["present(list:)"] = function(list) return tostring(list:double()) end
        """
      ) {
        expectEqual(Bank.present(list: GuestList([1, 2])), "4")
        let number: Int? = try? WaxwingEngine.call("double", on: GuestList(["a"]))
        expectEqual(number, 2)
        expectEqual(faults(), [])
      }
    }

    @Test func `names that are taken, or mean something, are refused`() {
      let greeter = "local G, P = class 'Bank.Greeter', class 'Bank.PoliteGreeter'\n"
      for (line, message) in [
        (
          "G:method('word', print)",
          "Bank.Greeter has a Swift member `word`: a method of that name would hide it; override it, "
            + "or give the method another name"
        ),
        (
          "P:method('welcome', print)",
          "Bank.PoliteGreeter has a Swift member `welcome`: a method of that name would hide it; "
            + "override it, or give the method another name"
        ),
        (
          "G.static:method('kind', print)",
          "Bank.Greeter has a Swift member `kind`: a method of that name would hide it; override it, "
            + "or give the method another name"
        ),
        (
          "G:method('x', print) G:method('x', error)",
          "Bank.Greeter has the method `x` already, from refused.lua:2"
        ),
        ("G:field('x') P:method('x', print)", "`x` is a field that the script has declared"),
        ("G:method('x', print) P:field('x')", "`x` is a method that the script has added"),
        (
          "G:method('x', print) P:method('y', print)",
          "the function is already a method of Bank.Greeter, whose methods Bank.PoliteGreeter shares: "
            + "give each a function of its own"
        ),
        (
          "G:method('ORIGx', print)",
          "`ORIGx` cannot be a method: ORIG followed by a name is an original"
        ),
        (
          "class('Swift.Int'):method('x', print)",
          "values of Swift.Int are plain Lua values and have no methods of the type"
        ),
        (
          "class('Swift.Array'):method('x', print)",
          "values of Swift.Array are plain Lua values and have no methods of the type"
        ),
      ] {
        expectEqual(refusal(greeter + line), "refused.lua:2: " + message)
      }
    }

    @Test func `a typo is an error, whatever was added`() throws {
      let body = """
        local ok, message = pcall(function() return greeter:greting(1) end)
        local _, static = pcall(function() return G.mak(1) end)
        return message .. "\\n" .. static
        """
      let text = try present(
        Greeter(name: "a"), three + "\nG.static:method('make', function() end)", body)
      expectEqual(
        text,
        """
        test.lua:10: Bank.Greeter has no member `greting`; did you mean `greeting`?
        test.lua:11: Bank.Greeter has no member `mak`; did you mean `make`?
        """)
    }

    @Test func `a method that a subclass has in Swift is not hidden`() throws {
      let text = try present(
        RoyalGreeter(name: "r"), "G:method('bow', function() return 'lua' end)",
        "return select(2, pcall(function() return greeter:bow() end))")
      #expect(
        text.contains("`bow` is a method that the script has added to Bank.Greeter, and a Swift"))
    }

    @Test func `a method comes while the patch loads or not at all`() throws {
      try withPatch(
        """
        local G = class "Bank.Greeter"
        function G:word() return select(2, pcall(G.method, G, "late", function() end)) end
        """
      ) {
        expectEqual(
          Greeter(name: "a").word(),
          "test.lua:2: methods are added while the patch loads; `late` comes too late")
      }
    }
  }
}
