// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What returns `Self` returns an instance of the class that it was called on.
  @Suite struct SelfResultTests {
    private static let name = "a shire with a name that is kept on the heap"

    @Test func `an instance of the superclass is refused, and the original runs`() throws {
      try withPatch(
        """
        local Breed = class "Bank.Breed"
        function Breed:copy() return Breed(1) end
        function Breed:copyIfGrown(flag) return Breed(2) end
        function Breed.static:make(legs) return Breed(3) end
        """
      ) {
        let shire = Shire(legs: 4)
        expectEqual(copiedShire(shire), Self.name)
        expectEqual(grownShire(shire), Self.name)
        expectEqual(madeShire(), Self.name)
        let all = faults()
        expectEqual(all.count, 3)
        for fault in all {
          #expect(
            fault.contains("expected Bank.Shire, which it is called on, got Bank.Breed"), "\(fault)"
          )
        }
        expectEqual(Breed(legs: 7).copy().legs, 1)
        expectEqual(Breed(legs: 7).copyIfGrown(false)?.legs, 2)
        expectEqual(Breed.make(7).legs, 3)
      }
    }

    @Test func `an instance of the class itself is returned`() throws {
      try withPatch(
        """
        local Breed, Shire = class "Bank.Breed", class "Bank.Shire"
        function Breed:copy() local copy = Shire(5) copy.name = "bill" return copy end
        function Breed:copyIfGrown(flag) return not flag and self:ORIGcopyIfGrown(flag) or nil end
        function Breed.static:make(legs) local made = self(legs) made.name = "fay" return made end
        """
      ) {
        expectEqual(copiedShire(Shire(legs: 4)), "bill")
        #expect(grownShire(Shire(legs: 4)) == nil)
        expectEqual(madeShire(), "fay")
        expectEqual(faults(), [])
      }
    }

    private func conforming(_ twin: String) -> String {
      """
      local Breed = class "Bank.Breed"
      local spare = Breed(9)
      conform(Breed, "Breeding", {
        clone = fallback(function(self) return \(twin) end, spare),
        ["maybeClone(_:)"] = function(self, flag) return flag and \(twin) or nil end,
        ["litter(_:)"] = function(self, count) return { \(twin), \(twin) } end,
        static = { wild = fallback(function(type) return type(8) end, spare) },
      })
      """
    }

    @Test func `requirements of a protocol`() throws {
      try withPatch(conforming("Breed(self.legs)")) {
        expectEqual(clones(Breed(legs: 1)), ["Breed", "Breed", "nil", "Breed", "Breed"])
        expectEqual(faults(), [])
        // Nothing fits, but itself: and nil, and nothing at all.
        expectEqual(clones(Shire(legs: 1)), ["Shire", "nil", "nil"])
        expectEqual(faults().count, 3)
        #expect(wildOne(Shire.self) is Shire)
      }
    }

    @Test func `requirements of a protocol, kept to`() throws {
      try withPatch(conforming("self.super and self:copy()")) {
        expectEqual(clones(Shire(legs: 1))?.prefix(2), ["Shire", "Shire"])
      }
    }
  }
}
