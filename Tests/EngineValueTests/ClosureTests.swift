// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Closures both ways, while the call lasts that brings them.
  @Suite struct ClosureTests {
    private let closures = Closures()

    @Test func `an override is called with a closure, and calls it`() throws {
      expectEqual(closures.age(10) { $0 + 1 }, 11)
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:age(years, change)
          assert(type(change) == "function")
          return change(years) * 100 + change(1)
        end
        """
      ) {
        let added = 5
        expectEqual(closures.age(10) { $0 + added }, 1506)
        expectEqual(faults(), [])
      }
      expectEqual(closures.age(10) { $0 + 1 }, 11)
    }

    @Test func `an override hands the closure on, or one of its own`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:age(years, change)
          if years > 10 then return self:ORIGage(years, change) end
          return self:ORIGage(years, function(a) return a * 5 end)
        end
        """
      ) {
        expectEqual(closures.age(10) { $0 + 1 }, 50)
        expectEqual(closures.age(11) { $0 + 1 }, 12)
        expectEqual(faults(), [])
      }
      expectEqual(closures.age(10) { $0 + 1 }, 11)
    }

    @Test func `a closure that does not escape cannot be kept or called later`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        local kept
        function C:age(years, change)
          if kept then
            local ok, message = pcall(kept, 1)
            assert(not ok and message:find("does not escape; it can only be called", 1, true), message)
            return -2
          end
          kept = change
          local ok, message = pcall(function() self:keep(change) end)
          assert(not ok and message:find("expected @escaping (Int) -> Int, got a closure that does not escape", 1, true), message)
          return change(years)
        end
        """
      ) {
        let added = 5
        expectEqual(closures.age(10) { $0 + added }, 15)
        expectEqual(closures.age(10) { $0 + added }, -2)
        expectEqual(faults(), [])
      }
    }

    @Test func `closures of all types get their arguments and give back the first`() throws {
      func check() {
        closures.void {
          #expect($0 && $1 == -32 && $2 == 1 << 40 && $3 == 0.5 && $4 == 0.25 && $5 === closures)
        }
        expectEqual(closures.int { a, _, _, _, _, _, _ in a }, 7)
      }
      check()
      let alive = Pledge.census.alive
      try withPatch(
        """
        local C = class "Bank.Closures"
        local count = 0
        for _, name in ipairs { "int", "bool", "int32", "string", "object", "float", "double" } do
          C[name] = function(self, body)
            return self["ORIG" .. name](self, function(value, b, i32, i, f, d, o, ...)
              assert(b == true and i32 == -32 and i == 1 << 40 and f == 0.5 and d == 0.25)
              assert(o == self and select("#", ...) == 0)
              local again = body(value, b, i32, i, f, d, o)
              assert(again == value)
              count = count + 1
              return value
            end)
          end
        end
        function C:void(body)
          self:ORIGvoid(function(b, i32, i, f, d, o)
            assert(b == true and i32 == -32 and i == 1 << 40 and f == 0.5 and d == 0.25)
            assert(o == self)
            body(b, i32, i, f, d, o)
            count = count + 1
          end)
        end
        function C:pointer(value, body)
          return self:ORIGpointer(value, function(p, ...)
            count = count + 1
            return body(p, ...)
          end)
        end
        function C:run(n) return count end
        """
      ) {
        check()
        let address = UnsafeRawPointer(bitPattern: 0x1230)!
        expectEqual(closures.pointer(address) { v, _, _, _, _, _, _ in v }, address)
        expectEqual(closures.int { v, _, _, _, _, _, _ in v }, 7)
        #expect(closures.bool { v, _, _, _, _, _, _ in v } == true)
        expectEqual(closures.int32 { v, _, _, _, _, _, _ in v }, -9)
        expectEqual(closures.string { v, _, _, _, _, _, _ in v }, "a string that is long enough")
        expectEqual(closures.object { v, _, _, _, _, _, _ in v }.number, 3)
        expectEqual(closures.float { v, _, _, _, _, _, _ in v }, 1.5)
        expectEqual(closures.double { v, _, _, _, _, _, _ in v }, 2.5)
        expectEqual(closures.run(0), 10)
        expectEqual(faults(), [])
      }
      check()
      expectEqual(Pledge.census.alive, alive)
    }

    @Test func `nil, tables and several arguments`() throws {
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:generic(numbers, bodies)
          local seen = {}
          local results = self:ORIGgeneric(numbers, { function(o, n, text)
            seen[#seen + 1] = n .. "=" .. tostring(text)
            assert(o == self)
            return bodies[1](o, n, text) * 10
          end })
          assert(table.concat(seen, " ") == "1=nil 2=2 3=3", table.concat(seen, " "))
          return results
        end
        function C:each(numbers, body)
          local lines = {}
          self:ORIGeach(numbers, function(n, text) lines[#lines + 1] = n .. text end)
          body(#lines, table.concat(lines, ","))
        end
        """
      ) {
        let generic = closures.generic([1, 2, 3], [{ _, n, text in text == nil ? -n : n }])
        expectEqual(generic, [-10, 20, 30])
        var lines = ""
        closures.each([1, 2]) { lines += "\($0): \($1)" }
        expectEqual(lines, "2: 1n1,2n2")
        expectEqual(faults(), [])
      }
    }

    @Test func `many arguments, large structs, tuples, variadic ones and inout`() throws {
      func check() {
        let many = closures.many {
          "\([$0, $1, $2, $3, $4, $5, $6, $7]) \([$8, $9, $10, $11, $12, $13, $14, $15, $16]) \($17)"
        }
        expectEqual(
          many, "[1, 2, 3, 4, 5, 6, 7, 8] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] end")
        expectEqual(closures.wide { a, b in b ?? a }, WideRecord(10))
        expectEqual(closures.twoValues { ($0, "x") }, "1 x")
        expectEqual(closures.variadic { $0.count + $1.reduce(0, +) }, 7)
        expectEqual(closures.tupled { $0.0 + $0.1.count + $1 }, 6)
        expectEqual(closures.tupledAll([{ ($0.0 + $1, $0.1) }]), "3 one")
        expectEqual(
          closures.changing {
            $0 += $2
            $1 += "!"
            return true
          }, "4 a string that is long enough! true")
        expectEqual(closures.owning { $0.number + $1.count }, 33)
      }
      check()
      let alive = Pledge.census.alive
      try withPatch(
        """
        local C = class "Bank.Closures"
        local wrapped = 0
        for _, name in ipairs { "many", "wide", "twoValues", "variadic", "tupled", "changing", "owning" } do
          C[name] = function(self, body)
            return self["ORIG" .. name](self, function(...)
              wrapped = wrapped + 1
              return body(...)
            end)
          end
        end
        function C:tupledAll(bodies)
          return self:ORIGtupledAll { function(pair, n)
            assert(pair[1] == 1 and pair[2] == "one" and n == 2)
            wrapped = wrapped + 1
            return bodies[1](pair, n)
          end }
        end
        function C:run(n) return wrapped end
        """
      ) {
        check()
        expectEqual(closures.run(0), 8)
        expectEqual(faults(), [])
      }
      check()
      expectEqual(Pledge.census.alive, alive)
    }

    @Test func `closures that take closures`() throws {
      func check() {
        expectEqual(closures.nested { inner, n in inner(n) + 1 }, 401)
        expectEqual(closures.inner()({ $0 + 1 }), "inner 7")
        expectEqual(closures.innerAll()[0]({ $0 + 1 }), "inner 7")
        expectEqual(closures.takesInner { $0(1, "a") }, "a1")
        expectEqual(closures.maker { a in { b in a + b } }, 11)
      }
      check()
      try withPatch(
        """
        local C = class "Bank.Closures"
        local wrapped, kept = 0
        function C:nested(body)
          return self:ORIGnested(function(inner, n)
            wrapped = wrapped + 1
            if kept then assert(not pcall(kept, 1)) end
            kept = inner
            return body(function(m) return inner(m) end, n)
          end)
        end
        function C:inner()
          local f = self:ORIGinner()
          return function(body) wrapped = wrapped + 1 return f(function(n) return body(n) end) end
        end
        function C:innerAll()
          local f = self:ORIGinnerAll()[1]
          assert(f(function(n) return n * 2 end) == "inner 12")
          return { function(body) wrapped = wrapped + 1 return f(function(n) return body(n) end) end }
        end
        function C:takesInner(outer)
          return self:ORIGtakesInner(function(inner)
            wrapped = wrapped + 1
            return outer(function(n, s) return inner(n, s) end)
          end)
        end
        function C:maker(make)
          return self:ORIGmaker(function(a)
            wrapped = wrapped + 1
            local f = make(a)
            return function(b) return f(b) end
          end)
        end
        function C:run() return wrapped end
        """
      ) {
        check()
        check()
        expectEqual(closures.run(0), 10)
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `Swift closures return strings, dictionaries, objects and nil to Lua`() throws {
      let alive = Pledge.census.alive
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          assert(self:strings()() == "from Swift")
          assert(self:dictionaries()(3).n == 3)
          assert(self:objects()(4).number == 4)
          assert(self:optionalResults()(0) == nil and self:optionalResults()(2) == "2")
          assert(self:adder(5)(n) == n + 5)
          local n, s = self:changers()(3, "x")
          assert(n == "x!" and s == 4)
          assert(self:anys()(1, nil) == 1 and self:anys()(1, "two") == "two")
          local ok, message = pcall(self:failing(), -3)
          assert(not ok and tostring(message):find("insufficient"))
          assert(self:failing()(3) == 3)
          local ok, message = pcall(self:adder(5), "x")
          assert(message:find("argument 1 of a closure (Int) -> Int: expected Int, got string \\"x\\"", 1, true), message)
          local ok, message = pcall(self:adder(5), 1, 2)
          assert(message:find("a closure (Int) -> Int takes 1 argument, got 2", 1, true), message)
          return 1
        end
        function C:wide(body)
          local w = self:ORIGwide(body)
          return self:wides()(w)
        end
        """
      ) {
        expectEqual(closures.run(1), 1)
        expectEqual(closures.wide { a, _ in a }.e, 15)
        expectEqual(faults(), [])
      }
      expectEqual(Pledge.census.alive, alive)
    }

    @Test func `autoclosures, rethrowing functions, errors both ways`() throws {
      func check() throws {
        expectEqual(closures.lazily(true, 5), 5)
        expectEqual(closures.lazily(false, { fatalError("is not asked") }()), -1)
        expectEqual(closures.attempt { "\($0)" }, "7")
        expectEqual(closures.attempt { _ in throw BankError.closed }, "caught closed")
        let sum = closures.rethrowing { 1 }
        expectEqual(sum, 2)
        #expect(throws: BankError.closed) { try closures.rethrowing { throw BankError.closed } }
      }
      try check()
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:lazily(condition, value)
          return self:ORIGlazily(condition, function() return value() end)
        end
        function C:attempt(body)
          return self:ORIGattempt(function(n) return body(n) end)
        end
        function C:rethrowing(body)
          return self:ORIGrethrowing(function() return body() end)
        end
        """
      ) {
        try check()
        expectEqual(faults(), [])
      }
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:attempt(body)
          return self:ORIGattempt(function(n) error("from Lua") end)
        end
        """
      ) {
        expectEqual(closures.attempt { "\($0)" }, "caught test.lua:3: from Lua")
      }
    }
  }
}
