// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Arguments of several kinds, as they fall into registers of several kinds.
  @Suite struct MixtureTests {
    private let mixture = Mixture()
    private let ada = Account(owner: "Ada")
    private let bob = Account(owner: "Bob")

    private func check() {
      let objects = mixture.three(1, ada, mixture, bob)
      let areSame = objects[0] === ada && objects[1] === mixture && objects[2] === bob
      #expect(areSame)
      expectEqual(mixture.objectFirst(ada, Spot(x: 3, y: 4), Large(), bob), "Ada 3.0 4.0 6 Bob")
      expectEqual(mixture.distance(Spot(x: 1, y: 2), Spot(x: 3, y: 5)), 32)
    }

    @Test func `order, classes and kinds of arguments are kept`() throws {
      check()
      try withPatch(
        """
        local M = class "Bank.Mixture"
        function M:three(n, a, b, c)
          assert(n == 1 and a.owner == "Ada" and c.owner == "Bob" and b == self)
          return self:ORIGthree(n, a, b, c)
        end
        function M:objectFirst(a, spot, large, last)
          assert(spot.x == 3 and spot.y == 4 and large.d == "four")
          return self:ORIGobjectFirst(a, spot, large, last)
        end
        function M:distance(a, b) return (b.x - a.x) + (b.y - a.y) * 10 end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `results of every kind, with and without the original`() throws {
      func baseline() {
        expectEqual(mixture.text("t", ada, 7), "t Ada 7")
        let object = mixture.object("t", ada, 7)
        #expect(object.map { $0 === ada } == true)
        expectEqual(mixture.number("t", ada, 7), 7)
      }
      baseline()
      try withPatch(
        """
        local M = class "Bank.Mixture"
        function M:text(text, account, number) return text .. account.owner .. number end
        function M:object(text, account, number) if number > 0 then return account end end
        function M:number(text, account, number) return number * 2 end
        """
      ) {
        expectEqual(mixture.text("t", ada, 7), "tAda7")
        let object = mixture.object("t", bob, 7)
        #expect(object.map { $0 === bob } == true)
        #expect(mixture.object("t", bob, 0).map { $0.owner } == nil)
        expectEqual(mixture.number("t", ada, 7), 14)
        expectEqual(faults(), [])
      }
      try withPatch(
        """
        local M = class "Bank.Mixture"
        for _, name in ipairs { "text", "object", "number" } do
          M[name] = function(self, text, account, number)
            return self["ORIG" .. name](self, text, account, number)
          end
        end
        """
      ) {
        baseline()
        expectEqual(faults(), [])
      }
      baseline()
    }

    @Test func `a table is the dictionary that the function returns`() throws {
      try withPatch(
        "local V = class 'Bank.Values' function V:record() return {str = 'js_string'} end"
      ) {
        #expect(Values().record([:])["str"] as? String == "js_string")
        expectEqual(faults(), [])
      }
      #expect(Values().record([:]).isEmpty)
    }

    @Test func `properties of objects and structs set from Lua are read from both sides`()
      throws
    {
      try withPatch(
        """
        local M = class "Bank.Mixture"
        function M:distance(a, b)
          self.spot = b
          self.spot.x = 30.3
          assert(self.spot == b or self.spot.y == b.y)
          self.account = self.account and nil
          return self.spot.y
        end
        function M:object(text, account) self.account = account return self.account end
        """
      ) {
        expectEqual(mixture.distance(Spot(x: 1, y: 2), Spot(x: 3, y: 5)), 5)
        expectEqual(mixture.spot.y, 5)
        let object = mixture.object("", ada, 1)
        let isSame = object === ada && mixture.account === ada
        #expect(isSame)
        expectEqual(faults(), [])
      }
      expectEqual(mixture.spot.y, 5)
    }

    @Test func `free functions with structs, pointers, objects and numbers`() throws {
      try withPatch(
        """
        local bank = module "Bank"
        local M = class "Bank.Mixture"
        function M:distance(a, b)
          assert(bank.mixtureObject(self.account) == self.account)
          local pointer = bank.mixturePointer(nil)
          assert(pointer == nil)
          bank.mixtureNothing(self)
          return bank.mixtureSum(a, 3, 0.5)
        end
        """
      ) {
        mixture.account = ada
        expectEqual(mixture.distance(Spot(x: 1, y: 2), Spot(x: 3, y: 5)), 6.5)
        expectEqual(mixture.spot.x, -1)
        expectEqual(faults(), [])
      }
    }

    @Test func `a raw pointer's address survives, nil is nil`() throws {
      let pointer = UnsafeRawPointer(bitPattern: UInt.max - 15)
      expectEqual(mixturePointer(pointer), pointer)
      for body in ["return p", "return bank.ORIGmixturePointer(p)"] {
        try withPatch(
          """
          local bank = module "Bank"
          function bank.mixturePointer(p) \(body) end
          """
        ) {
          expectEqual(mixturePointer(pointer), pointer)
          #expect(mixturePointer(nil) == nil)
          expectEqual(faults(), [])
        }
      }
    }

    @Test func `an override that raises only when a flag is set`() throws {
      try expectEqual(mixture.risky(true), "fine")
      try withPatch(
        """
        local M = class "Bank.Mixture"
        function M:risky(flag) if flag then error("test error") end return "patched" end
        """
      ) {
        let text = try mixture.risky(false)
        expectEqual(text, "patched")
        do {
          let text = try mixture.risky(true)
          Issue.record("no error, but \(text)")
        } catch {
          #expect("\(error)".contains("test error"))
        }
      }
      try expectEqual(mixture.risky(true), "fine")
    }

    @Test func `nil for an optional is nil, for anything else an error`() throws {
      let spot = Spot(x: 1, y: 2)
      try withPatch(
        """
        local S = class "Bank.Spot"
        S["nonmutating nearest(_:)"] = function() return nil end
        S["nonmutating moved(by:)"] = function() return nil end
        """
      ) {
        #expect(spot.nearest(spot) == nil)
        expectEqual(spot.moved(by: 1), Spot(x: 2, y: 3))
        #expect(faults().count == 1 && expectedFault().contains("expected Bank.Spot, got nil"))
      }
      expectEqual(spot.nearest(spot), spot)
    }
  }
}
