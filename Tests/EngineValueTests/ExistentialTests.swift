// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// `Any` and `any P`: by the dynamic type.
  @Suite struct ExistentialTests {
    private let values = Values()

    private func check() throws {
      #expect(values.anything(5) as? Int == 5)
      #expect(values.anything("a string that is long enough") as? String != nil)
      #expect(values.anything(1.5) as? Double == 1.5)
      #expect(values.anything(true) as? Bool == true)
      #expect(values.anything(Point(x: 1, y: 2)) as? Point == Point(x: 1, y: 2))
      #expect((values.anything(Large()) as? Large) == Large())
      let account = Account(owner: "Ada")
      let echoed = values.anything(account) as AnyObject
      let isSame = echoed === account
      #expect(isSame)
      if values.anyOptional(nil) != nil { Issue.record("nil has become something") }
      #expect(values.anyOptional(3) as? Int == 3)
      let array = values.anyArray([1, "two", 3.5, account])
      let last = array[3] as AnyObject
      let isLast = last === account
      #expect(array.count == 4 && array[1] as? String == "two" && isLast)
      let record = values.record(["a": 1, "b": "x"])
      #expect(record["a"] as? Int == 1 && record["b"] as? String == "x")
      expectEqual(values.labelledValue(account).label(), "label")
      expectEqual(values.labelledValue(Point(x: 1, y: 2)).label(), "point")
      let reference = values.reference(account)
      let bound: AnyObject = values.classBound(1, account, 2)
      let areSame = reference === account && bound === account
      #expect(areSame)
      let error = values.error(BankError.insufficient(3)) as? BankError
      expectEqual(error, .insufficient(3))
      for choice in [Choice.number(1), .anything(account), .nothing] {
        expectEqual("\(values.choice(choice))", "\(choice)")
        expectEqual(values.optionalChoice(1, choice, 2).map { "\($0)" }, "\(choice)")
      }
      for payload in [
        Payload.number(1), .text("t"), .pair(1, .nothing), .point(Point(x: 1, y: 2)), .nothing,
      ] {
        expectEqual(values.payload(payload), payload)
      }
      let held = values.hasAny(HasAny(number: 4, any: "x"))
      #expect(held.number == 4 && held.any as? String == "x")
    }

    @Test func `values keep their type through overrides and originals`() throws {
      let names = [
        "anything", "anyOptional", "anyArray", "record", "labelledValue", "reference",
        "error", "hasAny", "choice", "payload",
      ]
      let alive = Census.accounts.alive
      try check()
      for body in ["return v", "return self:ORIGNAME(v)"] {
        let text = names.map {
          "function V:\($0)(v) \(body.replacing("NAME", with: $0)) end"
        }.joined(separator: "\n")
        let classBound =
          "\nfunction V:classBound(a, v, b) assert(b == 2) return self:ORIGclassBound(a, v, b) end"
          + "\nfunction V:optionalChoice(a, v, b) return self:ORIGoptionalChoice(a, v, b) end"
        try withPatch("local V = class 'Bank.Values'\n" + text + classBound) {
          try check()
          expectEqual(faults(), [])
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `a value of a type that conforms to Error is an error`() throws {
      try withPatch(
        """
        local V, E = class "Bank.Values", class "Bank.BankError"
        local given = E.insufficient(4)
        function V:error(v)
          assert(self:ORIGerror(given).value == given)
          local isDone, message = pcall(original, self, class "Bank.Point"(1, 2))
          assert(not isDone and message:find("expected Error, got a value of type Bank.Point", 1, true), message)
          return given
        end
        """
      ) {
        let error = values.error(BankError.closed) as? BankError
        expectEqual(error, .insufficient(4))
        expectEqual(faults(), [])
      }
    }

    @Test func `what does not conform is refused`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:labelledValue(v) return 7 end
        function V:error(v) return "no error" end
        function V:anything(v) return {a = {1, 2}} end
        """
      ) {
        expectEqual(values.labelledValue(Point(x: 1, y: 2)).label(), "point")
        let error = values.error(BankError.closed) as? BankError
        expectEqual(error, .closed)
        let table = values.anything(1) as? [String: Any]
        #expect(table?["a"] as? [Int] == [1, 2])
        #expect(expectedFault().contains("expected Bank.Labelled, got integer 7"))
        #expect(expectedFault(1).contains("got string \"no error\""))
      }
    }
  }
}
