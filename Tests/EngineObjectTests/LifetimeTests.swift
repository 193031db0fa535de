// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Who keeps whom alive, and for how long.
  @Suite struct LifetimeTests {
    @Test func `objects that Lua drops die, at the latest when the session ends`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local A = class "Bank.Account"
        kept = {}
        function A:deposit(n, memo) kept[#kept + 1] = self return self:ORIGdeposit(n, memo) end
        function A:describe() kept = {} return "dropped" end
        """
      ) {
        for n in 0..<100 { _ = Account(owner: "Ada").deposit(n, memo: "") }
        expectEqual(Census.accounts.alive, alive + 100)
        for _ in 0..<4000 { _ = Account(owner: "x").describe() }
        #expect(Census.accounts.alive < alive + 1500)
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `objects die soon after the last call, without another`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe() local function seen() return self end return original(self) end
        """
      ) {
        for _ in 0..<10 { _ = Account(owner: "Ada").describe() }
        expectEventually(Census.accounts.alive, alive)
        _ = Account(owner: "Ada").describe()
        expectEventually(Census.accounts.alive, alive)
      }
    }

    @Test func `objects that Lua holds do not die when nothing goes on`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local A, kept = class "Bank.Account", {}
        function A:describe() kept[#kept + 1] = self return original(self) end
        """
      ) {
        _ = Account(owner: "Ada").describe()
        expectStays("one is held", for: .milliseconds(500), seen: Census.accounts.alive) {
          Census.accounts.alive == alive + 1
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test
    func `objects are let go under calls without a pause, and on no other thread if so wished`()
      throws
    {
      let old = WaxwingEngine.policy
      defer { WaxwingEngine.policy = old }
      let alive = Census.accounts.alive
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe() local function seen() return self end return original(self) end
        """
      ) {
        let busy = Account(owner: "Eve")
        _ = Account(owner: "Ada").describe()
        // One call after the other: the state is never left alone for long.
        expectEventually((busy.describe(), Census.accounts.alive).1, alive + 1)
        WaxwingEngine.policy.limits.idleMilliseconds = 0
        letOthersRun(for: .milliseconds(300))
        _ = Account(owner: "Ada").describe()
        expectStays("two are left", for: .milliseconds(500), seen: Census.accounts.alive) {
          Census.accounts.alive == alive + 2
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    /// Runs a closure when it dies.
    private final class Avenger: Mayfly {
      let body: () -> Void
      init(_ body: @escaping () -> Void) {
        self.body = body
        super.init(name: "avenger")
      }
      deinit { body() }
    }

    @Test func `a deinitializer on the collector's thread ends the patch that it is let go by`()
      throws
    {
      let ended = LogLines()
      let alive = Mayfly.alive
      let session = try WaxwingEngine.start(
        text:
          "local M = class 'Bank.Mayfly' function M:rest() local function seen() return self end return original(self) end",
        name: "avenged")
      _ = Avenger {
        do {
          try WaxwingEngine.end(session)
          ended.add("ended")
        } catch {
          Issue.record(error)
        }
      }.rest()
      expectEventually(ended.all, ["ended"])
      // What is ended from inside is closed by what comes next.
      expectEventually(patches().map(\.name), [])
      // The collector's thread may still be in the rest of the deinitializer.
      expectEventually(Mayfly.alive, alive)
      try withPatch("local M = class 'Bank.Mayfly' function M:rest() return 7 end") {
        expectEqual(Mayfly(name: "next").rest(), 7)
      }
    }

    @Test func `living objects are counted once the collector's thread has let go of what it took`()
      throws
    {
      let steps = LogLines()
      let mayDie = DispatchSemaphore(value: 0)
      let alive = Mayfly.alive
      try withPatch(
        "local M = class 'Bank.Mayfly' function M:rest() local function seen() return self end return original(self) end"
      ) {
        _ = Avenger {
          steps.add("dying")
          mayDie.waitInTime()
        }.rest()
        expectEventually(steps.all, ["dying"])
        let thread = StartedThread {
          waitUntil("the count", seen: steps.all) { steps.all.last == "counting" }
          mayDie.signal()
        }
        steps.add("counting")
        _ = try WaxwingEngine.liveObjects()
        expectEqual(Mayfly.alive, alive)
        #expect(thread.join())
      }
    }

    @Test func `every kind of value crosses 1,000 times without a leak`() throws {
      let alive = Census.accounts.alive
      do {
        let values = Values()
        let account = Account(owner: "Ada")
        try withPatch(
          """
          local V = class "Bank.Values"
          for _, name in ipairs { "string", "object", "optionalObject", "objects", "counts", "large" } do
            V[name] = function(self, v) return self["ORIG" .. name](self, v) end
          end
          """
        ) {
          for n in 0..<1000 {
            _ = values.string("a string that is long enough \(n)")
            _ = values.object(account)
            _ = values.optionalObject(Account(owner: "temporary"))
            _ = values.objects([account, Account(owner: "other")])
            _ = values.counts(["a key that is long enough": n])
            _ = values.large(Large())
          }
          expectEqual(faults(), [])
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `an object that Swift makes for Lua lives as long as Lua holds it`() throws {
      let alive = Census.accounts.alive
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe()
          local made = {}
          for i = 1, 200 do made[i] = A.static["make(owner:)"](A.static, "account " .. i) end
          for i = 1, 200 do
            if made[i].owner ~= "account " .. i then return "mixed up" end
            if made[i] == made[i % 200 + 1] then return "the same" end
          end
          return "fine"
        end
        """
      ) {
        expectEqual(Account(owner: "Ada").describe(), "fine")
        expectEqual(faults(), [])
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `a failing override releases what it was given`() throws {
      let alive = Census.accounts.alive
      do {
        let values = Values()
        try withPatch(
          """
          local V = class "Bank.Values"
          function V:object(v) local r = self:ORIGobject(v) error("x") end
          function V:objects(v) return {v[1], 2} end
          local A = class "Bank.Account"
          function A:init_id_owner(id, owner) self:ORIGinit_id_owner(id, owner) error("y") end
          """
        ) {
          for _ in 0..<100 {
            let account = Account(id: 1, owner: "Ada")
            #expect(values.object(account) === account)
            expectEqual(values.objects([account, account]).count, 2)
          }
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `setters of subscripts take over the new value and the indices`() throws {
      let alive = Census.accounts.alive
      do {
        let account = Account(owner: "Ada")
        try withPatch(
          """
          local A = class "Bank.Account"
          A.set["subscript(_:_:)"] = function(self, value, key, via)
            self["ORIGsubscript(_:_:)"](self, value, key .. "!", via)
          end
          """
        ) {
          for n in 0..<100 {
            account["a key that is long enough \(n % 3)", Account(owner: "via")] = Account(
              owner: "new")
            account["a key that is long enough \(n % 3)", Account(owner: "via")] = nil
          }
          account["a key that is long enough", account] = Account(owner: "last")
          expectEqual(faults(), [])
        }
        #expect(account.linked.count == 1 && account.linked["a key that is long enough!"] != nil)
        expectEqual(Census.accounts.alive, alive + 2)
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `a thousand sessions leave nothing behind`() throws {
      let account = Account(owner: "Ada")
      let alive = Census.accounts.alive
      for n in 0..<1000 {
        let session = try WaxwingEngine.start(
          text: "local A = class 'Bank.Account'\nfunction A:inheritedOnly(n) return n + \(n) end",
          name: "cycle")
        expectEqual(account.inheritedOnly(1), n + 1)
        let restoration = try WaxwingEngine.end(session)
        #expect(restoration.isComplete)
      }
      expectEqual(account.inheritedOnly(1), 2)
      expectEqual(Census.accounts.alive, alive)
      #expect(patches().isEmpty)
    }

    @Test func `a deinit that enters the same patch does not deadlock`() throws {
      try withPatch(
        """
        local D = class "Bank.Dying"
        function D:lastWords() return self:ORIGlastWords() .. "!" end
        function D:touch() return 1 end
        """
      ) {
        for _ in 0..<5000 { _ = Dying().touch() }
        #expect(Dying.heard.withLock { $0 } > 0)
      }
      expectEqual(faults(), [])
    }
  }
}
