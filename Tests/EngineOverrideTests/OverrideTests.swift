// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Every kind of function that has a replacement entry.
  @Suite struct OverrideTests {
    @Test func `a method is overridden, calls its original, and is back after the end`()
      throws
    {
      let account = Account(owner: "Ada")
      expectEqual(account.deposit(10, memo: "a"), 10)
      try withPatch(
        """
        local Account = class "Bank.Account"
        function Account:deposit(amount, memo)
          return self:ORIGdeposit(amount * 10, memo .. "!") + 1
        end
        """
      ) {
        expectEqual(account.deposit(10, memo: "b"), 111)
        expectEqual(account.balance, 110)
        expectEqual(account.tags, ["a", "b!"])
      }
      expectEqual(account.deposit(10, memo: "c"), 120)
    }

    @Test(arguments: [
      "function Account:deposit(n, m) return 7 end",
      "Account['deposit(_:memo:)'] = function(self, n, m) return 7 end",
      "function Account:deposit_memo(n, m) return 7 end",
      "Account['deposit(_: Swift.Int, memo: Swift.String)'] = function() return 7 end",
      "Account['deposit(_: Int, memo: String)'] = function() return 7 end",
      "waxClass{'Bank.Account'}\nfunction deposit_memo(self, n, m) return 7 end",
      "waxClass{'Bank.Account'}\nfunction deposit(self, n, m) return 7 end",
    ])
    func `every spelling of a selector`(declaration: String) throws {
      let account = Account(owner: "Ada")
      try withPatch("local Account = class 'Bank.Account'\n" + declaration) {
        expectEqual(account.deposit(1, memo: ""), 7)
      }
      expectEqual(account.deposit(1, memo: ""), 1)
    }

    @Test func `static and class methods, also beside an instance method`() throws {
      expectEqual(Account.make(owner: "a").owner, "a")
      try withPatch(
        """
        local Account = class "Bank.Account"
        function Account.static:make_owner(owner)
          local made = self:ORIGmake_owner(owner .. "!")
          made.balance = 5
          return made
        end
        Account.static["make(id:)"] = function(self, id) return self:ORIGmake_id(id + 1) end
        """
      ) {
        let made = Account.make(owner: "a")
        #expect(made.owner == "a!" && made.balance == 5)
        expectEqual(Account.make(id: 1).id, 2)
        expectEqual(faults(), [])
      }
      expectEqual(Account.make(id: 1).id, 1)
    }

    @Test func `free functions`() throws {
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.fee(amount) return math.min(Bank.ORIGfee(amount), 100) end
        function Bank.surcharge(amount, rate) return Bank.ORIGsurcharge_rate(amount, rate) * 2 end
        """
      ) {
        expectEqual(fee(500), 5)
        expectEqual(fee(50_000), 100)
        expectEqual(surcharge(10, rate: 0.5), 10)
        expectEqual(faults(), [])
      }
      expectEqual(fee(50_000), 500)
    }

    @Test func `computed properties' getters and setters, and subscripts`() throws {
      let account = Account(owner: "Ada")
      account.tags = ["x", "y"]
      try withPatch(
        """
        local Account = class "Bank.Account"
        function Account.get:title() return "Acct " .. self:ORIGtitle() end
        function Account.set:title(value) self.owner = "set " .. value end
        Account.get["subscript(_:)"] = function(self, i) return self.tags[i + 1] .. "?" end
        """
      ) {
        expectEqual(account.title, "Acct Account of Ada")
        account.title = "Bob"
        expectEqual(account.owner, "set Bob")
        expectEqual(account[1], "y?")
        expectEqual(faults(), [])
      }
      account.title = "Eve"
      #expect(account.owner == "Eve" && account[1] == "y")
    }

    @Test func `initializers, designated, convenience, failable and throwing`() throws {
      try withPatch(
        """
        local Account = class "Bank.Account"
        function Account:init_id_owner(id, owner)
          assert(not pcall(function() return self.owner end))
          local made = self:ORIGinit_id_owner(id + 100, owner .. "!")
          assert(made == self)
          self.balance = 42
        end
        Account["init(checked:)"] = function(self, id)
          if not self["ORIGinit(checked:)"](self, id) then return nil end
          self.owner = "patched"
        end
        Account["init(throwing:)"] = function(self, id) self:ORIGinit_throwing(id) end
        """
      ) {
        let made = Account(id: 1, owner: "Ada")
        #expect(made.id == 101 && made.owner == "Ada!" && made.balance == 42)
        expectEqual(Account(owner: "Bob").owner, "Bob!")
        expectEqual(Savings(id: 1, owner: "Eve").owner, "saver Eve!")
        #expect(Account(checked: -1) == nil)
        expectEqual(Account(checked: 1)?.owner, "patched")
        #expect(throws: BankError.insufficient(-1)) { try Account(throwing: -1) }
        let thrown = try Account(throwing: 3)
        expectEqual(thrown.id, 3)
        expectEqual(faults(), [])
      }
      expectEqual(Account(id: 1, owner: "Ada").id, 1)
    }

    @Test func `an override of an initializer that forgets the original changes nothing`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:init_id_owner(id, owner) kept = self end"
      ) {
        let made = Account(id: 5, owner: "Ada")
        expectEqual(made.id, 5)
        #expect(expectedFault().hasSuffix("did not call the original initializer"))
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `methods, initializers and properties of structs and enums`() throws {
      let point = Point(x: 3, y: 4)
      try withPatch(
        """
        local Point, Large, Kind = class "Bank.Point", class "Bank.Large", class "Bank.Kind"
        function Point:sum(more) return self:ORIGsum(more) * 10 + self.x end
        function Point.get:doubled() return self:ORIGdoubled() + 1 end
        function Point.static:origin(shift) return self:ORIGorigin(shift + 1) end
        function Large:total(more) return self:ORIGtotal(more) + 100 end
        function Kind:label(prefix) return self:ORIGlabel(prefix .. "+") end
        """
      ) {
        expectEqual(point.sum(1), 83)
        expectEqual(point.doubled, 7)
        expectEqual(Point.origin(shift: 1), Point(x: 2, y: 0))
        expectEqual(Large().total(1), 107)
        expectEqual(Kind.savings.label("k"), "k+savings")
        expectEqual(faults(), [])
      }
      expectEqual(point.sum(1), 8)
    }

    @Test func `initializers of structs`() throws {
      try withPatch(
        """
        local Point = class "Bank.Point"
        function Point:init_x_y(x, y) self:ORIGinit_x_y(x * 2, y); self.y = self.y + 0.5 end
        """
      ) {
        #expect(Point(x: 2, y: 3) == Point(x: 4, y: 3.5) || Point(x: 2, y: 3).x == 4)
        let made = Point(x: 2, y: 3)
        #expect(made.x == 4 && made.y == 3.5)
        expectEqual(faults(), [])
      }
    }

    @Test func `mutating methods and setters of structs change the caller's value`() throws {
      try withPatch(
        """
        local Point, Large = class "Bank.Point", class "Bank.Large"
        function Point:scale(factor) self:ORIGscale(factor); self.x = self.x + 1 end
        function Point.set:doubled(value) self:ORIGdoubled(value * 10) end
        function Large:bump(by) self:ORIGbump(by); self.d = "bumped" end
        """
      ) {
        var point = Point(x: 3, y: 4)
        point.scale(by: 5)
        expectEqual(point.x, 16)
        point.doubled = 4
        expectEqual(point.x, 20)
        var large = Large()
        large.bump(4)
        #expect(large.a == 5 && large.d == "bumped")
        expectEqual(faults(), [])
      }
    }

    @Test func `a script may say whether a method is mutating`() throws {
      try withPatch(
        """
        local Point = class "Bank.Point"
        Point["mutating scale(by:)"] = function(self, factor) self:ORIGscale(factor * 2) end
        Point["nonmutating sum(_:)"] = function(self, more) return self:ORIGsum(more) + 1 end
        """
      ) {
        var point = Point(x: 3, y: 4)
        expectEqual(point.sum(1), 9)
        point.scale(by: 5)
        expectEqual(point.x, 30)
        expectEqual(faults(), [])
      }
    }

    @Test func `private methods and private types`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local Account, Hidden = class "Bank.Account", class "Bank.Hidden"
        function Account:secret(n) return self:ORIGsecret(n) + 1 end
        function Hidden:look(by) return self.value * by end
        """
      ) {
        expectEqual(account.usesSecret(2), 7)
        expectEqual(lookAtHidden(3), 30)
        expectEqual(faults(), [])
      }
      expectEqual(lookAtHidden(3), 13)
    }

    @Test func `of two overloads that differ in labels, the other keeps its original`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        "local A = class 'Bank.Account'\nA['rename(to:)'] = function(self, o) self.owner = 'lua' end"
      ) {
        account.rename("plain")
        expectEqual(account.owner, "plain")
        account.rename(to: "x")
        expectEqual(account.owner, "lua")
      }
    }

    @Test func `of two overloads that differ in types, only the named one changes`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        "local A = class 'Bank.Account'\nA['add(_: Swift.Int)'] = function(self, v) return 'lua ' .. v end"
      ) {
        expectEqual(account.add(1), "lua 1")
        expectEqual(account.add("s"), "String s")
      }
    }

    @Test func `an original that calls the same function again finds the override`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        local depth = 0
        function A:factorial(n)
          depth = depth + 1
          local result = self:ORIGfactorial(n)
          return n == 5 and depth or result
        end
        """
      ) {
        expectEqual(account.factorial(5), 5)
        expectEqual(faults(), [])
      }
      expectEqual(account.factorial(5), 120)
    }

    @Test
    func
      `base and subclass, dynamic dispatch, originals of the right class`()
      throws
    {
      let savings = Savings(id: 1, owner: "Eve")
      let checking = Checking(id: 2, owner: "Bob")
      expectEqual(savings.callsDescribe(), "<savings+account>")
      try withPatch(
        """
        local Account, Savings = class "Bank.Account", class "Savings"
        function Account:describe() return "A(" .. self:ORIGdescribe() .. ")" end
        function Savings:describe() return "S(" .. self:ORIGdescribe() .. ")" end
        """
      ) {
        expectEqual(savings.callsDescribe(), "<S(savings+A(account))>")
        expectEqual(checking.callsDescribe(), "<checking+A(account)>")
        expectEqual(Account(owner: "x").describe(), "A(account)")
        expectEqual(faults(), [])
      }
      try withPatch(
        "local S = class 'Savings'\nfunction S:describe() return self:callsInherited() end"
      ) {
        expectEqual(savings.describe(), "savings+account")
        #expect(expectedFault().contains("Bank.Savings has no member `callsInherited`"))
      }
    }

    @Test func `stored properties are read and written by name`() throws {
      let account = Account(owner: "Ada")
      let parent = Account(owner: "Mum")
      account.parent = parent
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe()
          assert(math.type(self.balance) == "integer" and self.owner == "Ada" and self.id == 1)
          assert(self.parent.owner == "Mum" and self.parent.parent == nil)
          assert(self.parent == self.parent and self.parent ~= self)
          self.balance = self.balance + 5
          self.tags = {"a", "b"}
          self.parent = self
          self.observed = 3
          local ok, message = pcall(function() self.id = 7 end)
          assert(not ok and message:find("Bank.Account.id is a `let`", 1, true), message)
          ok, message = pcall(function() self.balance = "x" end)
          assert(not ok and message:find("expected Int, got string", 1, true), message)
          ok, message = pcall(function() return self.ballance end)
          assert(not ok and message:find("did you mean `balance`", 1, true), message)
          ok, message = pcall(function() self.nothing = 1 end)
          assert(not ok and message:find("no property `nothing`", 1, true), message)
          return self.title
        end
        """
      ) {
        expectEqual(account.describe(), "Account of Ada")
        expectEqual(faults(), [])
        #expect(account.balance == 5 && account.tags == ["a", "b"] && account.parent === account)
        expectEqual(account.observations, ["0->3"])
      }
      account.parent = nil
    }

    @Test func `a proxy is one object, methods can be called on it`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:inheritedOnly(n)
          local t = {[self] = "me"}
          assert(t[self:identity()] == "me")
          self:rename_to("Lua")
          assert(self:deposit(3, "x") == 3)
          return self:ORIGinheritedOnly(n) + self:factorial(3)
        end
        """
      ) {
        expectEqual(account.inheritedOnly(1), 8)
        expectEqual(account.owner, "to Lua")
        expectEqual(faults(), [])
      }
    }
  }
}
