// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Closures of the rarer kinds, both ways.
  @Suite struct ClosureFormTests {
    private let forms = ClosureForms()

    /// What the body, Lua code that has `self`, a `Bank.ClosureForms`, returns.
    private func lua(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws
      -> String
    {
      try withPatch(
        """
        local Bank, Forms = module "Bank", class "Bank.ClosureForms"
        local Plain, Int = class "Bank.Plain", class "Swift.Int"
        function Forms:run()
          \(body)
        end
        """
      ) {
        let result = forms.run()
        #expect(faults() == [], sourceLocation: sourceLocation)
        return result
      }
    }

    /// Overrides of these methods that pass a Lua function in place of the closure, which calls it.
    private func wrapping(_ names: [String]) -> String {
      """
      local Forms = class "Bank.ClosureForms"
      local count = 0
      function Forms:run() return tostring(count) end
      """
        + names.map { name in
          """

          function Forms:\(name)(body)
            local function own(...) count = count + 1 return body(...) end
            return self:ORIG\(name)(own)
          end
          """
        }.joined()
    }

    @Test func `results of several values, some of which go by address`() throws {
      func check() {
        expectEqual(forms.anyAndInt { ("any", 4) }, "any 4")
        expectEqual(forms.anys { ($0, "any") }, "(3, \"any\")")
        expectEqual(forms.anyAndWide { (WideRecord($0), "any", 2.5) }, "3 5 any 2.5")
        expectEqual(forms.packed { (1, (2, 3)) }, "(1, (2, 3))")
        #expect(forms.packedResult(7).1 == (8, 9))
      }
      check()
      expectEqual(forms.nested { (1, (2, 3), (4.5, "any")) }, "(1, (2, 3), (4.5, \"any\"))")
      try withPatch(
        wrapping(["anyAndInt", "anys", "anyAndWide", "packed"]).replacing(
          "ORIGanyAndWide(own)",
          "ORIGanyAndWide(fallback(own, {module('Bank').WideRecord(0), 0, 0}))")
            + """

            function Forms:packedResult(n) return self:ORIGpackedResult(n) end
            function Forms:nested(body)
              local a, b, c = body()
              assert(a == 1 and b[2] == 3 and c[2] == "any")
              return self:ORIGnested(function() return a, b, {c[1] * 2, c[2]} end)
            end
            function Forms:anyAndIntMaker(n)
              local body = self:ORIGanyAndIntMaker(n)
              return function() local text, m = body() return text .. "!", m + 1 end
            end
            function Forms:allAnyAndInt(bodies)
              local any, n = bodies[1]()
              return self:ORIGallAnyAndInt { function() return any, n * 2 end }
            end
            """
      ) {
        check()
        expectEqual(forms.run(), "4")
        expectEqual(forms.nested { (1, (2, 3), (4.5, "any")) }, "(1, (2, 3), (9.0, \"any\"))")
        let (any, n) = forms.anyAndIntMaker(3)()
        #expect(any as? String == "n3!" && n == 4)
        expectEqual(forms.allAnyAndInt([{ ("x", 4) }]), "(\"x\", 8)")
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `closures that throw errors of one type`() throws {
      let alive = Token.alive
      func check() {
        expectEqual(forms.plain { $0 + 1 }, "4")
        expectEqual(forms.plain { (_) throws(Plain) in throw .two }, "caught two")
        expectEqual(forms.coded { Double($0) / 2 }, "1.5")
        let text = "a text that is long enough"
        let coded = forms.coded { (_) throws(Coded) in throw Coded(code: 7, text: text) }
        expectEqual(coded, "caught 7 \(text)")
        expectEqual(forms.measured { "\($0)" }, "3")
        let measured = forms.measured { (n) throws(Measured) in
          throw Measured(amount: 1.5, token: Token(n))
        }
        expectEqual(measured, "caught 1.5 3")
        expectEqual(forms.plainAny { "any \($0)" }, "any 3")
        expectEqual(forms.plainAny { (_) throws(Plain) in throw .one }, "caught one")
        expectEqual(forms.plainNothing { $0 += 4 }, "7")
        expectEqual(forms.plainNothing { (_) throws(Plain) in throw .two }, "caught two 3")
      }
      // The compiler crashes on such closures inside an array literal.
      let doubled: (Int) throws(Plain) -> Int = { $0 * 2 }
      let failing: (Int) throws(Plain) -> Int = { (_) throws(Plain) in throw .two }
      func checkWide() {
        expectEqual(forms.wide { WideRecord($0) }, "3")
        expectEqual(forms.wide { (_) throws(Wide) in throw Wide() }, "caught 5")
        expectEqual(forms.plainAll([doubled]), "6")
        expectEqual(forms.plainAll([failing]), "caught two")
      }
      check()
      checkWide()
      try withPatch(
        wrapping(["plain", "coded", "measured", "plainAny", "plainNothing"])
          + """

          local function record() return module("Bank").WideRecord(9) end
          function Forms:wide(body)
            local function own(n) return body(n) end
            return self:ORIGwide(fallback(own, record()))
          end
          function Forms:plainAll(bodies)
            return self:ORIGplainAll { function(n) return bodies[1](n) end }
          end
          """
      ) {
        check()
        checkWide()
        expectEqual(forms.run(), "10")
        expectEqual(faults(), [])
      }
      check()
      expectEqual(Token.alive, alive)
    }

    @Test func `Lua throws errors of one type, catches them, and cannot throw others`() throws {
      let alive = Token.alive
      let log = LogLines()
      WaxwingEngine.setLogHandler { event in
        if event.level == .error { log.add(event.line) }
      }
      let session = try WaxwingEngine.start(
        text: """
          local Forms, Plain = class "Bank.ClosureForms", class "Bank.Plain"
          function Forms:run()
            local thrower, wide, measured = self:plainThrower(), self:wideThrower(), self:measuredThrower()
            assert(thrower(3) == 3 and wide(4) == 4 and measured(5) == "n5")
            local ok, error = pcall(thrower, -1)
            assert(not ok and error.case == "two")
            local ok, error = pcall(wide, -1)
            assert(not ok and error.e == 5)
            local ok, error = pcall(measured, -4)
            assert(not ok and error.token.number == -4 and error.amount == 2.5)
            self.typed = function(n) if n < 0 then throw(Plain.one) end return n + 1 end
            assert(self.typed(3) == 4)
            local ok, error = pcall(self.typed, -3)
            assert(not ok and error.case == "one")
            return self:plain(function() throw(Plain.two) end) .. "|"
              .. self:plain(function() error("of another kind") end)
          end
          """, name: "typed")
      expectEqual(forms.run(), "caught two|0")
      #expect(throws: Plain.one) { try forms.typed(-1) }
      try expectEqual(forms.typed(1), 2)
      expectEqual(faults(), [])
      expectEqual(log.all.count, 1)
      #expect(log.all.first?.contains("it can throw Bank.Plain only: `throw` one") == true)
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(try forms.typed(-1) == 0, "of a patch that has ended")
      expectEqual(Token.alive, alive)
    }

    @Test func `C functions are called, passed on and stored, and no Lua function is one`() throws {
      let text = try lua(
        """
        assert(self:cAdder()(2, 0.5, 0.25) == 2.75)
        assert(self:cNarrow()(-128, 255, -32768, 65535, true) == -128 * 1000000 + 255000 + 32768)
        assert(self:cNarrow()(127, 0, 5, 0, false) == 127000005)
        assert(self:cMany()(1, 2, 3, 4, 5, 6, -7, -8, 9) == 30 - 700 - 80000)
        assert(self:cResult()(255) == -1 and self:cResult()(127) == 127)
        assert(self:cPointer()(nil) == nil)
        local negative = self:cNegative()
        assert(self:cCalled(negative, 5) == -5 and self:cMaybe(negative) == -4)
        assert(self:cMaybe(nil) == 0 and self:cAll { negative, negative } == 1)
        self.cHandler = negative
        assert(self.cHandler(7) == -7)
        self.cHandler = nil
        assert(self.cHandler == nil)
        local ok, message = pcall(function() self:cCalled(function(n) return n end, 5) end)
        assert(not ok)
        local ok, other = pcall(function() self:cCalled(self:cResult(), 5) end)
        assert(not ok and other:find("got a closure @convention(c) (Int) -> Int8: a C function", 1, true), other)
        return message
        """)
      #expect(
        text.contains(
          "expected @convention(c) (Int32) -> Int32, got a Lua function: a C function has no context"
        ), "\(text)")
      // One with a value of more than one word is opaque.
      try withPatch(
        "local C = class 'Bank.ClosureForms'\nfunction C:cStruct(f) return original(self, f) + 1 end"
      ) {
        expectEqual(forms.cStruct { _ in 5 }, 6)
        expectEqual(faults(), [])
      }
    }

    @Test func `C functions that Swift passes to overrides`() throws {
      func check(_ factor: Int32) {
        expectEqual(forms.cCalled({ $0 + 1 }, 4), 5 * factor)
        #expect(forms.cMaybe { $0 } == 4 * factor && forms.cMaybe(nil) == 0)
        expectEqual(forms.cAll([{ $0 + 1 }, { $0 * 5 }]), 10 * factor)
      }
      check(1)
      try withPatch(
        """
        local Forms = class "Bank.ClosureForms"
        function Forms:cCalled(body, n) return body(n) + self:ORIGcCalled(body, n) end
        function Forms:cMaybe(body)
          return body and body(4) + self:ORIGcMaybe(body) or self:ORIGcMaybe(nil)
        end
        function Forms:cAll(bodies) return bodies[2](bodies[1](1)) + self:ORIGcAll(bodies) end
        """
      ) {
        check(2)
        expectEqual(faults(), [])
      }
      check(1)
    }

    @Test func `types as closures' arguments and results`() throws {
      func check() {
        let told = forms.types { int, token, any, n in
          #expect(int == Int.self && token == Token.self && any == String.self && n == 5)
          return int
        }
        expectEqual(told, "Int")
        expectEqual(forms.allTypes([{ int, n in n == 5 ? int : String.self }]), "Int")
        let teller = forms.typeTeller()
        #expect(teller(Int.self, String.self) == Token.self)
      }
      check()
      try withPatch(
        """
        local Forms, Int, Token = class "Bank.ClosureForms", class "Swift.Int", class "Bank.Token"
        function Forms:types(body)
          return self:ORIGtypes(fallback(function(int, token, any, n)
            assert(int == Int and token == Token and any == class "Swift.String" and n == 5)
            return body(int, token, any, n)
          end, Int))
        end
        function Forms:allTypes(bodies)
          return self:ORIGallTypes { fallback(function(int, n)
            assert(int == Int and n == 5)
            return bodies[1](int, n)
          end, Int) }
        end
        function Forms:typeTeller()
          local body = self:ORIGtypeTeller()
          assert(body(Int, Token) == Token)
          return fallback(function(int, any) return body(int, any) end, Token)
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

extension String {
  fileprivate func replacing(_ text: String, _ other: String) -> String {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return (parts + [rest]).joined(separator: other)
  }
}
