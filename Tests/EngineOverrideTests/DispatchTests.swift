// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import RemovedFixture
import Testing

extension EngineSuite {
  /// Members are those that Swift would take.
  @Suite struct DispatchTests {
    private func inspect(_ letter: Letter, _ body: String) throws -> String {
      try withPatch(
        """
        local module = module "Bank"
        function module.inspectLetter(letter)
        \(body)
        end
        """
      ) {
        let text = inspectLetter(letter)
        expectEqual(faults(), [])
        return text
      }
    }

    @Test func `a subclass's accessors stand before the stored property they override`() throws {
      let body = """
        local before = letter.title
        letter.title = "b"
        return before .. ", " .. letter.title .. ", " .. letter.changes
        """
      try expectEqual(inspect(Letter(title: "a"), body), "a, b, 0")
      try expectEqual(inspect(OpenLetter(title: "a"), body), "open a, open b!, 0")
      try expectEqual(inspect(ObservedLetter(title: "a"), body), "a, b, 1")
    }

    /// RemovedFixture has the symbol as the compiler leaves it.
    @Test func `what the optimiser has removed is not called`() throws {
      removed_fixture_keep()
      try withPatch(
        """
        local module = module "Bank"
        function module.inspectSealed(letter)
          return select(2, pcall(function() letter:gone() end))
        end
        """
      ) {
        let text = inspectSealed(SealedLetter())
        #expect(
          text.hasSuffix(
            "Bank.SealedLetter.gone(): the optimiser has removed it, because nothing in the program "
              + "calls it"), "\(text)")
        expectEqual(faults(), [])
      }
    }

    @Test func `a caught error has the members of the error itself`() throws {
      try withPatch(
        """
        local Error = class "Bank.PostError"
        local Office = class "Bank.PostOffice"
        function Office:inspect()
          local _, lost = pcall(self.send, self, 3)
          assert(lost.case == "lost" and lost.days == 3 and lost[1] == 3 and not lost.isFinal)
          assert(lost:text("was") == "was lost(days: 3)", lost:text("was"))
          assert(lost.type == "Bank.PostError" and lost.message == "lost(days: 3)")
          assert(lost == Error.lost(3) and Error.lost(3) == lost and lost ~= Error.refused)
          assert(self:days(lost) == 3 and lost.value.days == 3)
          local _, refused = pcall(self.send, self, 0)
          assert(refused.case == "refused" and refused.isFinal and refused ~= lost)
          assert(refused:text("was") == "was refused")
          local _, object = pcall(self.send, self, -1)
          assert(object.value.code == 7 and object.type == "Bank.PostObjectError")
          local _, missing = pcall(function() return lost.daysX end)
          local _, class = pcall(function() return object.code end)
          return missing .. " " .. class
        end
        """
      ) {
        let text = PostOffice().inspect()
        #expect(
          text.contains("Bank.PostError has no member `daysX`; did you mean `days`"), "\(text)")
        #expect(text.hasSuffix("an error that is an object are those of its `value`"), "\(text)")
        expectEqual(faults(), [])
      }
    }

    @Test func `an object behind a protocol's type is the object itself`() throws {
      let text = try inspect(
        Letter(title: "a"),
        """
        local signed = letter:asSigned()
        return signed.signature .. " " .. tostring(signed == letter)
        """)
      expectEqual(text, "signed a true")
    }

    @Test func `a wrong value in a table in a table has its path`() throws {
      let text = try inspect(
        Letter(title: "a"),
        """
        local good, bad = { x = 1, y = 2 }, { x = 1, y = "q" }
        assert(letter:corners { { near = good, far = good } } == 1)
        return select(2, pcall(letter.corners, letter, { { near = good, far = bad } }))
        """)
      #expect(text.contains("expected Int at [1].far.y, got string \"q\""))
    }

    @Test func `initializers of types that Lua cannot hold are left out, not instantiated`() throws
    {
      let text = try inspect(
        Letter(title: "a"),
        """
        local ok, message = pcall(String, {})
        return tostring(ok) .. message
        """)
      #expect(text.hasPrefix("false"))
    }
  }
}
