// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Several patches together, and patches that take the place of others.
  @Suite struct TransactionTests {
    private typealias Patch = (text: String, name: String)

    private func describing(_ letter: String, name: String? = nil) -> Patch {
      (
        """
        local A = class "Bank.Account"
        function A:describe() return "\(letter)(" .. self:ORIGdescribe() .. ")" end
        """, name ?? letter
      )
    }

    private func answering(_ number: Int, name: String) -> Patch {
      (
        """
        local A = class "Bank.Account"
        function A:inheritedOnly(n) return \(number) end
        function A:factorial(n) return \(number) end
        """, name
      )
    }

    init() { WaxwingEngine.setLogHandler { _ in } }

    @Test func `several patches start together, the last one newest`() throws {
      let account = Account(owner: "Ada")
      let sessions = try WaxwingEngine.apply(
        texts: [describing("a"), describing("b"), describing("c")])
      expectEqual(sessions.map(\.name), ["a", "b", "c"])
      expectEqual(account.describe(), "c(b(a(account)))")
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.endedPatches == ["c", "b", "a"] && restoration.isComplete)
      expectEqual(account.describe(), "account")
    }

    @Test func `of patches of which one fails, none stays`() throws {
      let account = Account(owner: "Ada")
      let older = try WaxwingEngine.start(text: describing("o").text, name: "older")
      let wrong: [Patch] = [
        ("local x = = 1", "syntax"), ("nope()", "name"),
        ("local A = class 'Bank.Account'\nfunction A:nothing() end", "selector"),
        ("error('no')", "error"), (describing("x").text, "a"),
      ]
      for patch in wrong {
        for patches: [Patch] in [
          [describing("a"), patch, describing("b")], [describing("a"), describing("b"), patch],
        ] {
          #expect(throws: WaxwingError.self) {
            try WaxwingEngine.apply(texts: patches, replacingAll: true)
          }
          expectEqual(account.describe(), "o(account)")
          expectEqual(EngineSuite.names, ["older"])
          expectEqual(WaxwingEngine.versions, ["Bank.Account": 1])
        }
      }
      let restoration = try WaxwingEngine.end(older)
      #expect(restoration.isComplete && WaxwingEngine.versions == [:])
    }

    @Test func `a cumulative patch takes the place of all earlier ones in one step`() throws {
      let account = Account(owner: "Ada")
      try WaxwingEngine.apply(texts: [describing("a"), answering(5, name: "five")])
      #expect(account.describe() == "a(account)" && account.inheritedOnly(1) == 5)
      let all = try WaxwingEngine.apply(texts: [describing("z", name: "all")], replacingAll: true)
      expectEqual(EngineSuite.names, ["all"])
      expectEqual(account.describe(), "z(account)")
      expectEqual(account.inheritedOnly(1), 2)  // not mentioned: at baseline
      let end = try WaxwingEngine.end(all[0])
      #expect(end.isComplete && account.describe() == "account")
    }

    @Test func `a newer version takes the place of the older one in the stack`() throws {
      let account = Account(owner: "Ada")
      try WaxwingEngine.apply(texts: [describing("a"), describing("b"), describing("c")])
      try WaxwingEngine.apply(texts: [describing("d"), describing("B", name: "b")])
      expectEqual(account.describe(), "d(c(B(a(account))))")
      expectEqual(EngineSuite.names, ["a", "b", "c", "d"])
      try WaxwingEngine.restore()
    }

    @Test func `a call in an outer patch comes to the newer version of an inner one`() throws {
      let gate = Gate.shared
      let account = UncheckedBox(Account(owner: "Ada"))
      let found = LogLines()
      try WaxwingEngine.start(text: describing("a").text, name: "a")
      try WaxwingEngine.start(
        text: """
          local A, Gate = class "Bank.Account", class "Bank.Gate"
          function A:describe()
            Gate.shared:pass()
            return "o(" .. self:ORIGdescribe() .. ")"
          end
          """, name: "outer")
      gate.close()
      let caller = Thread.start(1) { found.add(account.value.describe()) }
      expectEventually(gate.waiting, 1)
      try WaxwingEngine.apply(texts: [describing("A", name: "a")])
      gate.open()
      caller.waitInTime()
      expectEqual(found.all, ["o(A(account))"])
      expectEqual(faults(), [])
      try WaxwingEngine.restore()
    }

    @Test func `what is live already, to the byte, stays as it is`() throws {
      let account = Account(owner: "Ada")
      let counting: Patch = (
        "count = 0\nlocal A = class 'Bank.Account'\n"
          + "function A:inheritedOnly(n) count = count + 1 return count end", "counting"
      )
      let first = try WaxwingEngine.apply(texts: [counting, describing("a")])
      expectEqual([1, 1, 1].map(account.inheritedOnly), [1, 2, 3])
      let second = try WaxwingEngine.apply(texts: [describing("b"), counting], replacingAll: true)
      expectEqual(second[1], first[0])
      expectEqual(account.inheritedOnly(1), 4)
      expectEqual(account.describe(), "b(account)")
      expectEqual(EngineSuite.names, ["counting", "b"])
      try WaxwingEngine.restore()
    }

    @Test func `two functions in two patches are never seen half way`() throws {
      let account = UncheckedBox(Account(owner: "Ada"))
      let wrong = Atomic(0)
      let isOver = Atomic(false)
      let calls = Atomic(0)
      func patches(_ round: Int) -> [Patch] {
        [
          (
            "local A = class 'Bank.Account'\nfunction A:inheritedOnly(n) return \(round) end",
            "one"
          ),
          ("local A = class 'Bank.Account'\nfunction A:factorial(n) return \(round) end", "two"),
        ]
      }
      try WaxwingEngine.apply(texts: patches(1000))
      let callers = Thread.start(3) {
        while !isOver.load(ordering: .relaxed) {
          let first = account.value.inheritedOnly(1)
          let second = account.value.factorial(1)
          let third = account.value.inheritedOnly(1)
          // Never the baseline (2 and 1), never back.
          if first < 1000 || second < first || third < second {
            wrong.add(1, ordering: .relaxed)
          }
          calls.add(1, ordering: .relaxed)
        }
      }
      for round in 1001...1100 {
        try WaxwingEngine.apply(texts: patches(round), replacingAll: round % 2 == 0)
        #expect(account.value.inheritedOnly(1) == round && account.value.factorial(1) == round)
      }
      isOver.store(true, ordering: .relaxed)
      callers.waitInTime()
      expectEqual(wrong.load(ordering: .relaxed), 0)
      #expect(calls.load(ordering: .relaxed) > 0)
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete)
      #expect(account.value.inheritedOnly(1) == 2 && account.value.factorial(1) == 1)
    }

    @Test func `class versions go up with each session and down again, in any order`() throws {
      expectEqual(WaxwingEngine.versions, [:])
      let first = try WaxwingEngine.start(text: describing("a").text, name: "a")
      let second = try WaxwingEngine.start(
        text: describing("b").text + "\nlocal B = module 'Bank'\nfunction B.fee(n) return 0 end",
        name: "b")
      expectEqual(WaxwingEngine.versions, ["Bank.Account": 2, "Bank": 1])
      expectEqual(patches().map(\.classVersions)[0], ["Bank.Account": 2])
      try WaxwingEngine.end(first)
      expectEqual(WaxwingEngine.versions, ["Bank.Account": 1, "Bank": 1])
      try WaxwingEngine.end(second)
      expectEqual(WaxwingEngine.versions, [:])
    }

    @Test func `explain tells who overrides a function, in order, and where the original is`()
      throws
    {
      let baseline = try WaxwingEngine.explain("Bank.Account.describe")
      #expect(baseline.name == "Bank.Account.describe()" && baseline.steps.isEmpty)
      #expect(baseline.isAtBaseline && baseline.offset > 0 && !baseline.image.isEmpty)
      let account = Account(owner: "Ada")
      try WaxwingEngine.apply(texts: [describing("a"), describing("b")])
      _ = (account.describe(), account.describe())
      let point = try WaxwingEngine.explain("Bank.Account.describe()")
      expectEqual(point.steps.map(\.patch), ["b", "a"])
      expectEqual(point.steps.map(\.place), ["b.lua:2", "a.lua:2"])
      #expect(point.steps.map(\.calls) == [2, 2] && point.steps.map(\.errors) == [0, 0])
      #expect(!point.isAtBaseline && point.offset == baseline.offset)
      try WaxwingEngine.restore()
      #expect(try WaxwingEngine.explain("Bank.Account.describe()").isAtBaseline)
    }

    @Test(arguments: [
      ("Bank.Account.title.get", "Bank.Account.title.get"), ("Bank.fee", "Bank.fee(_:)"),
      ("Bank.Account.make(owner:)", "Bank.Account.make(owner:)"),
      ("Account.describe", "Bank.Account.describe()"),
    ])
    func `explain finds accessors, free and static functions, also by a part of the name`(
      written: String, name: String
    ) throws {
      try expectEqual(WaxwingEngine.explain(written).name, name)
    }

    @Test(arguments: [
      ("Bank.Account.describes", "did you mean"),
      ("describe", "`describe` is part of the names of several functions"),
      ("Bank.Acount.describe", "did you mean"),
    ])
    func `explain says why a name means nothing`(written: String, part: String) {
      do {
        _ = try WaxwingEngine.explain(written)
        Issue.record("it was found")
      } catch let error as WaxwingError {
        let code: WaxwingError.Code = written == "describe" ? .refused : .notFound
        #expect(error.code == code && error.message.contains(part), "\(error.message)")
      } catch {
        Issue.record(error)
      }
    }

    @Test func `a laggard is named with thread, function, age and Lua stack`() throws {
      let gate = Gate.shared
      gate.close()
      try WaxwingEngine.start(
        text: """
          local Gate = class "Bank.Gate"
          local function wait(gate) return gate:ORIGpass() end
          function Gate:pass()
            local passed = wait(self)
            return passed
          end
          """, name: "slow")
      let caller = Thread.start(1, name: "slow-caller") { _ = Gate.shared.pass() }
      expectEventually(gate.waiting, 1)
      letOthersRun(for: .milliseconds(20))
      let restoration = try WaxwingEngine.restore(waitAtMost: .milliseconds(50))
      let laggard = try #require(restoration.laggards.first)
      expectEqual(restoration.laggards.count, 1)
      #expect(laggard.patch == "slow" && laggard.function == "Bank.Gate.pass()")
      #expect(laggard.threadName == "slow-caller", "\(laggard)")
      #expect(laggard.seconds > 0.01 && laggard.seconds < 600)
      #expect(
        laggard.stack == [
          "[C]: in method 'ORIGpass'", "slow.lua:2: in upvalue 'wait'",
          "slow.lua:4: in function <anonymous>",
        ] || laggard.stack.contains { $0.hasPrefix("slow.lua:2") }, "\(laggard.stack)")
      #expect(!restoration.isComplete)
      expectEqual(patches().map(\.state), [.draining])
      gate.open()
      caller.waitInTime()
      let again = try WaxwingEngine.restore()
      #expect(again.isComplete && patches().isEmpty)
    }
  }

  fileprivate static var names: [String] { patches().map(\.name) }
}

/// Lets several threads use an object that knows nothing of threads.
private final class UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension Thread {
  /// Threads that run `body` once each; wait for them.
  fileprivate static func start(
    _ count: Int, name: String = "", _ body: @escaping @Sendable () -> Void
  ) -> DispatchGroup {
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      let thread = Thread {
        if !name.isEmpty {
          try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
        }
        body()
        group.leave()
      }
      thread.start()
    }
    return group
  }
}
