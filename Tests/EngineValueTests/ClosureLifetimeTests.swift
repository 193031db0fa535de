// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import LeakGate
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// A Lua function that Swift stores lives as long as Swift holds it, and is safe after its patch.
  @Suite struct ClosureLifetimeTests {
    @Test func `a function that Swift stored is called after its override, and from other threads`()
      throws
    {
      let closures = Closures()
      try withPatch(
        """
        local C = class "Bank.Closures"
        local calls = 0
        function C:run(n)
          self.handler = function(m) calls = calls + 1 return m + n end
          return 0
        end
        function C:kept() local n = calls return function() return n end end
        """
      ) {
        expectEqual(closures.run(100), 0)
        expectEqual(closures.handler?(1), 101)
        nonisolated(unsafe) let handler = closures.handler!
        onThreads(4) { index in
          for n in 0..<500 where handler(n) != n + 100 { Issue.record("thread \(index): \(n)") }
        }
        expectEqual(closures.kept()?(0), 2001)
        expectEqual(closures.later(5, { handler($0) }), 105)
        expectEqual(faults(), [])
      }
    }

    @Test func `a Lua function runs on a thread of Swift's while its maker waits`() throws {
      let closures = Closures()
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          return self:later(n, function(m) return self:age(m, function(k) return k * 2 end) + 1 end)
        end
        """
      ) {
        expectEqual(closures.run(4), 9)
        expectEqual(faults(), [])
      }
    }

    @Test func `a function that is replaced during its own call completes`() throws {
      let closures = Closures()
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          self.handler = function(m)
            self.handler = function(k) return -k end
            local junk = {}
            for i = 1, 2000 do junk[i] = { i } end
            return m * 2
          end
          return self:ORIGrun(n) * 1000 + self:ORIGrun(n)
        end
        """
      ) {
        expectEqual(closures.run(4), 7996)
        expectEqual(faults(), [])
      }
    }

    @Test func `a function that calls itself through Swift`() throws {
      let closures = Closures()
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          self.handler = function(m)
            if m == 0 then return 0 end
            return m + self:maybe(function() return self.handler(m - 1) end)
          end
          return self:ORIGrun(n)
        end
        """
      ) {
        expectEqual(closures.run(10), 55)
        expectEqual(faults(), [])
      }
    }

    @Test func `1,000 closures each way leave nothing behind`() throws {
      let alive = Closures.census.alive
      let tokens = Pledge.census.alive
      let log = LogLines()
      do {
        let closures = Closures()
        let session = try start(
          """
          local C = class "Bank.Closures"
          function C:run(n)
            for i = 1, 1000 do
              self:keep(function(m) return m + i end)
              assert(self.handler(1) == i + 1)
              self.handlers = { self.handler, self:adder(i) }
              assert(self:holder(self:objects()(i))() == i)
              assert(self:runAll(1)[2] == i + 1)
              assert(self:age(1, function(m) return self:objects()(m).number end) == 1)
            end
            self.handler = nil
            self.handlers = {}
            return 0
          end
          function C:owning(body)
            for i = 1, 1000 do self:ORIGowning(function(token, text) return body(token, text) end) end
            return 1
          end
          """, log)
        expectEqual(closures.run(0), 0)
        expectEqual(closures.owning { $0.number + $1.count }, 1)
        expectEqual(faults(), [])
        #expect(try WaxwingEngine.end(session).heldFunctions.isEmpty)
      }
      expectEqual(Closures.census.alive, alive)
      expectEqual(Pledge.census.alive, tokens)
      expectEqual(log.all, [])
    }

    /// A leak shows every time, other suites of the process take memory now and then.
    private func expectNoGrowth(
      sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
    ) rethrows {
      var growth: [Int] = []
      for _ in 0..<5 {
        let before = LeakCycle.heapBytes
        try body()
        growth.append(LeakCycle.heapBytes - before)
        if growth.last! < 200_000 { return }
      }
      Issue.record("bytes more after each round: \(growth)", sourceLocation: sourceLocation)
    }

    @Test func `closures that do not escape leave no memory behind either`() throws {
      let closures = Closures()
      try withPatch(
        """
        local C = class "Bank.Closures"
        function C:nested(body)
          return self:ORIGnested(function(inner, n) return body(inner, n) + body(function() return 1 end, n) end)
        end
        """
      ) {
        func call(_ times: Int) {
          for _ in 0..<times where closures.nested({ inner, n in inner(n) }) != 401 {
            Issue.record("wrong")
          }
        }
        call(5000)
        expectNoGrowth { call(10000) }
        expectEqual(faults(), [])
      }
    }

    @Test func `closures of generic types and of one error leave no memory behind`() throws {
      let forms = ClosureForms()
      let alive = Token.alive
      try withPatch(
        """
        local Bank, Forms = module "Bank", class "Bank.ClosureForms"
        local R = class("Bank.Reactions")()
        function Bank.transformed(values, body)
          return Bank.ORIGtransformed(values, function(value) return body(value) end)
        end
        function Bank.curried(f) return Bank.ORIGcurried(function(a, b) return f(a, b) end) end
        function Forms:measured(body)
          return self:ORIGmeasured(function(n) return body(n) end)
        end
        function Forms:anyAndInt(body)
          return self:ORIGanyAndInt(function() return body() end)
        end
        function Forms:run()
          local r = R:reaction()
          r.react = function(n) return n * 2 end
          r.pair = { 1, r.pair[2] }
          return r.react(1) .. Bank.twiceOver(function(v) return v .. "!" end)("a")
        end
        """
      ) {
        func call(_ times: Int) {
          for _ in 0..<times {
            let chests = transformed([Chest(1)]) { Twin($0, $0.token) }
            let sum = curried { (a: Token, b: Int) in a.number + b }(Token(1))(2)
            let measured = forms.measured { (n) throws(Measured) in
              throw Measured(amount: 1.5, token: Token(n))
            }
            let pair = forms.anyAndInt { (Token(1).number, 4) }
            let run = forms.run()
            if chests[0].b.number != 1 || sum != 3 || measured != "caught 1.5 3" || pair != "1 4"
              || run != "2a!!"
            {
              Issue.record("wrong")
            }
          }
        }
        call(1000)
        _ = try WaxwingEngine.liveObjects()  // collects what Lua has dropped
        try expectNoGrowth {
          call(2000)
          _ = try WaxwingEngine.liveObjects()
        }
        expectEqual(faults(), [])
      }
      expectEqual(Token.alive, alive)
    }

    @Test func `functions that Swift holds at the end are listed, and safe from then on`()
      throws
    {
      let alive = Closures.census.alive
      let tokens = Pledge.census.alive
      do {
        let closures = Closures()
        let session = try start(
          """
          local C = class "Bank.Closures"
          function C:run(n)
            self.handler = function(m) return m end
            self.always = function(s) return s end
            self.thrower = function(m) return m end
            self.list = function() return { 1 } end
            self.rule = self.rule
            self.factory = fallback(function() return self:objects()(9) end, self:objects()(8))
            return self.handler(1) + #self.list() + self.factory().number
          end
          """)
        expectEqual(closures.run(0), 11)
        expectEqual(closures.factory?().number, 9)
        let restoration = try WaxwingEngine.end(session)
        #expect(restoration.isComplete)
        expectEqual(
          restoration.heldFunctions.map { "\($0.file):\($0.line) \($0.type)" },
          [
            "closures.lua:3 (Int) -> Int", "closures.lua:4 (String) -> String",
            "closures.lua:5 (Int) throws -> Int", "closures.lua:6 () -> [Int]",
            "closures.lua:8 () -> Bank.Pledge",
          ])
        expectEqual(closures.handler?(7), 0)
        expectEqual(closures.always("x"), "")
        expectEqual(closures.list?(), [])
        expectEqual(closures.factory?().number, 8)
        let thrower = closures.thrower
        let error = #expect(throws: LuaError.self) { try thrower(1) }
        expectEqual(
          error?.message, "the closure (Int) throws -> Int belongs to a patch that has ended")
        expectEqual(error?.line, 5)
        #expect(patches().isEmpty)
      }
      expectEqual(Closures.census.alive, alive)
      expectEqual(Pledge.census.alive, tokens)
    }

    @Test func `a cycle through a closure is broken by the end of the session`() throws {
      let alive = Closures.census.alive
      weak var lost: Closures?
      let session = try start(
        """
        local C = class "Bank.Closures"
        function C:run(n)
          self.handler = function(m) return m + (self.rule and n) end
          return self.handler(1)
        end
        """)
      do {
        let closures = Closures()
        lost = closures
        expectEqual(closures.run(1), 2)
      }
      #expect(lost != nil)
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(lost == nil)
      expectEqual(Closures.census.alive, alive)
    }

    @Test func `a function that fails is reported, and answers with what is neutral`() throws {
      let log = LogLines()
      let closures = Closures()
      let session = try start(
        """
        local C = class "Bank.Closures"
        function C:age(n, body) return self:ORIGage(n, function(m) return m.x.y end) end
        function C:string(body) return self:ORIGstring(function() return 5 end) end
        function C:object(body) return self:ORIGobject(function(token) error("no") end) end
        function C:maker(make) return self:ORIGmaker(function(a) return "nothing" end) end
        function C:stored(make)
          local ok, message = pcall(function() self:ORIGstored(function() end) end)
          assert(message:find("`fallback(f, value)`; Bank.Pledge has no neutral value", 1, true), message)
          return self:ORIGstored(fallback(function() error("x") end, self:objects()(12)))
        end
        """, log)
      defer { _ = try? WaxwingEngine.end(session) }
      expectEqual(closures.age(1) { $0 }, 0)
      expectEqual(closures.string { v, _, _, _, _, _, _ in v }, "")
      expectEqual(closures.object { v, _, _, _, _, _, _ in v }.number, 3)
      expectEqual(closures.maker { a in { b in a + b } }, 0)
      expectEqual(closures.stored { Pledge(1) }, 12)
      expectEqual(faults(), [])
      expectEqual(log.all.count, 5)
      #expect(log.all[0].contains("closure.failed"))
      #expect(log.all[0].contains("at=closures.lua:2"))
      #expect(log.all[1].contains("returned a wrong value: expected String, got integer 5"))
    }

    @Test func `closures are called and dropped on other threads while their session ends`() throws
    {
      for _ in 0..<20 {
        let closures = Closures()
        let session = try start(
          """
          local C = class "Bank.Closures"
          function C:run(n)
            for i = 1, 40 do self:add(function(m) return m + 1 end) end
            return 0
          end
          """)
        _ = closures.run(0)
        let stop = Atomic(false)
        nonisolated(unsafe) let handlers = closures.handlers
        closures.handlers = []
        let calls = Atomic(0)
        onThreads(3) { index in
          if index == 0 {
            waitUntil("200 calls", seen: calls.load(ordering: .relaxed)) {
              calls.load(ordering: .relaxed) >= 200
            }
            let restoration = try? WaxwingEngine.end(session)
            #expect(restoration?.isComplete == true)
            stop.store(true, ordering: .relaxed)
            return
          }
          nonisolated(unsafe) var own = handlers
          while !stop.load(ordering: .relaxed) {
            for handler in own where ![0, 8].contains(handler(7)) { Issue.record("neither") }
            calls.add(1, ordering: .relaxed)
            if own.count > 1 { own.removeLast() }
          }
        }
      }
      #expect(patches().isEmpty)
    }

    private func start(_ text: String, _ log: LogLines? = nil) throws -> Session {
      WaxwingEngine.setLogHandler { event in
        if event.level == .error { log?.add(event.line) }
      }
      return try WaxwingEngine.start(text: text, name: "closures")
    }
  }
}
