// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Functions that are `throws(E)`.
  @Suite struct TypedErrorTests {
    private func check() throws {
      let (plain, coded) = (try typedPlain(4), try typedCoded(4))
      let (measured, wide) = (try typedMeasured(4), try typedWide(4))
      let chest = try typedChest(4)
      #expect(plain == 4 && coded == 4.0 && measured == "number 4" && wide == 4)
      expectEqual(chest.token.number, 4)
      try typedNothing(4)
      let generic = try typedGeneric(Chest(3), Plain.one, false)
      expectEqual(generic.token.number, 3)
      expectEqual(typedNever(4), 4)
      #expect(throws: Plain.two) { _ = try typedPlain(-1) }
      #expect(throws: Coded(code: -1, text: "a text that is long enough")) {
        _ = try typedCoded(-1)
      }
      #expect(throws: Measured(amount: 2.5, token: Token(-1))) { _ = try typedMeasured(-1) }
      #expect(throws: Wide()) { _ = try typedWide(-1) }
      #expect(throws: Plain.one) { _ = try typedChest(-1) }
      #expect(throws: Plain.two) { try typedNothing(-1) }
      #expect(throws: Coded(code: 1, text: "x")) {
        _ = try typedGeneric(Token(1), Coded(code: 1, text: "x"), true)
      }
    }

    @Test func `originals return and throw what they did`() throws {
      let alive = Token.alive
      try check()
      let names = [
        "typedPlain", "typedCoded", "typedMeasured", "typedWide", "typedChest", "typedNothing",
        "typedNever",
      ]
      let text = names.map { "function Bank.\($0)(...) return Bank.ORIG\($0)(...) end\n" }.joined()
      try withPatch("local Bank = module 'Bank'\n" + text) {
        try check()
        expectEqual(faults(), [])
      }
      expectEqual(Token.alive, alive)
    }

    @Test func `errors reach Lua, and go on to Swift, as what they are`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Bank = module "Bank"
        local function last(f)
          local _, error = pcall(f, -1)
          throw(error)
        end
        local coded
        function Bank.typedCoded(number)
          local _, error = pcall(Bank.ORIGtypedCoded, -7)
          throw(error)
        end
        function Bank.typedWide(number)
          local _, error = pcall(Bank.ORIGtypedWide, -1)
          throw(error)
        end
        function Bank.typedPlain(number) throw("only a text") end
        function Bank.typedChest(number)
          local _, error = pcall(Bank.typedCoded, 1)
          throw(error)
        end
        """
      ) {
        #expect(throws: Coded(code: -7, text: "a text that is long enough")) {
          _ = try typedCoded(1)
        }
        #expect(throws: Wide()) { _ = try typedWide(1) }
        let plain = try typedPlain(5)
        let chest = try typedChest(6)
        #expect(plain == 5 && chest.token.number == 6)
        let faults = faults()
        #expect(faults.contains { $0.contains("typedPlain(_:) can throw Bank.Plain only") })
        #expect(faults.contains { $0.contains("typedChest(_:) can throw Bank.Plain only") })
      }
      expectEqual(Token.alive, alive)
    }

    @Test func `Lua throws errors that it makes`() throws {
      let alive = Token.alive
      try withPatch(
        """
        local Bank = module "Bank"
        function Bank.typedPlain() throw(Bank.Plain.two) end
        function Bank.typedCoded() throw(Bank.Coded(4, "a text that is long enough")) end
        function Bank.typedMeasured(n) throw(Bank.Measured(0.5, Bank.Token(n))) end
        function Bank.typedWide() throw(Bank.Wide()) end
        function Bank.tried(value, fails) throw(Bank.BankError.insufficient(9)) end
        """
      ) {
        #expect(throws: Plain.two) { _ = try typedPlain(1) }
        #expect(throws: Coded(code: 4, text: "a text that is long enough")) {
          _ = try typedCoded(1)
        }
        #expect(throws: Measured(amount: 0.5, token: Token(8))) { _ = try typedMeasured(8) }
        #expect(throws: Wide()) { _ = try typedWide(1) }
        #expect(throws: BankError.insufficient(9)) { _ = try tried(1, false) }
        expectEqual(faults(), [])
      }
      expectEqual(Token.alive, alive)
    }
  }
}
