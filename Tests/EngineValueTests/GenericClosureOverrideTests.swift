// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Generic functions with closures overridden: what the closures take and return is told by each
  /// call's registers.
  @Suite struct GenericClosureOverrideTests {
    private func check() {
      expectEqual(transformed([1, 2]) { $0 * 2 }, [2, 4])
      expectEqual(transformed([Token(3)]) { "token \($0.number)" }, ["token 3"])
      expectEqual(transformed([Chest(3)]) { $0 }[0].token.number, 3)
      var seen = ""
      visited([1.5, 2.5]) { seen += "\($0) \($1) \($2.count);" }
      expectEqual(seen, "1.5 0 2;2.5 1 2;")
      expectEqual(folded([1, 2, 3], "x") { $0 + "\($1)" }, "x123")
      #expect(tupleTurned(Chest(2)) { ($0.0, $0.1 + 1) } == (Chest(2), 5))
      #expect(tupleSplit(Token(2)) { (1, (2, 3), $0) } == (10203, Token(2)))
      let changed = changedInside("v") { v, n, m in
        v += "?"
        n += m
        return [v, v + v]
      }
      #expect(changed == ("v?v?", 6))
      expectEqual(maybeCalled(Tag(1, level: 2)) { $0 }.level, 2)
      expectEqual(maybeCalled(3, nil), 3)
      let steps: [(Int) -> Int] = [{ $0 + 1 }, { $0 * 10 }]
      expectEqual(allCalled(1, steps), 20)
      let named: [String: (String) -> String] = ["a": { $0 + "1" }, "b": { $0 + "2" }]
      expectEqual(namedCalled("y", named), "y12")
      expectEqual(variadicCalled(1, { (n: Int) in n + 1 }, { (n: Int) in n + 2 }), 4)
      expectEqual(lazyValue(true, Token(5), Token(6)).number, 5)
      expectEqual(classMapped(Token(1)) { t, other in other ?? t }.number, 1)
      expectEqual(kindTold(Chest(1)) { "\($0) \($1!.token.number) \($2)" }, "Chest 1 Int")
      let structs = structsPassed(Token(1)) { Twin(Token($0.a), $1.a[0]) }
      #expect(structs == (Token(1), 1))
      expectEqual(handedOver(Chest(4)) { c, s in s.isEmpty ? Chest(0) : c }.token.number, 4)
      expectEqual(spreadOver(Token(3)) { $0.number + $1.count }, 5)
      expectEqual(keyed([1, 2, 3]) { $0 % 2 }[1], [1, 3])
      expectEqual(leastOf([Token(3), Token(2)]) { $0.number }?.number, 2)
      expectEqual(kept([1, 2, 3]) { $0 > 1 }, [2, 3])
      expectEqual(kept("abc") { $0 != "b" }, ["a", "c"])
      expectEqual(plainBeside(Token(1)) { $0 + $1.count }, 3)
    }

    private func checkReturned() {
      expectEqual(twiceOver { (n: Int) in n * 3 }(2), 18)
      expectEqual(twiceOver { (c: Chest) in c }(Chest(3)), Chest(3))
      #expect(constantly(Token(7))().number == 7 && constantly("text")() == "text")
      expectEqual(composed({ (n: Int) in Token(n) }, { "\($0.number)!" })(4), "4!")
      expectEqual(curried { (a: String, b: Double) in "\(a)\(b)" }("x")(1.5), "x1.5")
      let passed = closuresPassed(Chest(6)) { count, make, n in
        #expect(count(Chest(1)) == 7 && n == 3)
        let made = make(1)
        return { _ in made }
      }
      expectEqual(passed, Chest(6))
      expectEqual(callsSameBody(4), 5)
    }

    private func checkErrors() throws {
      #expect(throws: BankError.closed) { try transformed([1]) { _ in throw BankError.closed } }
      expectEqual(typedThrough(3) { $0 + 1 }, 4)
      try expectEqual(typedThrough(Chest(3)) { (c) throws(Coded) in c }, Chest(3))
      #expect(throws: Coded(code: 4, text: "four")) {
        try typedThrough(3) { (_) throws(Coded) -> Int in throw Coded(code: 4, text: "four") }
      }
      #expect(throws: Plain.two) {
        try typedThrough("x") { (_) throws(Plain) -> String in throw .two }
      }
      #expect(throws: BankError.closed) { try typedThrough(3) { _ in throw BankError.closed } }
    }

    private let wrapped = [
      "transformed": 2, "visited": 2, "folded": 3, "tupleSplit": 2,
      "maybeCalled": 2, "classMapped": 2, "kindTold": 2, "handedOver": 2,
      "keyed": 2, "leastOf": 2, "kept": 2, "plainBeside": 2, "lazyValue": 2, "twiceOver": 1,
      "composed": 1, "curried": 1, "typedThrough": 2, "tupleTurned": 2, "changedInside": 2,
      "spreadOver": 2, "closuresPassed": 2, "structsPassed": 2, "sameBody": 0, "constantly": 0,
      "allCalled": 0, "namedCalled": 0, "variadicCalled": 0,
    ]

    /// What their closures return if they fail, where nothing does by itself.
    private let values = [
      "lazyValue": "arguments[3]", "tupleSplit": "{0, {0, 0}, arguments[1]}",
      "composed": "Bank.Token(0)",
      "closuresPassed": "fallback(function() return arguments[1] end, arguments[1])",
      "structsPassed": "nil",
    ]

    @Test func `originals get the closures they got, or Lua functions in their place`() throws {
      let alive = Token.alive
      func checkAll() throws {
        check()
        checkReturned()
        try checkErrors()
      }
      try checkAll()
      for wraps in [false, true] {
        let text = wrapped.map { name, index in
          """
          function Bank.\(name)(...)
            local arguments = table.pack(...)
            if \(wraps) and \(index) > 0 then
              local body = arguments[\(index)]
              if body then
                local function own(...) calls = calls + 1 return body(...) end
                arguments[\(index)] = \(values[name].map { "fallback(own, \($0))" } ?? "own")
              end
            end
            return Bank.ORIG\(name)(table.unpack(arguments, 1, arguments.n))
          end
          """
        }.joined(separator: "\n")
        try withPatch("local Bank = module 'Bank'\nlocal calls = 0\n" + text) {
          try checkAll()
          expectEqual(faults(), [])
          let idle = try #require(patches().first?.overrides).filter { $0.calls == 0 }
          #expect(idle.isEmpty)
        }
      }
      try checkAll()
      expectEqual(Token.alive, alive)
    }

    @Test func `overrides call the closures and return closures of their own`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.transformed(values, body)
          local results = {}
          for i = #values, 1, -1 do results[#results + 1] = body(values[i]) end
          return results
        end
        function Bank.tupleTurned(value, body) return body({value, 10}) end
        function Bank.changedInside(value, body)
          local list, v, n = body(value, 2, 3)
          return list[1], n
        end
        function Bank.twiceOver(body) return function(v) return body(body(body(v))) end end
        function Bank.constantly(value) return fallback(function() return value end, value) end
        function Bank.curried(f) return function(a) return function(b) return f(a, b) end end end
        function Bank.typedThrough(value, body) return body(body(value)) end
        function Bank.kindTold(value, body) return body(Bank.Token, nil, class "Swift.Int") end
        """
      ) {
        expectEqual(transformed([1, 2]) { "\($0)" }, ["2", "1"])
        expectEqual(transformed([Chest(1), Chest(2)]) { $0.token }[0].number, 2)
        #expect(tupleTurned(Chest(3)) { ($0.0, $0.1 * 2) } == (Chest(3), 20))
        let (text, number) = changedInside("v") { v, n, m in
          n *= m
          return [v + "!"]
        }
        #expect(text == "v!" && number == 6)
        expectEqual(twiceOver { (n: Int) in n + 1 }(0), 3)
        expectEqual(constantly(Chest(4))(), Chest(4))
        expectEqual(
          curried { (a: Token, b: Chest) in a.number + b.token.number }(Token(1))(Chest(2)), 3)
        expectEqual(typedThrough(3) { $0 + 1 }, 5)
        #expect(throws: Plain.two) {
          try typedThrough(Chest(1)) { (_) throws(Plain) -> Chest in throw .two }
        }
        expectEqual(kindTold(Token(1)) { "\($0) \($1 == nil) \($2)" }, "Token true Int")
        expectEqual(faults(), [])
      }
      expectEqual(Token.alive, alive)
    }
  }
}
