// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Calls of plain values are made in C: what is unusual about one has to come out as it does where
  /// Swift makes them.
  @Suite struct CompiledCallTests {
    private let values = Values()

    /// The forms that Swift has for them: in the two words, on the heap, in the program's constants.
    private static let texts = [
      "", "a", "fifteen bytes -", "sixteen bytes -!", "é", "ééééééé", "éééééééé", "\0zero\0",
      String(repeating: "x", count: 4000), String(repeating: "x", count: 4032),
      String(repeating: "x", count: 4033), String(repeating: "é", count: 100_000),
      "a literal that is longer than fifteen bytes", String("a substring of it".dropFirst(2)),
    ]

    @Test(
      arguments: [
        "return text", "return self:ORIGstring(text)", "last = self return text",
        "last = self return self:ORIGstring(text)",
      ])
    func `strings of every form and length go both ways`(body: String) throws {
      try withPatch("local V = class 'Bank.Values'\nfunction V:string(text) \(body) end") {
        for text in Self.texts {
          let echo = values.string(text)
          #expect(echo == text && Array(echo.utf8) == Array(text.utf8))
          expectEqual(echo.hashValue, text.hashValue)
        }
        expectEqual(faults(), [])
      }
    }

    @Test(
      arguments: [
        ("int8", "300"), ("int8", "'5x'"), ("int8", "nil"), ("uint8", "-1"), ("uint16", "65536"),
        ("uint32", "1 << 40"), ("uint64", "-1"), ("int", "1.5"), ("bool", "1"), ("double", "'x'"),
        ("string", "'\\xff'"), ("string", "('x'):rep(20) .. '\\xff'"), ("string", "{}"),
        ("object", "self"), ("object", "nil"), ("object", "'x'"),
      ])
    func `a result that does not fit is a fault, and the original answers`(
      method: String, result: String
    ) throws {
      let patch = "local V = class 'Bank.Values'\nfunction V:\(method)(v) return \(result) end"
      try withPatch(patch) {
        let account = Account(owner: "Ada")
        #expect(values.int8(1) == 1 && values.uint8(1) == 1 && values.uint16(1) == 1)
        #expect(values.uint32(1) == 1 && values.uint64(1) == 1 && values.int(1) == 1)
        #expect(values.bool(true) && values.double(1) == 1 && values.string("a") == "a")
        #expect(values.object(account) === account)
        expectEqual(faults().count, 1)
        #expect(faults().allSatisfy { $0.contains("Values.\(method)") })
      }
    }

    @Test func `numbers of another kind are converted where Swift converts them`() throws {
      let patch = """
        local V = class "Bank.Values"
        function V:int(v) return 2.0 end
        function V:double(v) return 2 end
        function V:float(v) return 2 end
        """
      try withPatch(patch) {
        #expect(values.int(1) == 2 && values.double(1) == 2 && values.float(1) == 2)
        expectEqual(faults(), [])
      }
    }

    @Test func `arguments of another kind are converted on the way to the original`() throws {
      let patch = """
        local V = class "Bank.Values"
        function V:int(v) return self:ORIGint(v + 0.0) end
        function V:double(v) return self:ORIGdouble(v // 1 | 0) end
        function V:string(v) return pcall(self.ORIGstring, self, 5) and "taken" or "refused" end
        """
      try withPatch(patch) {
        #expect(values.int(7) == 7 && values.double(7) == 7 && values.string("") == "refused")
        expectEqual(faults(), [])
      }
    }

    /// Copies, whatever Lua code then does with them; and what stands for them goes another way.
    @Test func `values of trivial types go both ways as copies`() throws {
      let patch = """
        local V = class "Bank.Values"
        function V:int(n)
          local p = self:point({ x = n, y = -n })
          local q = self:point(p)
          assert(p == q and not rawequal(p, q) and q.y == -n)
          q.x = 7
          assert(p.x == n and q.x == 7 and self:point(q).x == 7)
          local a = self:padded({ flag = true, small = -n, inner = q, tail = n })
          local b = self:padded(a)
          assert(a == b and b.flag and b.small == -n and b.inner == q and b.tail == n)
          for _, wrong in ipairs { a, "text", 5, V, { x = 1 } } do
            local done, message = pcall(self.point, self, wrong)
            assert(not done and tostring(message):find "Point", message)
          end
          for i = 1, 1000 do q = self:point(q) end
          return n
        end
        """
      try withPatch(patch) {
        for n in 0..<50 { expectEqual(values.int(n), n) }
        expectEqual(faults(), [])
        let live = try WaxwingEngine.liveObjects()
        #expect(live.flatMap(\.values.values).reduce(0, +) < 100)
      }
    }

    @Test func `an object that only the call has is the same one in all calls inside it`() throws {
      let patch = """
        local V = class "Bank.Values"
        function V:object(account) return self:ORIGobject(account) end
        function V:optionalObject(account)
          return self:ORIGoptionalObject(account) == account and account or nil
        end
        """
      try withPatch(patch) {
        let account = Account(owner: "Ada")
        for _ in 0..<100 {
          #expect(values.object(account) === account)
          #expect(values.optionalObject(account) === account)
        }
        expectEqual(faults(), [])
      }
    }

    @Test(arguments: ["return self:thread()", "self:later() return self:thread()"])
    @MainActor func `an async function that belongs to no actor leaves the caller's`(
      body: String
    ) async throws {
      let whereabouts = Whereabouts()
      let main = whereabouts.thread()
      let session = try WaxwingEngine.start(
        text: "local W = class 'Bank.Whereabouts'\nfunction W:inPool() \(body) end", name: "pool")
      for _ in 0..<20 {
        #expect(await whereabouts.inPool() != main)
        expectEqual(whereabouts.thread(), main)
      }
      expectEqual(faults(), [])
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    @Test func `an async function runs to its end, waits, fails, or takes over what it is given`()
      async throws
    {
      WaxwingEngine.policy.limits.faults = 0
      defer { WaxwingEngine.policy = Policy() }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.Whereabouts"
          local calls = 0
          function W:inPool()
            calls = calls + 1
            if calls % 4 == 0 then error("no") end
            if calls % 4 == 1 then self:later() end
            if calls % 4 == 2 then return self:ORIGinPool() * 0 - calls end
            if calls % 8 == 3 then return "not a number" end
            return -calls
          end
          """, name: "turns")
      let whereabouts = Whereabouts()
      for call in 1...80 {
        let answer = await whereabouts.inPool()
        if call % 4 == 0 || call % 8 == 3 {
          #expect(answer > 0, "the original's, as the function has failed")
        } else {
          expectEqual(answer, -call)
        }
      }
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(await whereabouts.inPool() > 0)
    }

    /// Pieces of advice that wait, in C's function that runs them: each goes on where it was.
    @Test func `several pieces of advice wait in one call, and so does its original`() async throws
    {
      WaxwingEngine.policy.limits.faults = 0
      defer { WaxwingEngine.policy = Policy() }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.Whereabouts"
          local trace = {}
          local function note(text) trace[#trace + 1] = text end
          W:before("inPool", function(self) note "a" self:later() note "b" end)
          W:before("inPool", function(self) self:later() note "c" error("no") end)
          W:before("inPool", function(self) note "d" self:later() note "e" end)
          W:after("inPool", function(self, result)
            assert(result > 0) note "f" self:later() note "g"
          end)
          W:after("inPool", function(self) self:later() note "h" self:later() note "i" end)
          W:after("inPool", function(self, result)
            self:later()
            local all = table.concat(trace)
            trace = {}
            return all == "abcdefghi" and -result or result
          end)
          """, name: "waiting")
      let whereabouts = Whereabouts()
      for _ in 0..<50 {
        #expect(await whereabouts.inPool() < 0, "the last piece's result, after all, in order")
      }
      #expect(try WaxwingEngine.end(session).isComplete)
      #expect(await whereabouts.inPool() > 0)
    }
  }
}
