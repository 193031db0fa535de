// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Bundles of patches: what goes in together, what is refused, what goes out and in which order.
  @Suite struct BundleTests {
    private let lines = LogLines()

    init() {
      let lines = lines
      WaxwingEngine.setLogHandler { lines.add($0.line) }
    }

    private func baseline(_ account: Account, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(account.describe() == "account", sourceLocation: sourceLocation)
      #expect(account.inheritedOnly(1) == 2, sourceLocation: sourceLocation)
      #expect(account.factorial(4) == 24, sourceLocation: sourceLocation)
      #expect(fee(1000) == 10, sourceLocation: sourceLocation)
    }

    @Test func `a bundle of all patches passes the probes of each`() throws {
      let account = Account(owner: "Ada")
      baseline(account)
      try WaxwingEngine.apply(texts: [
        ("local A = class 'Bank.Account'\nfunction A:describe() return 'one' end", "one"),
        ("local A = class 'Bank.Account'\nfunction A:inheritedOnly(n) return n * 10 end", "two"),
        (
          "local A = class 'Bank.Account'\nA:after('factorial', function(_, r) return r + 1 end)",
          "three"
        ),
        ("local B = module 'Bank'\nfunction B.fee(n) return 7 end", "four"),
      ])
      #expect(account.describe() == "one" && account.inheritedOnly(3) == 30)
      #expect(account.factorial(1) == 2 && fee(1000) == 7)
      expectEqual(faults(), [])
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete && restoration.entriesVerified >= 4)
      baseline(account)
    }

    @Test func `all are taken out newest first, with nothing left`() throws {
      let account = Account(owner: "Ada")
      for name in ["a", "b", "c"] {
        try WaxwingEngine.start(
          text: """
            local A = class "Bank.Account"
            function A:describe() return "\(name)(" .. self:ORIGdescribe() .. ")" end
            on("ending", function() log.info("ending \(name)") end)
            on("ended", function() log.info("ended \(name)") end)
            """, name: name)
      }
      expectEqual(account.describe(), "c(b(a(account)))")
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.endedPatches == ["c", "b", "a"] && restoration.isComplete)
      let endings = lines.all.filter { $0.contains("patch.log: ending") }
      expectEqual(endings.map { $0.contains("ending c") }, [true, false, false])
      expectEqual(lines.all.filter { $0.contains("patch.log: ended") }.count, 3)
      baseline(account)
    }

    @Test func `what is there already is not put in twice`() throws {
      let account = Account(owner: "Ada")
      let patch = (
        text: """
        local A = class "Bank.Account"
        function A:inheritedOnly(n) return self:ORIGinheritedOnly(n) + 100 end
        """, name: "again"
      )
      let first = try WaxwingEngine.apply(texts: [patch])
      let second = try WaxwingEngine.apply(texts: [patch])
      #expect(first == second && patches().count == 1)
      expectEqual(account.inheritedOnly(1), 102)
      #expect(throws: WaxwingError.self) {
        try WaxwingEngine.start(text: patch.text, name: patch.name)
      }
      #expect(throws: WaxwingError.self) { try WaxwingEngine.apply(texts: [patch, patch]) }
      expectEqual(account.inheritedOnly(1), 102)
      try WaxwingEngine.restore()
      baseline(account)
    }

    @Test(arguments: [
      "A.get:describe = 1",
      "function A.get:describe() return 'x' end",
      "function A.static:describe() return 'x' end",
      "A:instead('make(owner:)', function() end)",
      "A.static:before('make(owner:)', function() end, { instance = 'x' })",
      "function A:describe() return 'x' end function A:describe() return 'y' end",
      "A:before('describe', 7)",
    ])
    func `kinds that do not go together are refused, and change nothing`(
      line: String
    ) throws {
      let account = Account(owner: "Ada")
      let older = try WaxwingEngine.start(
        text: "local A = class 'Bank.Account'\nfunction A:describe() return 'older' end",
        name: "older")
      #expect(throws: WaxwingError.self) {
        try WaxwingEngine.start(text: "local A = class 'Bank.Account'\n\(line)", name: "wrong")
      }
      #expect(account.describe() == "older" && patches().map(\.name) == ["older"])
      expectEqual(WaxwingEngine.versions, ["Bank.Account": 1])
      try WaxwingEngine.end(older)
      baseline(account)
    }

    @Test func `a patch for a function that is not there, or is another, is refused`() throws {
      for text in [
        "local A = class 'Bank.Account'\nA['describe(_:)'] = function() end",
        "local A = class 'Bank.Account'\nA['inheritedOnly(_: Swift.String)'] = function() end",
        "local A = class 'Bank.Acount'", "local N = module 'Benk'",
      ] {
        let reason = refusal(text)
        #expect(reason.hasPrefix("refused.lua:"), "\(reason)")
        #expect(reason.contains("did you mean") || reason.contains("has no"), "\(reason)")
      }
    }

    @Test func `a field that a patch adds has its default for old objects, and goes with it`()
      throws
    {
      let alive = Census.accounts.alive
      do {
        let old = Account(owner: "Old")
        let text = """
          local A = class "Bank.Account"
          A:field("mark", "default")
          A:after("init(owner:)", function(self) self.mark = "new" end)
          function A:describe() return self.mark end
          """
        for _ in 0..<2 {
          try withPatch(text) {
            let new = Account(owner: "New")
            #expect(old.describe() == "default" && new.describe() == "new")
            expectEqual(old.describe(), "default")
            expectEqual(faults(), [])
          }
          expectEqual(old.describe(), "account")
        }
      }
      expectEqual(Census.accounts.alive, alive)
    }
  }
}
