// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What fails, and how: while a patch loads, and while it runs.
  @Suite struct FailureTests {
    @Test func `an unknown method is refused with the nearest names`() {
      expectEqual(
        refusal("local A = class 'Bank.Account'\nfunction A:depositt(n) end"),
        "refused.lua:2: `Bank.Account` has no function `depositt` that can be overridden; did "
          + "you mean `deposit(_:memo:)`?")
    }

    @Test func `an unknown type, module and variable are refused`() {
      expectEqual(
        refusal("class 'Savngs'"),
        "refused.lua:1: waxwingPackageTests.xctest has no type `Savngs`; did you mean `Bank.Savings`?"
      )
      #expect(refusal("module 'Bnk'").contains("did you mean `Bank`?"))
      expectEqual(
        refusal("local x = clas"), "refused.lua:1: undefined variable `clas`; did you mean `class`?"
      )
    }

    @Test
    func `a global that the script has set to nil is nil, whatever the program has of its name`()
      throws
    {
      let account = Account(id: 1, owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        seen = true
        seen, Savings, missing = nil, nil, nil
        function A:describe()
          if seen or Savings or missing then return "set" end
          seen = false
          return tostring(seen)
        end
        """
      ) {
        expectEqual(account.describe(), "false")
        expectEqual(faults(), [])
      }
    }

    @Test func `an ambiguous name is refused with the candidates`() {
      expectEqual(
        refusal("local A = class 'Bank.Account'\nfunction A:rename(o) end"),
        "refused.lua:2: `rename` is ambiguous; write one of:\n    rename(_:)\n    rename(to:)")
      expectEqual(
        refusal("local A = class 'Bank.Account'\nfunction A:add(v) end"),
        "refused.lua:2: `add` is ambiguous; write one of:\n    add(_: Swift.Int)\n    "
          + "add(_: Swift.String)")
    }

    @Test func `a member of another kind says how it is overridden`() {
      #expect(
        refusal("local A = class 'Bank.Account'\nfunction A:title() end")
          .contains("`Bank.Account.title` is overridden as `Account.get[\"title\"]`"))
      #expect(
        refusal("local A = class 'Bank.Account'\nfunction A:make_owner() end")
          .contains("is overridden as `Account.static[\"make(owner:)\"]`"))
    }

    @Test func `inherited methods and stored properties say where to go`() {
      #expect(
        refusal("local S = class 'Savings'\nfunction S:inheritedOnly(n) end")
          .contains("inherits `inheritedOnly` from `Bank.Account`: override it there"))
      #expect(
        refusal("local A = class 'Bank.Account'\nfunction A.get:balance() end")
          .contains("`Bank.Account.balance` is a stored property"))
      #expect(
        refusal("local S = class 'Savings'\nfunction S.get:balance() end")
          .contains("`Bank.Account.balance` is a stored property"))
    }

    @Test func `remedies are of what was written`() {
      #expect(
        refusal("local A = class 'Bank.Account'\nA:describe()")
          .contains(
            "is called on the type Bank.Account, expected Bank.Account; call it on a value of the type"
          ))
      #expect(
        refusal("waxClass{'Bank.Account', 'Bank.Savings'}")
          .hasPrefix("refused.lua:1: the name of a class is a word, not `Bank.Account`"))
    }

    @Test(arguments: [
      ("pack", "it has a parameter pack (`each T`)"),
      ("isolated", "parameter 1 (_) is `isolated`"),
      ("unique", "parameter 1 (_) has type Unique, which cannot be copied"),
    ])
    func `what cannot cross can be overridden, and not be called`(
      method: String, reason: String
    ) throws {
      let unsupported = Unsupported()
      let patch = """
        local U = class 'Bank.Unsupported'
        function U:\(method)(...) return original(self, ...) end
        function U:other() return self:\(method)(1) end
        """
      try withPatch(patch) {
        #expect(unsupported.pack(1, "a") == 1 && unsupported.unique(Unique()) == 1)
        expectEqual(faults(), [])
        expectEqual(unsupported.other(), 5)
        let message = try #require(faults().first)
        #expect(message.contains("Bank.Unsupported.\(method)("), "\(message)")
        #expect(message.contains(reason), "\(message)")
      }
    }

    @Test func `an error at the top level rolls everything back`() throws {
      expectEqual(
        refusal(
          """
          local A = class "Bank.Account"
          function A:describe() return "lua" end
          function A:inheritedOnly() return 0 end
          error("late")
          """), "refused.lua:4: late")
      expectEqual(Account(owner: "a").describe(), "account")
      #expect(refusal("local local").hasPrefix("refused.lua:1: "))
      #expect(refusal("").contains("empty"))
      #expect(refusal("\u{1b}Lua").contains("compiled Lua"))
    }

    @Test func `two overrides of one function in a patch are refused`() {
      #expect(
        refusal(
          "local A = class 'Bank.Account'\nfunction A:describe() end\nfunction A:describe() end"
        )
        .contains("overridden twice in this patch; the first is at refused.lua:2"))
    }

    @Test func `a failing override lets the original answer, once`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        local function deep(t) return t.x.y end
        function A:describe() return deep({}) end
        function A:deposit(n, memo)
          local result = self:ORIGdeposit(n, memo)
          error("after the original")
        end
        """
      ) {
        expectEqual(account.describe(), "account")
        expectEqual(account.deposit(5, memo: "m"), 5)
        expectEqual(account.balance, 5)
        let overrides = try #require(patches().first?.overrides)
        #expect(overrides.map(\.calls) == [1, 1] && overrides.map(\.errors) == [1, 1])
        let error = try #require(overrides[0].lastError)
        expectEqual(error.message, "attempt to index a nil value (field 'x') with 'y'")
        #expect(error.file == "test.lua" && error.line == 2)
        #expect(
          error.traceback.first == "test.lua:2: in function 'deep'"
            || error.traceback[0].contains("test.lua:2"))
        expectEqual(overrides[1].lastError?.message, "after the original")
      }
    }

    @Test func `a failing override of a mutating method leaves what the original did, or nothing`()
      throws
    {
      try withPatch(
        """
        local Point, Large = class "Bank.Point", class "Bank.Large"
        function Point:scale(factor) self:ORIGscale(factor) error("after") end
        function Point.set:doubled(value) self.x = 1000 error("before") end
        function Large:bump(by) self.a = 1000 error("before") end
        """
      ) {
        var point = Point(x: 3, y: 4)
        point.scale(by: 5)
        expectEqual(point.x, 15)
        point.doubled = 8
        expectEqual(point.x, 4)
        var large = Large()
        large.bump(1)
        expectEqual(large.a, 2)
        expectEqual(faults().count, 3)
      }
    }

    @Test func `throws, both ways`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:withdraw(n)
          if n == 1 then error("test error") end
          if n == 2 then throw("thrown") end
          if n == 3 then return (nil).x end
          if n == 4 then
            local ok, err = pcall(self.ORIGwithdraw, self, 10)
            assert(not ok and err.message == "insufficient(10)", tostring(err))
            return -1
          end
          return self:ORIGwithdraw(n)
        end
        """
      ) {
        var caught: [String] = []
        for n in [1, 2] {
          do {
            _ = try account.withdraw(n)
          } catch let error as LuaError {
            caught.append("\(error.message)@\(error.line)")
          }
        }
        expectEqual(caught, ["test error@3", "thrown@4"])
        expectEqual(faults(), [])
        #expect(throws: BankError.insufficient(3)) { try account.withdraw(3) }
        expectEqual(faults().count, 1)
        let four = try account.withdraw(4)
        expectEqual(four, -1)
        #expect(throws: BankError.insufficient(50)) { try account.withdraw(50) }
        account.balance = 60
        let rest = try account.withdraw(50)
        expectEqual(rest, 10)
      }
    }

    @Test func `a patch may ask for faults to be thrown`() throws {
      let account = Account(owner: "Ada")
      try withPatch(
        """
        patch { name = "thrower", on_error = "throw" }
        local A = class "Bank.Account"
        function A:withdraw(n) return (nil).x end
        function A:describe() return (nil).x end
        """
      ) {
        #expect(throws: LuaError.self) { try account.withdraw(3) }
        expectEqual(account.describe(), "account")
      }
    }

    @Test func `ten errors thrown through an override leak nothing`() throws {
      let alive = Census.accounts.alive
      do {
        let account = Account(owner: "Ada")
        let other = Account(owner: "Bob")
        try withPatch(
          "local A = class 'Bank.Account'\nfunction A:transfer_to(n, o) return self:ORIGtransfer_to(n, o) end"
        ) {
          for _ in 0..<10 {
            #expect(throws: BankError.insufficient(9)) { try account.transfer(9, to: other) }
          }
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }
  }
}
