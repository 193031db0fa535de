// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import HeapProbe
import Synchronization
import Testing
import Waxwing
import WaxwingBridge

extension EngineSuite {
  /// What becomes of conformances when Lua fails, when patches are refused, replaced and ended.
  @Suite struct ConformanceEndTests {
    private func presenter(_ greeting: String, _ more: String = "") -> String {
      """
      conform("Bank.Exhibit", "Presenter", {
        present = function(self, who) return "\(greeting) " .. who end,
        lines = function(self, start, count) return {} end,
        parse = function(self, text) return 1 end,
        advance = function(self, step) return step end,
        get = { title = function(self) return self.owner end },
        set = { title = function(self, value) self.owner = value end },
      })
      \(more)
      """
    }

    // MARK: Answers

    @Test func `what Lua fails at is answered with the fallback, or a neutral value`() throws {
      let exhibit = Exhibit(owner: "ada")
      try withPatch(
        """
        conform("Bank.Exhibit", "Presenter", {
          present = fallback(function(self, who) error "broken" end, "sorry"),
          lines = function(self, start, count) error "broken" end,
          parse = function(self, text) return "no number" end,
          advance = function(self, step) return {} end,
          get = { title = function(self) return self.owner end },
          set = { title = function(self, value) error "broken" end },
        })
        """
      ) {
        let presenter = try #require(exhibit as Any as? any Presenter)
        expectEqual(presenter.present("you"), "sorry")
        expectEqual(presenter.lines(from: 1, count: 2), [])
        let error = #expect(throws: LuaError.self) { try presenter.parse("x") }
        #expect(error?.message.contains("returned a wrong value") == true)
        expectEqual(advanced(exhibit, 2), 0)
        setTitle(exhibit, "new")
        expectEqual(presenter.title, "ada")
        expectEqual(faults().count, 4)
      }
    }

    @Test func `who still has the existential gets answers after the end`() throws {
      let exhibit = Exhibit(owner: "bo")
      var kept: (any Presenter)?
      try withPatch(presenter("hi")) {
        kept = exhibit as Any as? any Presenter
        expectEqual(kept?.present("you"), "hi you")
      }
      var presenter = try #require(kept)
      expectEqual(presenter.present("you"), "")
      expectEqual(presenter.lines(from: 1, count: 2), [])
      expectEqual(presenter.title, "")
      presenter.title += "x"
      expectEqual(exhibit.owner, "bo")
      let error = #expect(throws: LuaError.self) { try presenter.parse("x") }
      expectEqual(
        error?.message,
        "Bank.Exhibit.parse(_:) belongs to a patch that has ended, or that is switched off")
      try withPatch(self.presenter("again")) {
        expectEqual(presenter.present("you"), "again you")
      }
    }

    @Test func `a value that cannot be answered for needs a fallback`() throws {
      expectEqual(
        refusal(
          #"conform("Bank.Exhibit", "ExhibitKeeper", { kept = function(self) return self end })"#),
        "refused.lua:1: Bank.ExhibitKeeper.kept() returns Bank.Exhibit, and there is no neutral "
          + "value to return if the Lua function fails: provide one, fallback(f, value)")
      let exhibit = Exhibit(owner: "cy")
      var kept: (any ExhibitKeeper)?
      try withPatch(
        """
        local nobody = class("Bank.Exhibit")("nobody")
        conform("Bank.Exhibit", "ExhibitKeeper", {
          kept = fallback(function(self) if self.owner == "x" then error "x" end return self end, nobody),
        })
        """
      ) {
        #expect(keptExhibit(exhibit) === exhibit)
        expectEqual(keptExhibit(Exhibit(owner: "x"))?.owner, "nobody")
        kept = exhibit as Any as? any ExhibitKeeper
      }
      expectEqual(kept?.kept().owner, "nobody")
    }

    // MARK: Refusals

    @Test func `a missing requirement is refused with what to write`() {
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "Presenter", { present = function() end })"#),
        "refused.lua:1: Bank.Presenter requires `title: Swift.String { get }`, which "
          + "Bank.Exhibit does not have: give get = { title = function(self) … end }")
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "ExhibitWatcher")"#),
        "refused.lua:1: Bank.ExhibitWatcher requires `seen: Swift.Int { get }`, which "
          + "Bank.Exhibit does not have: give get = { seen = function(self) … end }")
      expectEqual(
        refusal(
          #"conform("Bank.Exhibit", "ExhibitSource", {}, { types = { Item = "Int" } })"#),
        "refused.lua:1: Bank.ExhibitSource requires `items(_: Swift.Int) -> [Self.Item]`, which "
          + "Bank.Exhibit does not have: give items = function(self, a) … end")
    }

    @Test func `names that mean nothing are refused with near ones`() {
      #expect(
        refusal(#"conform("Bank.Exhibit", "Presentr", {})"#).hasSuffix(
          "has no protocol `Presentr`; did you mean `Presenter`?"))
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "Presenter", { presnt = function() end })"#),
        "refused.lua:1: Bank.Presenter does not require `method presnt`; did you mean `present`?")
      #expect(
        refusal(#"conform("Bank.Exhibit", "Presenter", { get = { present = function() end } })"#)
          .hasPrefix("refused.lua:1: Bank.Presenter does not require `getter present`"))
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "Presenter", { present = 5 })"#),
        "refused.lua:1: what conform gives for `present` is a function, not a number")
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "Presenter", {}, { type = {} })"#),
        "refused.lua:1: conform has no option `type`; it has `types`")
    }

    @Test func `what cannot be conformed to is refused with the reason`() {
      expectEqual(
        refusal(#"conform("Bank.ModelWatcher", "ExhibitWatcher", {})"#),
        "refused.lua:1: Bank.ModelWatcher conforms to Bank.ExhibitWatcher already: override its "
          + "members instead")
      expectEqual(
        refusal(#"conform("Bank.ModelPresenter", "ExhibitWatcher", {})"#),
        "refused.lua:1: Bank.ModelPresenter is a struct: only classes can be given a conformance")
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "Lonely", { alone = function() return 1 end })"#),
        "refused.lua:1: nothing tells what requirement 1 of Bank.Lonely is: the names of "
          + "requirements are in the witness tables of the types that conform, and the program has "
          + "none that tells; let any type of the program conform to it")
      expectEqual(
        refusal(
          #"conform("Bank.Exhibit", "ExhibitSecret", { secret = function() return 1 end })"#),
        "refused.lua:1: Bank.ExhibitSecret is not public, and one type of the program conforms to "
          + "it: optimised code may take whatever conforms for that; let the protocol be public, or "
          + "another type conform")
      expectEqual(
        refusal(#"conform("Bank.Exhibit", "ExhibitSource", {})"#),
        "refused.lua:1: Bank.ExhibitSource has the associated type `Item`, and nothing "
          + "determines it for Bank.Exhibit: give it in the fourth argument of `conform`, { types = { Item = "
          + "\"Swift.Int\" } }")
      expectEqual(
        refusal(
          #"conform("Bank.Exhibit", "ExhibitSource", {}, { types = { Item = "Bank.Exhibit" } })"#),
        "refused.lua:1: Bank.ExhibitSource requires Self.Item: Equatable, which Bank.Exhibit "
          + "does not conform to")
      expectEqual(
        refusal(
          """
          conform("Bank.Exhibit", "ExhibitOwner", {
            owned = fallback(function(self) return self end, class("Bank.Exhibit")("x")),
            visit = function() return true end,
          })
          """),
        "refused.lua:1: Bank.ExhibitOwner.visit(_:): it is generic, and a Lua function "
          + "cannot be")
    }

    @Test func `twice in one patch, or in two, is refused`() throws {
      expectEqual(
        refusal(presenter("a", presenter("b"))),
        "refused.lua:9: this patch makes Bank.Exhibit conform to Bank.Presenter already")
      let session = try WaxwingEngine.start(text: presenter("first"), name: "first")
      defer { _ = try? WaxwingEngine.end(session) }
      do {
        let other = try WaxwingEngine.start(text: presenter("second"), name: "second")
        try WaxwingEngine.end(other)
        Issue.record("the patch was not refused")
      } catch let error as WaxwingError {
        expectEqual(
          error.message,
          "second.lua:1: the patch `first` makes Bank.Exhibit conform to Bank.Presenter already")
      }
      expectEqual(presented(Exhibit(owner: "x"), to: "you"), "x: first you")
    }

    @Test func `two patches of one operation that do the same are refused together`() {
      let error = #expect(throws: WaxwingError.self) {
        try WaxwingEngine.apply(
          texts: [(presenter("a"), "first"), (presenter("b"), "second")])
      }
      expectEqual(
        error?.message,
        "second.lua: the patch `first` makes Bank.Exhibit conform to Bank.Presenter already")
      #expect(patches().isEmpty)
      #expect(!isPresenter(Exhibit(owner: "x")))
    }

    @Test func `a conformance is declared while the patch loads`() throws {
      try withPatch(
        """
        local Exhibit = class "Bank.Exhibit"
        function Exhibit:size(scale) conform(Exhibit, "ExhibitGrid", {}) end
        """
      ) {
        expectEqual(Exhibit(owner: "x").size(scale: 2), 0)
        expectEqual(
          faults(),
          [
            "test.lua:2: conformances are declared while the patch loads; this comes too late"
          ])
      }
    }

    // MARK: Lives

    @Test func `a parallel patch conforms in all of its states`() throws {
      try withPatch("patch { name = \"test\", parallel = true }\n" + presenter("hi")) {
        nonisolated(unsafe) let exhibit = Exhibit(owner: "p")
        let texts = LogLines()
        onThreads(4) { _ in
          for _ in 0..<100 { texts.add(presented(exhibit, to: "x")) }
        }
        expectEqual(Set(texts.all), ["p: hi x"])
      }
    }

    @Test func `restoring the program ends conformances`() throws {
      let exhibit = Exhibit(owner: "r")
      _ = try WaxwingEngine.start(text: presenter("hi"), name: "restored")
      #expect(isPresenter(exhibit))
      #expect(try WaxwingEngine.restore().isComplete)
      #expect(!isPresenter(exhibit))
    }

    @Test func `it is listed, explained and counted`() throws {
      let name = "Bank.Exhibit.present(_:) of Presenter"
      try withPatch(presenter("hi")) {
        _ = presented(Exhibit(owner: "x"), to: "you")
        let patch = try #require(patches().first)
        let selectors = patch.overrides.map { "\($0.owner).\($0.selector) \($0.calls)" }
        expectEqual(
          selectors,
          [
            "Bank.Exhibit.title.get of Presenter 1", "Bank.Exhibit.title.set of Presenter 0",
            "\(name) 1", "Bank.Exhibit.lines(from:count:) of Presenter 0",
            "Bank.Exhibit.parse(_:) of Presenter 0", "Bank.Exhibit.advance(by:) of Presenter 0",
          ])
        expectEqual(patch.classVersions, ["Bank.Exhibit": 1])
        try expectEqual(WaxwingEngine.explain(name).steps.map(\.patch), ["test"])
      }
    }

    @Test func `a new version of the patch takes over, also with other types`() throws {
      let folder = try PatchFolder()
      let exhibit = Exhibit(owner: "dot")
      defer { _ = try? WaxwingEngine.restore() }
      func source(_ version: Int, _ type: String, _ value: String) -> String {
        """
        patch { name = "source", version = \(version) }
        conform("Bank.Exhibit", "ExhibitSource", {
          items = function(self, count) return { \(value) } end,
          first = function(self) return nil end,
          pair = function(self, item) return item, \(version) end,
          fetch = function(self, index) return \(value) end,
          wait = function(self) return \(version) end,
        }, { types = { Item = "\(type)" } })
        """
      }
      for (version, type, value) in [
        (1, "Int", "10"), (2, "Int", "20"), (3, "String", "'x'"), (4, "[Int?]", "{ 1 }"),
      ] {
        try folder.write(source(version, type, value), "source.lua")
        _ = try WaxwingEngine.apply(folder.path("source.lua"))
        let text = allItems(exhibit)
        let expected = [
          "[10] nil [1] Int", "[20] nil [2] Int", #"["x"] nil [3] String"#,
          "[[Optional(1)]] nil [4] Array<Optional<Int>>",
        ][version - 1]
        expectEqual(text, expected)
      }
      #expect(try WaxwingEngine.restore().isComplete)
      expectEqual(allItems(exhibit), "no source")
    }

    @Test func `applying it a thousand times takes no more slots`() throws {
      let exhibit = Exhibit(owner: "eli")
      var before = (0, 0, 0)
      for round in 0..<1000 {
        let session = try WaxwingEngine.start(text: presenter("\(round)"), name: "again")
        expectEqual(presented(exhibit, to: "x"), "eli: \(round) x")
        try WaxwingEngine.end(session)
        #expect(!isPresenter(exhibit))
        if round == 199 {
          before = (MadeConformances.count, MadeConformances.bytes, Int(heap_probe_bytes()))
        }
      }
      expectEqual(MadeConformances.count, before.0)
      expectEqual(MadeConformances.bytes, before.1)
      let grown = (Int(heap_probe_bytes()) - before.2) / 800
      print("bytes of the heap for each round:", grown)
      #expect(grown < 400)
    }

    @Test func `other threads call while patches come and go`() throws {
      let exhibit = Exhibit(owner: "fay")
      let isOver = Atomic(false)
      let wrong = LogLines()
      let ready = DispatchSemaphore(value: 0)
      nonisolated(unsafe) let shared = exhibit
      let worker = Thread {
        ready.signal()
        while !isOver.load(ordering: .relaxed) {
          let text = presented(shared, to: "x")
          let isKnown = ["no presenter", ": ", "fay: ", ": hi x", "fay: hi x"].contains(text)
          if !isKnown { wrong.add(text) }
        }
        ready.signal()
      }
      worker.stackSize = 1 << 20
      worker.start()
      ready.waitInTime()
      for _ in 0..<200 {
        let session = try WaxwingEngine.start(text: presenter("hi"), name: "race")
        letOthersRun(for: .microseconds(200))
        try WaxwingEngine.end(session)
      }
      isOver.store(true, ordering: .relaxed)
      ready.waitInTime()
      expectEqual(wrong.all, [])
      #expect(!isPresenter(exhibit))
    }

    @Test func `a call that is in a requirement goes on when its patch ends`() throws {
      let exhibit = Exhibit(owner: "gus")
      let session = try WaxwingEngine.start(
        text: presenter("hi").replacingOccurrences(
          of: "return \"hi \" .. who",
          with: "for i = 1, 300000 do end return \"late \" .. who"), name: "slow")
      nonisolated(unsafe) let presenter = try #require(exhibit as Any as? any Presenter)
      let answers = LogLines()
      onThreads(2) { index in
        if index == 0 {
          answers.add(presenter.present("you"))
        } else {
          letOthersRun(for: .microseconds(500))
          _ = try? WaxwingEngine.end(session)
        }
      }
      #expect([["late you"], [""]].contains(answers.all))
      expectEqual(presenter.present("you"), "")
      #expect(!isPresenter(exhibit))
    }
  }
}
