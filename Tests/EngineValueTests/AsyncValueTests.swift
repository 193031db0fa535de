// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What crosses in overrides of async functions, with the original called twice.
  @Suite struct AsyncValueTests {
    private let values = AsyncValues()
    private let calls = AsyncCalls()

    /// Overrides every function of these names so that it calls its original twice.
    private func twice(_ type: String, _ names: String) -> String {
      """
      local T = class "Bank.\(type)"
      for name in string.gmatch("\(names)", "%w+") do
        T[name] = function(self, ...)
          self["ORIG" .. name](self, ...)
          return self["ORIG" .. name](self, ...)
        end
      end
      """
    }

    private func checkScalars() async {
      await values.nothing()
      await expectEqual(values.int(.min), .min)
      await expectEqual(values.int8(-128), -128)
      await expectEqual(values.int16(-3), -3)
      await expectEqual(values.int32(-70000), -70000)
      await expectEqual(values.uint8(255), 255)
      await expectEqual(values.uint32(.max), .max)
      await expectEqual(values.uint64(.max), .max)
      #expect(await values.bool(true))
      await expectEqual(values.float(0.1), 0.1)
      await expectEqual(values.double(-0.0).sign, .minus)
      await expectEqual(
        values.string("Grüße, and more than fifteen bytes\0 of it"),
        "Grüße, and more than fifteen bytes\0 of it")
    }

    private func checkObjects() async {
      let account = Account(owner: "Ada")
      let same = await values.object(account)
      expectEqual(ObjectIdentifier(same), ObjectIdentifier(account))
      await expectEqual(values.parcel(AsyncParcel(4)).number, 4)
      #expect(await values.optionalInt(nil) == nil)
      await expectEqual(values.optionalInt(3), 3)
      await expectEqual(values.optionalString("x"), "x")
      #expect(await values.optionalObject(nil)?.owner == nil)
      await expectEqual(values.optionalPoint(Point(x: 1, y: 2)), Point(x: 1, y: 2))
      #expect(await values.optionalWide(nil) == nil)
      await expectEqual(values.optionalWide(WideRecord(3)), WideRecord(3))
    }

    private func checkCollections() async {
      await expectEqual(values.ints([1, 2]), [1, 2])
      await expectEqual(values.octets([0, 255]), [0, 255])
      await expectEqual(values.strings(["", "b"]), ["", "b"])
      await expectEqual(values.objects([Account(owner: "Bo")]).map(\.owner), ["Bo"])
      await expectEqual(values.points([Point(x: 1, y: 2)]), [Point(x: 1, y: 2)])
      await expectEqual(values.counts(["a": 1]), ["a": 1])
      await expectEqual(values.marks([3]), [3])
    }

    private func checkAggregates() async {
      await expectEqual(values.point(Point(x: 1, y: 2)), Point(x: 1, y: 2))
      await expectEqual(values.quad(AsyncQuad(1, 2, 3, 4)), AsyncQuad(1, 2, 3, 4))
      let blend = AsyncBlend(count: 1, ratio: 0.5, small: -3, share: 0.25)
      await expectEqual(values.blend(blend), blend)
      await expectEqual(values.wide(WideRecord(9)), WideRecord(9))
      #expect(await values.pair((1, "b")) == (1, "b"))
      #expect(await values.labelled((x: 0.5, name: nil)) == (x: 0.5, name: nil))
      #expect(await values.broad((1, 2, "c", 0.5)) == (1, 2, "c", 0.5))
      await expectEqual(values.generic("text"), "text")
      await expectEqual(values.generic(7), 7)
      #expect(await values.genericPair(1, 2, "c") == ("c", 2, 1))
      #expect(await values.anything(5) as? Int == 5)
      #expect(await values.type(Int.self) == Int.self)
      #expect(await values.error(BankError.closed) as? BankError == .closed)
    }

    @Test func `scalars cross`() async throws {
      try await withAsyncPatch(
        twice(
          "AsyncValues", "nothing int int8 int16 int32 uint8 uint32 uint64 bool float double string"
        )
      ) {
        await checkScalars()
        expectEqual(faults(), [])
        expectEqual(patches().flatMap(\.overrides).map(\.calls), Array(repeating: 1, count: 12))
      }
      await checkScalars()
    }

    @Test func `objects and optionals cross, and none is kept`() async throws {
      let before = AsyncParcel.census.alive
      try await withAsyncPatch(
        twice(
          "AsyncValues",
          "object parcel optionalInt optionalString optionalObject optionalPoint optionalWide")
      ) {
        await checkObjects()
        expectEqual(faults(), [])
      }
      await checkObjects()
      expectEqual(AsyncParcel.census.alive, before)
    }

    @Test func `collections cross`() async throws {
      try await withAsyncPatch(
        twice("AsyncValues", "ints octets strings objects points counts marks")
      ) {
        await checkCollections()
        expectEqual(faults(), [])
      }
      await checkCollections()
    }

    @Test func `structs, tuples, generic and existential values cross`() async throws {
      try await withAsyncPatch(
        twice(
          "AsyncValues",
          "point quad blend wide pair labelled broad generic genericPair anything type error")
      ) {
        await checkAggregates()
        expectEqual(faults(), [])
      }
      await checkAggregates()
    }

    private func checkCalls() async throws {
      await expectEqual(calls.nineInts(1, 2, 3, 4, 5, 6, 7, 8, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9])
      await expectEqual(calls.tenInts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).suffix(2), [9, 10])
      await expectEqual(calls.tenDoubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).suffix(2), [9, 10])
      var expected = WideRecord(5)
      (expected.b, expected.c, expected.d, expected.e) = (4, 5, 9, 7)
      let record = try await calls.crowded(
        5, 1, 2, "abc", 1, true, 4, 1, [2, 3], 6, "k")
      expectEqual(record, expected)
      await expectEqual(AsyncCalls.sum(2, 3), 5)
      await expectEqual(calls.callsScaled(4), 40)
      await expectEqual(calls.consumes(AsyncParcel(3)), 3)
    }

    @Test func `arguments on the stack, static methods, default values`() async throws {
      let before = AsyncParcel.census.alive
      try await withAsyncPatch(
        twice("AsyncCalls", "nineInts tenInts tenDoubles crowded scaled") + """

          T.static.sum = function(self, a, b) return self:ORIGsum(a, 0) + self:ORIGsum(0, b) end
          T.consumes = function(self, parcel) return parcel.number end
          """
      ) {
        try await checkCalls()
        expectEqual(faults(), [])
      }
      try await checkCalls()
      expectEqual(AsyncParcel.census.alive, before)
    }

    @Test func `inout arguments are changed in place`() async throws {
      func check() async throws {
        var (number, text, point) = (1, "a", Point(x: 0, y: 5))
        try await expectEqual(calls.exchange(&number, &text, &point, by: 2), 30)
        #expect(number == 3 && text == "a!" && point == Point(x: 3, y: 5))
        await calls.changes(&number)
        expectEqual(number, 4)
        do {
          _ = try await calls.exchange(&number, &text, &point, by: -1)
          Issue.record("it did not throw")
        } catch BankError.closed {
          expectEqual(text, "a!!")
        }
      }
      try await check()
      try await withAsyncPatch(
        """
        local T = class "Bank.AsyncCalls"
        function T:changes(n) return self:ORIGchanges(n) end
        function T:exchange(n, t, p, by) return self:ORIGexchange(n, t, p, by) end
        """
      ) {
        try await check()
        expectEqual(faults(), [])
      }
      try await check()
    }

    @Test func `errors cross both ways`() async throws {
      func check(_ limit: Int) async throws {
        try await expectEqual(calls.withdraw(limit), 100 - limit)
        await #expect(throws: BankError.insufficient(101)) { try await calls.withdraw(101) }
        await #expect(throws: BankError.closed) { try await calls.check(-1) }
        try await calls.check(1)
        await #expect(throws: BankError.insufficient(-2)) { try await calls.record(-2) }
        try await expectEqual(calls.record(2), WideRecord(2))
        await #expect(throws: Plain.two) { try await calls.plain(-1) }
        try await expectEqual(calls.plain(3), 3)
        await #expect(throws: Coded(code: -4, text: "negative")) { try await calls.coded(-4) }
        try await expectEqual(calls.coded(3), 1.5)
        await #expect(throws: Wide.self) { try await calls.far(-1) }
        try await expectEqual(calls.far(6), 6)
      }
      try await check(100)
      try await withAsyncPatch(
        twice("AsyncCalls", "withdraw check record plain coded far")
      ) {
        try await check(100)
        expectEqual(faults(), [])
      }
      try await withAsyncPatch(
        """
        local T = class "Bank.AsyncCalls"
        function T:withdraw(n)
          local ok, err = pcall(self.ORIGwithdraw, self, n)
          if ok then return err end
          throw(err)
        end
        function T:check(n) error("no") end
        """
      ) {
        await #expect(throws: BankError.insufficient(101)) { try await calls.withdraw(101) }
        let left = try await calls.withdraw(1)
        expectEqual(left, 99)
        await #expect(throws: LuaError.self) { try await calls.check(1) }
        expectEqual(faults(), [])
      }
    }

    @Test func `a failing override goes to the original, or keeps what it returned`() async throws {
      try await withAsyncPatch(
        """
        local T = class "Bank.AsyncValues"
        function T:int(n) local x = nil; return x.y end
        function T:string(s) local r = self:ORIGstring(s .. "!"); return {} end
        function T:wide(w) return 3 end
        """
      ) {
        await expectEqual(values.int(3), 3)
        await expectEqual(values.string("a"), "a!")
        await expectEqual(values.wide(WideRecord(1)), WideRecord(1))
        let messages = faults()
        expectEqual(messages.count, 3)
        #expect(messages.contains { $0.contains("test.lua:2") })
      }
    }
  }
}
