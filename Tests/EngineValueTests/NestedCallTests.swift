// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides that call themselves through the program without end.
  @Suite struct NestedCallTests {
    private let most = WaxwingEngine.policy.limits.depth

    private func failures() -> [Int] { patches().flatMap(\.overrides).map(\.errors) }

    @Test func `a call that makes itself fails once, and the original answers once`() throws {
      let prey = Prey()
      try withPatch(
        "local P = class 'Bank.Prey'\nfunction P:number(n) return self:number(n + 1) + 1 end"
      ) {
        expectEqual(prey.number(1), 1000)
        expectEqual(prey.calls.count, 1)
        expectEqual(
          faults(),
          [
            "test.lua:2: the override of Bank.Prey.number(_:) calls itself through the program: "
              + "\(most) levels (`limits.depth`); `original(self, …)` calls the original"
          ])
        let override = try #require(patches().first?.overrides.first)
        #expect(override.errors == 1 && override.calls == most && override.bypassed == 0)
      }
      expectEqual(prey.number(1), 1000)
    }

    @Test(arguments: [
      ("deposit(amount, memo) return self:deposit(amount * 2, memo)", "strings and objects"),
      ("deposit(amount, memo) return select(-1, pcall(self.deposit, self, amount, memo))", "pcall"),
      (
        "deposit(amount, memo) return ({ pcall(function() return self:deposit(1, memo) end) })[2]",
        "closures"
      ),
      (
        "deposit(amount, memo) local r repeat r = self:deposit(amount, memo) until r return r",
        "loops"
      ),
    ])
    func `what the original does happens once`(method: String, what: String) throws {
      let account = Account(owner: "Ada")
      try withPatch("local A = class 'Bank.Account'\nfunction A:\(method) end") {
        expectEqual(account.deposit(5, memo: "a memo that is not short at all"), 5)
        #expect(account.balance == 5 && account.tags == ["a memo that is not short at all"])
        expectEqual(failures(), [1])
        expectEqual(account.deposit(6, memo: "b"), 11)
        expectEqual(failures(), [2])
      }
    }

    @Test func `two overrides that call one another, in one patch and in two`() throws {
      let prey = Prey()
      let (first, second) = (
        "local P = class 'Bank.Prey'\nfunction P:number(n) return self:other(n) end",
        "local P = class 'Bank.Prey'\nfunction P:other(n) return self:number(n) end"
      )
      try withPatch(first + "\n" + second.replacing("local P = class 'Bank.Prey'\n", with: "")) {
        #expect(prey.number(1) == 1000 && prey.other(1) == 2000)
        expectEqual(failures(), [1, 1])
        #expect(expectedFault().contains("through the program, by way of Bank.Prey.other(_:): "))
      }
      try withPatch(first) {
        let session = try WaxwingEngine.start(text: second, name: "second")
        #expect(prey.number(1) == 1000 && prey.other(1) == 2000)
        expectEqual(failures(), [1, 1])
        _ = try WaxwingEngine.end(session)
      }
      expectEqual(prey.calls.count, 2)
    }

    @Test func `only what is in the circle fails`() throws {
      let (account, prey) = (Account(owner: "Ada"), Prey())
      try withPatch(
        """
        local A, P = class "Bank.Account", class "Bank.Prey"
        local prey = P()
        function A:describe() return self:ORIGdescribe() .. prey:number(1) end
        function P:number(n) return self:number(n) end
        """
      ) {
        expectEqual(account.describe(), "account1000")
        expectEqual(failures(), [0, 1])
        expectEqual(prey.number(2), 1000)
        expectEqual(failures(), [0, 2])
      }
    }

    @Test func `where Swift code is in between it gets the original's value`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:describe() return self:callsDescribe() end"
      ) {
        #expect(account.describe() == "account" && account.callsDescribe() == "<account>")
        expectEqual(failures(), [2])
      }
    }

    @Test func `a function that calls itself is wrapped as deep as overrides go`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:factorial(n) return 2 * self:ORIGfactorial(n) end"
      ) {
        expectEqual(account.factorial(3), 48)
        expectEqual(faults(), [])
      }
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:inheritedOnly(n)\n"
          + "  return n > 0 and self:inheritedOnly(n - 1) + 1 or self:ORIGinheritedOnly(n)\nend"
      ) {
        expectEqual(account.inheritedOnly(most - 1), most)
        expectEqual(faults(), [])
        expectEqual(account.inheritedOnly(most), most + 1)
        expectEqual(failures(), [1])
      }
    }

    @Test func `what calls have done before stays, as after any error`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:deposit(amount, memo)
          self:rename(memo)
          return self:ORIGdeposit(amount, memo) + self:deposit(amount, memo)
        end
        """
      ) {
        expectEqual(account.deposit(1, memo: "m"), 1)  // that of the outermost call's original
        #expect(account.owner == "m" && account.balance == most)
        expectEqual(failures(), [1])
      }
    }

    @Test func `an error is thrown where faults are`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        "patch { name = 'test', on_error = 'throw' }\nlocal A = class 'Bank.Account'\n"
          + "function A:withdraw(amount) return self:withdraw(amount) end"
      ) {
        let error = #expect(throws: (any Error).self) { try account.withdraw(1) }
        expectContains("\(String(describing: error))", "calls itself through the program")
      }
    }

    @Test func `calls of async functions end in the same way`() async throws {
      let calls = AsyncCalls()
      try await withAsyncPatch(
        """
        local C, B = class "Bank.AsyncCalls", module "Bank"
        function C:withdraw(n) return self:withdraw(n - 1) end
        function C:record(n) return self:record(n) end
        function C:nineInts(...) return self:nineInts(...) end
        function B.asyncFee(n) return B.asyncFee(n) end
        """
      ) {
        await expectEqual(asyncFee(500), 5)
        try await expectEqual(calls.withdraw(30), 70)
        try await expectEqual(calls.record(4), WideRecord(4))
        await expectEqual(calls.nineInts(1, 2, 3, 4, 5, 6, 7, 8, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9])
        expectEqual(failures(), [1, 1, 1, 1])
        expectEqual(patches().flatMap(\.overrides).map(\.bypassed), [0, 0, 0, 0])
        #expect(expectedFault().contains("calls itself through the program: \(most) levels"))
      }
    }

    @Test func `calls of an actor's functions end in the same way`() async throws {
      let ledger = AsyncLedger(total: 10)
      try await withAsyncPatch(
        """
        local L = class "Bank.AsyncLedger"
        function L:post(n, memo) return self:post(n, memo) end
        function L:settle(n) return self:batch({ n }) end
        function L:batch(list) return self:settle(list[1]) end
        """
      ) {
        await expectEqual(ledger.post(1, memo: "x"), 11)
        expectEqual(failures(), [1, 0, 0])
        _ = await ledger.settle(1)
        expectEqual(failures(), [1, 1, 0])
      }
    }

    @Test func `an async function that calls itself is wrapped as deep as overrides go`()
      async throws
    {
      try await withAsyncPatch(
        """
        local B = module "Bank"
        function B.asyncFee(n) return n > 0 and B.asyncFee(n - 1) + 1 or 7 end
        """
      ) {
        await expectEqual(asyncFee(most - 1), most + 6)
        expectEqual(faults(), [])
        await expectEqual(asyncFee(most), 1)
        expectEqual(failures(), [1])
      }
    }
  }
}
