// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing

extension EngineSuite {
  /// `object.super`
  @Suite struct SuperTests {
    private func inspect(_ clerk: Clerk, _ body: String) throws -> String {
      let text = try withPatch(
        "local bank = module 'Bank'\nfunction bank.inspectClerk(clerk)\n\(body)\nend"
      ) {
        let text = inspectClerk(clerk)
        expectEqual(faults(), [])
        return text
      }
      expectEqual(inspectClerk(clerk), "baseline")
      return text
    }

    @Test func `from outside, it is the superclass of the object's own class`() throws {
      let text = try inspect(
        Teller(), "return clerk:info() .. ' ' .. clerk.super:info() .. ' ' .. clerk.super.grade")
      expectEqual(text, "Teller Clerk clerk")
      let chief = try inspect(
        ChiefTeller(), "return clerk.super:info() .. ' ' .. clerk.super.super:info()")
      expectEqual(chief, "Teller Clerk")
    }

    @Test func `an override calls its superclass's version, whatever the object's class`()
      throws
    {
      try withPatch(
        """
        local Teller = class "Bank.Teller"
        function Teller:info() return self:ORIGinfo() .. ":" .. self.super:info() end
        function Teller.get:grade() return "lua " .. self.super.grade end
        """
      ) {
        expectEqual(Teller().info(), "Teller:Clerk")
        expectEqual(Teller().grade, "lua clerk")
        // One class below, `super` of the override is still that of the class it is written for.
        expectEqual(ChiefTeller().grade, "lua clerk")
        expectEqual(ChiefTeller().info(), "Chief")
        expectEqual(faults(), [])
      }
      #expect(Teller().info() == "Teller" && ChiefTeller().grade == "teller clerk")
    }

    @Test func `what the superclass's version calls is dispatched as ever`() throws {
      try withPatch(
        """
        local Teller = class "Bank.Teller"
        function Teller:report() return "lua " .. self.super:report() end
        """
      ) {
        expectEqual(Teller().report(), "lua Teller files")
        expectEqual(ChiefTeller().report(), "lua Chief leads")
        expectEqual(faults(), [])
      }
    }

    @Test func `an override of the superclass's method is what super calls`() throws {
      try withPatch(
        """
        local Clerk, Teller, Chief = class "Bank.Clerk", class "Bank.Teller", class "ChiefTeller"
        function Clerk:info() return "c1" end
        function Teller:info() return self.super:info() .. "t2" end
        function Chief:info() return self.super:info() .. "l3" end
        """
      ) {
        #expect(Clerk().info() == "c1" && Teller().info() == "c1t2")
        expectEqual(ChiefTeller().info(), "c1t2l3")
        expectEqual(faults(), [])
      }
    }

    @Test func `it is the same object: its state, its Lua fields, as an argument`() throws {
      let clerk = Teller()
      let text = try inspect(
        clerk,
        """
        local Clerk = class "Bank.Clerk"
        local up = clerk.super
        up.log = "x"
        up.log = up.log .. "y"
        assert(clerk.log == "xy" and up == clerk and clerk == up)
        assert(rawequal(weak(up).object, clerk))
        return tostring(typeof(up).name)
        """)
      #expect(text == "Bank.Teller" && clerk.log == "xy")
    }

    @Test func `what has no superclass, or is no object, says so`() throws {
      let text = try inspect(
        Clerk(),
        """
        local _, top = pcall(function() return clerk.super end)
        local _, member = pcall(function() return clerk.super.nothing end)
        return top
        """)
      #expect(text.hasSuffix("Bank.Clerk has no superclass"), "\(text)")
      let member = try inspect(
        Teller(), "return select(2, pcall(function() return clerk.super:infos() end))")
      #expect(member.contains("Bank.Clerk has no member `infos`; did you mean `info`"))
    }

    @Test func `it holds the object as long as Lua holds it`() throws {
      try withPatch(
        """
        local bank = module "Bank"
        local kept
        function bank.inspectClerk(clerk)
          kept = clerk.super
          return "kept"
        end
        """
      ) {
        weak var watched: Clerk?
        do {
          let clerk = Teller()
          watched = clerk
          expectEqual(inspectClerk(clerk), "kept")
        }
        #expect(watched != nil)
        expectEqual(inspectClerk(Teller()), "kept")
      }
    }
  }
}
