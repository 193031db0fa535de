// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import PassThrough
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides that only call the original leave the program as it was.
  @Suite struct PassThroughTests {
    @Test func `accessors that change self, and setters that do not`() throws {
      let patch = """
        local L, H = class "PassThrough.Lazy", class "PassThrough.Handle"
        local W = class "PassThrough.WideHandle"
        function L.get:squared() return original(self) end
        function L.get:next() return original(self) end
        L.get["subscript(_:)"] = function(self, i) return original(self, i) end
        function H.get:value() return original(self) end
        function H.set:value(v) return original(self, v) end
        H.set["subscript(_:)"] = function(self, ...) return original(self, ...) end
        function W.get:value() return original(self) end
        function W.set:value(v) return original(self, v) end
        function W.get:sum() return original(self) end
        """
      try withPatch(patch) {
        var lazy = Lazy(seed: 7)
        expectEqual([lazy.squared, lazy.next, lazy.next, lazy[5], lazy.reads], [49, 8, 9, 22, 3])
        lazy.seed = 8
        expectEqual(lazy.squared, 49)  // kept
        let handle = Handle(Cell(5))
        handle.value = 8
        expectEqual(handle.value, 8)
        handle[3] = 60
        expectEqual(handle.cell.value, 20)
        var wide = WideHandle(Cell(5))
        wide.value = 8
        expectEqual([wide.value, wide.cell.value, wide.sum], [8, 7, 10])
        expectEqual(faults(), [])
      }
    }

    @Test func `a script may say what a getter does with self`() throws {
      let patch = """
        class("PassThrough.Lazy").get["mutating next"] = function(self) return original(self) end
        """
      try withPatch(patch) {
        var lazy = Lazy(seed: 1)
        expectEqual([lazy.next, lazy.next], [2, 3])
      }
    }

    @Test func `static members and initializers run for the class that they are called on`() throws
    {
      let patch = """
        local S, Q = class "PassThrough.Shape", class "PassThrough.Square"
        S["init()"] = function(self) return original(self) end
        S["init(named:)"] = function(self, n) return original(self, n) end
        S["init(required:)"] = function(self, n) return self:ORIGinit_required(n) end
        S["init(twice:)"] = function(self, n) return original(self, n) end
        function S:area() return self:ORIGarea() end
        function Q:area() return self:ORIGarea() end
        function S.static:make() return original(self) end
        function S.static:describe() return self:ORIGdescribe() end
        function S.static.get:title() return self:ORIGtitle() end
        function Q.static.get:title() return self:ORIGtitle() end
        """
      try withPatch(patch) {
        #expect(Square().area() == 9 && Square().name == "a Square" && Shape().area() == 1)
        #expect(Square.make().name == "Square 2" && Shape.make().name == "Shape 2")
        #expect(Square.title == "square title of Square" && Shape.title == "title of Shape")
        expectEqual(Square.describe(), "Square")
        #expect(Square(named: "") == nil && Square(named: "x")?.area() == 16)
        expectEqual(Square(twice: "ab").name, "Square 4")
        expectEqual(faults(), [])
      }
    }

    @Test func `static overrides have a super`() throws {
      let patch = """
        local Q = class "PassThrough.Square"
        function Q.static.get:title() return "Q " .. self.super.title .. " " .. self.super:describe() end
        """
      try withPatch(patch) {
        expectEqual(Square.title, "Q title of Square Square")
        expectEqual(Shape.title, "title of Shape")
        expectEqual(faults(), [])
      }
    }

    @Test func `an override of a failable initializer can fail`() throws {
      let alive = Shape.alive
      let patch = """
        local S = class "PassThrough.Shape"
        S["init(named:)"] = function(self, name)
          if name == "no" then return nil end
          original(self, name)
          if name == "late" then return nil end
          return self
        end
        """
      try withPatch(patch) {
        #expect(Shape(named: "no") == nil && Shape(named: "late") == nil)
        #expect(Square(named: "no") == nil && Square(named: "late") == nil)
        #expect(Shape(named: "") == nil && Shape(named: "x")?.name == "x")
        expectEqual(Square(named: "x")?.area(), 16)
        expectEqual(faults(), [])
      }
      expectEqual(Shape.alive, alive)
    }

    @Test func `what a mutating function has changed stays when it throws`() throws {
      for body in [
        "return original(self, n)",
        "local ok, e = pcall(original, self, n) if not ok then throw(e) end return e",
      ] {
        try withPatch("local P = module 'PassThrough' function P.Purse:spend(n) \(body) end") {
          var purse = Purse(coins: 10)
          expectEqual(spend(100, &purse), Refused(after: 9))
          #expect(purse.coins == 9 && purse.log == ["spend 100"])
          #expect(spend(3, &purse) == nil && purse.coins == 5)
        }
      }
      try withPatch("local P = module 'PassThrough' P.Purse:before('spend(_:)', function() end)") {
        var purse = Purse(coins: 10)
        expectEqual(spend(100, &purse), Refused(after: 9))
        expectEqual(purse.coins, 9)
      }
      try withPatch(
        "local P = module 'PassThrough' function P.Purse:spend(n) self.coins = 77 throw('no') end"
      ) {
        var purse = Purse(coins: 10)
        #expect((try? purse.spend(1)) == nil)
        expectEqual(purse.coins, 77)
      }
    }

    /// What it throws.
    private func spend(_ amount: Int, _ purse: inout Purse) -> Refused? {
      do {
        _ = try purse.spend(amount)
        return nil
      } catch {
        return error as? Refused
      }
    }

    @Test func `async: what a mutating function has changed stays when it throws`() async throws {
      let session = try WaxwingEngine.start(
        text:
          "local P = module 'PassThrough' function P.Purse:spendLater(n) return original(self, n) end",
        name: "later")
      var purse = Purse(coins: 10)
      do {
        _ = try await purse.spendLater(100)
        Issue.record("nothing was thrown")
      } catch {
        #expect(error as? Refused == Refused(after: 9))
      }
      expectEqual(purse.coins, 9)
      let left = try await purse.spendLater(2)
      expectEqual(left, 6)
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    @Test func `self of mutating functions on Lua's own values`() throws {
      let patch = """
        local A, S, I = class "Swift.Array", class "Swift.String", class "Swift.Int"
        function A:unqueue() return original(self) end
        function A:unqueueTwo(o) return original(self, o) end
        function A.get:front() return original(self) end
        function A.set:front(v) return original(self, v) end
        A.set["subscript(wrapped:)"] = function(self, ...) return original(self, ...) end
        function S:clamour() return original(self) end
        function S.get:clamoured() return original(self) end
        function S.static.get:loudestCry() return self:ORIGloudestCry() end
        function I:doubleUp() return original(self) end
        function I:threefold() return original(self) end
        local M = class "PassThrough.Measured"
        function M:twofold() return original(self) end
        """
      try withPatch(patch) {
        var list = [1, 2, 3]
        var other = [0]
        #expect(list.unqueue() == 1 && list == [2, 3])
        let count = try list.unqueueTwo(into: &other)
        expectEqual(count, 0)
        #expect(list == [] && other == [0, 2, 3])
        list = [9]
        do {
          _ = try list.unqueueTwo(into: &other)
          Issue.record("nothing was thrown")
        } catch {
          #expect(error as? Refused == Refused(after: 0))
        }
        #expect(list == [] && other == [0, 2, 3, 9])
        list = [4, 5]
        list.front = 9
        list[wrapped: 3] = 7
        #expect(list == [9, 7] && list.front == 9)
        var text = "hey"
        text.clamour()
        #expect(text == "HEY!" && text.clamoured == "HEY!!" && String.loudestCry == "AAA")
        var number = 4
        number.doubleUp()
        #expect(number == 8 && number.threefold() == 24 && "abc".twofold() == 6)
        expectEqual(faults(), [])
      }
    }

    @Test func `an override may return another self, or leave it to the original`() throws {
      try withPatch("function Array:unqueue() local first = original(self) return first end") {
        var list = [1, 2, 3]
        #expect(list.unqueue() == 1 && list == [2, 3])
      }
      try withPatch(
        "function Array:unqueue() local first, rest = original(self) return 7, { first } end"
      ) {
        var list = [1, 2, 3]
        #expect(list.unqueue() == 7 && list == [1])
      }
      try withPatch(
        """
        class("Swift.Array"):after("unqueue()", function(self, first) return first * 10 + #self end)
        """
      ) {
        var list = [1, 2, 3]
        #expect(list.unqueue() == 12 && list == [2, 3])
      }
    }

    @Test func `values that Lua has not changed go back as they were`() throws {
      let names = [
        "bounds", "tail", "rest", "place", "keys", "members", "same", "halves", "parts", "maybe",
        "advance", "anyKeys",
      ]
      let patch = """
        local M = module "PassThrough"
        for name in string.gmatch("\(names.joined(separator: " "))", "%a+") do
          M[name] = function(...) return original(...) end
        end
        function Substring:placed(text) return original(self, text) end
        function Substring:skipOne() return original(self) end
        """
      try withPatch(patch) {
        let numbers = Array(10..<20)
        #expect(bounds(numbers[3..<7]) == [3, 7] && tail(numbers[3...]).startIndex == 4)
        expectEqual(halves(numbers[2..<8]).1.indices, 5..<8)
        let text = "hello,world,x"
        expectEqual(place(rest(text.dropFirst(3)), in: text), 4)
        expectEqual(parts(text.dropFirst(3)).map { place($0, in: text) }, [3, 6, 12])
        #expect(maybe(text.dropFirst(2)).map { place($0, in: text) } == 3 && maybe(nil) == nil)
        var counts: [String: Int] = [:]
        for number in 0..<40 { counts["k\(number)"] = number }
        counts.reserveCapacity(500)
        #expect(
          keys(counts) == Array(counts.keys) && Array(same(counts).keys) == Array(counts.keys))
        let set = Set(counts.keys)
        expectEqual(members(set), Array(set))
        let any = counts as [String: Any]
        expectEqual(anyKeys(any), Array(any.keys))
        var part = text.dropFirst(4)
        advance(&part)
        part.skipOne()
        expectEqual(part.placed(in: text), 6)
        expectEqual(faults(), [])
      }
    }

    @Test func `a slice that Lua has changed is another one`() throws {
      try withPatch(
        """
        local M = module "PassThrough"
        function M.bounds(slice) slice[#slice + 1] = 1 return original(slice) end
        """
      ) {
        expectEqual(bounds(Array(10..<20)[3..<7]), [0, 5])
      }
    }

    @Test func `observers of properties`() throws {
      let patch = """
        local D = class "PassThrough.Dial"
        function D.willSet:position(new) log.info("will " .. new) return original(self, new) end
        function D.didSet:position(old) return original(self, old) end
        function D.didSet:mark() return original(self) end
        """
      try withPatch(patch) {
        let dial = Dial()
        dial.position = 5
        dial.position = 7
        dial.mark = "b"
        expectEqual(dial.notes, ["will 5", "was 0", "will 7", "was 5", "marked b"])
        expectEqual(faults(), [])
      }
    }

    @Test func `consuming methods`() throws {
      let alive = Cell.alive
      let patch = """
        local P = module "PassThrough"
        function P.Parcel:opened() return original(self) end
        function P.Parcel:swapped(with) return original(self, with) end
        function P.Parcel:peeked() return original(self) + original(self) end
        """
      try withPatch(patch) {
        do {
          let parcel = Parcel(Cell(4), "p")
          #expect(parcel.opened().value == 4 && parcel.peeked() == 8)
          expectEqual(parcel.swapped(with: Parcel(Cell(6), "q")).cell.value, 6)
        }
        expectEqual(faults(), [])
      }
      expectEqual(Cell.alive, alive)
    }

    @Test func `types that cannot be copied, packs and values as generic parameters`() throws {
      let alive = Cell.alive
      let patch = """
        local M = module "PassThrough"
        function M.open(number) return original(number) end
        function M.inspect(ticket) assert(tostring(ticket) == "Ticket (opaque)") return original(ticket) end
        function M.close(ticket) return original(ticket) end
        function M.described(...) return original(...) end
        function M.Ticket:number() return original(self) end
        """
      try withPatch(patch) {
        let ticket = open(5)
        #expect(inspect(ticket) == 5 && ticket.number() == 5)
        expectEqual(close(ticket), 5)
        expectEqual(described(1, "a", 2.5), ["1", "a", "2.5"])
        expectEqual(faults(), [])
      }
      expectEqual(Cell.alive, alive)
    }

    @Test func `an opaque self has its originals, and says that it has nothing else`() throws {
      let alive = Cell.alive
      try withPatch(
        """
        local M, H = module "PassThrough", class "PassThrough.Handle"
        function H.get:value() return self:ORIGvalue() end
        function M.Ticket:number()
          local ok, problem = pcall(function() return self.cell end)
          assert(not ok and problem:find("Ticket is opaque here and has no `cell`", 1, true), problem)
          ok, problem = pcall(function() return self:ORIGnumbr() end)
          assert(not ok and problem:find("`ORIGnumbr`", 1, true), problem)
          return self:ORIGnumber() + 1
        end
        """
      ) {
        let ticket = open(5)
        #expect(ticket.number() == 6 && ticket.number() == 6)
        expectEqual(Handle(Cell(4)).value, 4)
        expectEqual(close(ticket), 5)
        expectEqual(faults(), [])
      }
      expectEqual(Cell.alive, alive)
    }

    @Test(arguments: [
      """
      function T:admit(w, t, n) return original(self, w, t, n) end
      function T:refuse(t) return original(self, t) end
      function T:sum(...) return original(self, ...) end
      function B:pass(t, w) return original(self, t, w) end
      """,
      """
      function T:admit(w, t, n) return self:ORIGadmit(w, t, n) end
      function T:refuse(t) self:ORIGrefuse(t) end
      function T:sum(...) return self:ORIGsum(...) end
      function B:pass(t, w) self:ORIGpass(t, w) end
      """,
      """
      T:before("admit(_:_:_:)", function() end)
      T:before("refuse(_:)", function() end)
      T:after("sum(_:_:_:_:_:_:_:_:)", function() end)
      B:after("pass(_:_:)", function() end)
      """,
    ])
    func `what the original changes beside an opaque value stays`(body: String) throws {
      try withPatch(
        "local T, B = class 'PassThrough.Turnstile', class 'PassThrough.Barrier'\n\(body)"
      ) {
        let ticket = open(5)
        var gate = Turnstile()
        #expect(gate.admit(1.5, ticket, "a") == 1 && gate.admit(2, ticket, "b") == 2)
        #expect(throws: Refused(after: 2)) { try gate.refuse(ticket) }
        #expect(gate.admitted == 2 && gate.log == ["a 5 1.5", "b 5 2.0", "refused 5"])
        expectEqual(gate.sum(1, 2, 3, 4, 6, 7, ticket, 8), [1, 2, 3, 4, 6, 7, 5, 8, 2])
        var barrier = Barrier.open
        barrier.pass(ticket, "no")
        guard case .shut(by: "no 5") = barrier else {
          Issue.record("\(barrier)")
          return
        }
        expectEqual(close(ticket), 5)
        expectEqual(faults(), [])
      }
    }

    @Test func `what Lua changes beside an opaque value goes to the original`() throws {
      try withPatch(
        """
        local T = class "PassThrough.Turnstile"
        function T:admit(weight, ticket, note)
          self.admitted = self.admitted + 10
          return original(self, weight + 1, ticket, note .. "!") * 2
        end
        """
      ) {
        let ticket = open(5)
        var gate = Turnstile()
        #expect(gate.admit(1.5, ticket, "a") == 22 && gate.admitted == 11)
        expectEqual(gate.log, ["a! 5 2.5"])
        expectEqual(close(ticket), 5)
        expectEqual(faults(), [])
      }
    }

    @Test func `async: what the original changes beside an opaque value stays`() async throws {
      let session = try WaxwingEngine.start(
        text: """
          local T = class "PassThrough.Turnstile"
          function T:admitLater(ticket, count) return original(self, ticket, count + 1) end
          """, name: "later")
      let ticket = open(5)
      var gate = Turnstile()
      let admitted = await gate.admitLater(ticket, 2)
      #expect(admitted == 3 && gate.admitted == 3 && gate.log == ["later 5"])
      expectEqual(close(ticket), 5)
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    @Test func `labelled tuples with closures inside`() throws {
      let patch = """
        local M = module "PassThrough"
        for _, name in ipairs {
          "plainly", "inner", "everything", "possibly", "handed", "adder", "adders", "renamed",
        } do
          M[name] = function(...) return original(...) end
        end
        """
      try withPatch(patch) {
        expectEqual(inner((one: (change: { $0 + 1 }, name: "n"), number: 2)), "n3")
        expectEqual(everything((steps: [("a", { 3 }), ("b", { 4 })], start: 1)), 8)
        #expect(possibly((run: nil, number: .nan)).isNaN)
        expectEqual(possibly((run: { 2 }, number: 0.5)), 2.5)
        #expect(
          plainly((change: { $0 + 1 }, number: 2)) == 3 && handed { $0.change($0.number) } == 15)
        #expect(adder(3).add(4) == 7 && adders([1, 2])[1].add(5) == 7)
        var list: (steps: [(name: String, run: () -> Int)], start: Int) = ([("a", { 3 })], 1)
        renamed(&list, "b")
        #expect(list.steps.map(\.name) == ["a", "b"] && list.steps.map { $0.run() } == [3, 7])
        expectEqual(faults(), [])
      }
    }

    @Test func `a part of a labelled tuple is one value, by its position and by its label`() throws
    {
      try withPatch(
        """
        local M = module "PassThrough"
        function M.inner(pair)
          assert(pair[1] == pair.one and pair.one[1] == pair.one.change)
          pair.one.change = function(n) return n * 10 end
          pair.one[1] = pair.one.change
          return original(pair)
        end
        function M.everything(list)
          list.steps[1] = { "c", function() return 100 end }
          return original(list)
        end
        """
      ) {
        expectEqual(inner((one: (change: { $0 + 1 }, name: "n"), number: 2)), "n20")
        expectEqual(everything((steps: [("a", { 3 }), ("b", { 4 })], start: 1)), 105)
        expectEqual(faults(), [])
      }
    }

    @Test func `opaque values stay in their call`() throws {
      try withPatch(
        """
        local M, kept = module "PassThrough", nil
        function M.inspect(ticket)
          if kept then return original(kept) end
          kept = ticket
          return original(ticket)
        end
        function M.close(ticket) return 1 end
        """
      ) {
        let ticket = open(5)
        #expect(inspect(ticket) == 5 && inspect(ticket) == 5)
        expectEqual(close(ticket), 5)
        let found = faults()
        expectEqual(found.count, 2)
        #expect(found.contains { $0.contains("opaque value of a call that has ended") })
        #expect(found.contains { $0.contains("did not call the original, which consumes") })
      }
    }

    @Test func `errors of types that nothing tells`() throws {
      try withPatch(
        """
        local P = module "PassThrough"
        function P.Source.get:typed() return original(self) end
        """
      ) {
        let one = try Source(code: nil).typed
        expectEqual(one, 1)
        do {
          _ = try Source(code: .two).typed
          Issue.record("nothing was thrown")
        } catch {
          #expect(error as? Code == .two)
        }
        expectEqual(faults(), [])
      }
    }

    @Test func `recursive enums in generic types, and optionals of nothing`() throws {
      try withPatch(
        """
        local P = module "PassThrough"
        function P.Crate:count() return original(self) end
        module("PassThrough").isThere = function(nothing) return original(nothing) end
        function Optional:orNought() return original(self) end
        """
      ) {
        expectEqual(Crate(tree: .list([.leaf(1), .list([.leaf(2)])]), value: "v").count(), 2)
        #expect(isThere(()) && !isThere(nil))
        #expect(Int?.none.orNought() == 0 && Int?(3).orNought() == 3)
        expectEqual(faults(), [])
      }
    }

    @Test func `a plain self has no ORIG, and the message says what to write`() throws {
      try withPatch("function String:clamour() return self:ORIGclamour() end") {
        var text = "a"
        text.clamour()
        expectEqual(text, "A!")
        #expect(faults().first?.contains("call `original(self, …)`") == true)
      }
    }

    @Test func `more parameters than the function has are warned of`() throws {
      let lines = LogLines()
      WaxwingEngine.setLogHandler { lines.add($0.line) }
      let session = try WaxwingEngine.start(
        text:
          "local P = module 'PassThrough' function P.Shape:area(a, b) return original(self) end",
        name: "warned")
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(
        lines.all.contains { $0.contains("has 2 parameters besides self, but the function has 0") })
    }

    @Test func `rawset on a class is an error`() {
      #expect(
        refusal("rawset(class 'PassThrough.Shape', 'area', function() end)")
          .contains("rawset does not override anything"))
    }
  }
}
