// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What values may be, to the letter, and what is said of those that may not.
  @Suite struct MessageTests {
    private let values = Values()

    /// The fault of an override of `anything`, which then answers as the original does.
    private func fault(_ lua: String) throws -> String {
      try withPatch("local V = class 'Bank.Values'\nfunction V:anything(v) \(lua) end") {
        let answer = values.anything(1) as? Int
        expectEqual(answer, 1)
        return faults().first ?? ""
      }
    }

    @Test func `tables become what Swift reads`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:record()
          return { str = "js_string", number = 42, real = 1.5, yes = true, list = { 1, "two" },
            inner = { deep = { 3 } } }
        end
        function V:int8() return self:ORIGrecord({ n = -7 }).n end
        """
      ) {
        let record = values.record([:])
        #expect(record["str"] as? String == "js_string" && record["number"] as? Int == 42)
        #expect(record["real"] as? Double == 1.5 && record["yes"] as? Bool == true)
        let list = record["list"] as? [Any]
        #expect(list?[0] as? Int == 1 && list?[1] as? String == "two")
        let inner = record["inner"] as? [String: Any]
        #expect((inner?["deep"] as? [Any])?.first as? Int == 3)
        expectEqual(values.int8(1), -7)
        expectEqual(faults(), [])
      }
    }

    @Test func `nil is no value, but an optional's`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        local missing = {}
        function V:int() return missing.number end
        function V:optionalInt() return missing.number end
        function V:point() return nil end
        function V:optionalPoint() return missing.point end
        function V:string() end
        """
      ) {
        expectEqual(values.int(5), 5)
        #expect(values.optionalInt(5) == nil)
        expectEqual(values.point(Point(x: 1, y: 2)), Point(x: 1, y: 2))
        #expect(values.optionalPoint(Point(x: 1, y: 2)) == nil)
        expectEqual(values.string("s"), "s")
        let faults = faults()
        expectEqual(faults.count, 3)
        #expect(faults[0].hasSuffix("expected Int, got nil"))
        #expect(faults[1].hasSuffix("expected Bank.Point, got nil"))
        #expect(faults[2].contains("returned nothing"))
      }
    }

    @Test func `deep and cyclic tables are errors with the path`() throws {
      let cyclic = try fault("local t = { a = { b = { 1 } } } t.a.b[2] = t return t")
      #expect(
        cyclic.hasSuffix("expected a value at a.b[2], got table that contains itself"), "\(cyclic)")
      let deep = try fault("local t = 1 for _ = 1, 40 do t = { x = t } end return t")
      let path = Array(repeating: "x", count: 32).joined(separator: ".")
      #expect(
        deep.hasSuffix("at \(path), got table nested too deeply (more than 32 levels)"), "\(deep)")
      let allowed = try withPatch(
        """
        local V = class 'Bank.Values'
        function V:anything()
          local t = "core" for _ = 1, 32 do t = { x = t } end return t
        end
        """
      ) {
        var value: Any? = values.anything(1)
        while let table = value as? [String: Any] { value = table["x"] }
        return value as? String
      }
      expectEqual(allowed, "core")
    }

    @Test func `keys that do not belong are named`() throws {
      let mixed = try fault("return { a = { 1, 2, x = 3 } }")
      #expect(mixed.contains("expected String as key at a"), "\(mixed)")
      let wrong = try fault("return { list = { true, print } }")
      #expect(
        wrong.hasSuffix("expected a value at list[2], got a Lua function, which has no Swift type"),
        "\(wrong)")
      let hole = try fault("return { list = { 1, nil, 3 } }")
      #expect(hole.contains("String as key at list"), "\(hole)")
    }

    @Test func `integers wrap and compare as Swift's do`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:int64(v)
          local min, max = math.mininteger, math.maxinteger
          assert(max + 1 == min and min - 1 == max and max * 2 == -2)
          assert(min // -1 == min and min % -1 == 0)
          assert(-7 // 2 == -4 and -7 % 2 == 1)
          assert(min < max and max > max - 1 and v == max)
          return v + 1
        end
        """
      ) {
        expectEqual(values.int64(.max), Int64.max &+ 1)
        expectEqual(faults(), [])
      }
    }

    @Test func `boxed values are taken where their type is declared, and only there`() throws {
      try withPatch(
        """
        local V = class "Bank.Values"
        local kept
        function V:anything(v) kept = v return v end
        function V:int8(v) return kept end
        function V:int(v) return kept end
        function V:float(v) return kept end
        """
      ) {
        #expect(values.anything(Int8(7)) as? Int8 == 7)
        expectEqual(values.int8(1), 7)
        expectEqual(values.int(1), 1)
        #expect(values.anything(Float(0.1)) as? Float == 0.1)
        expectEqual(values.float(1), 0.1)
        expectEqual(faults().count, 1)
        #expect(
          expectedFault().hasSuffix(
            "expected Int (-9223372036854775808 to 9223372036854775807), got a value of type Int8, "
              + "whose Lua form is its `value`"), "\(faults())")
      }
    }
  }
}
