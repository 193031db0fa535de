// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// The standard library's and Foundation's value types.
  @Suite struct ScalarTests {
    private let values = ScalarValues()

    private func everyWay(_ names: [String], _ body: () throws -> Void) throws {
      try body()
      for call in ["v", "self:ORIGNAME(v)"] {
        let text = names.map {
          "function S:\($0)(v) return \(call.replacing("NAME", with: $0)) end"
        }
        try withPatch("local S = class 'Bank.ScalarValues'\n" + text.joined(separator: "\n")) {
          try body()
          expectEqual(faults(), [])
        }
      }
      try body()
    }

    @Test func `Foundation's values keep type and value`() throws {
      let names = [
        "data", "optionalData", "date", "url", "uuid", "decimal", "dates", "blobs", "dateRange",
      ]
      let data = Data([0, 255, 10, 0])
      let large = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
      let date = Date(timeIntervalSince1970: 0.1)
      let url = try #require(URL(string: "https://a.b/c?d=e"))
      let decimal = try #require(Decimal(string: "0.1234567890123456789012345678901234567"))
      let id = UUID()
      try everyWay(names) {
        for value in [data, large, Data(), large.dropFirst(7)] {
          expectEqual(values.data(value), value)
          expectEqual(values.optionalData(value), value)
        }
        #expect(values.optionalData(nil) == nil)
        expectEqual(values.date(date), date)
        expectEqual(values.url(url), url)
        expectEqual(values.uuid(id), id)
        expectEqual(values.decimal(decimal), decimal)
        expectEqual(values.dates([id: date]), [id: date])
        expectEqual(values.blobs([data: 1, Data(): 2]), [data: 1, Data(): 2])
        expectEqual(values.dateRange(date..<date + 5), date..<date + 5)
      }
    }

    @Test func `Foundation's values print and compare`() throws {
      let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        local first
        function S:data(d) assert(d == "\\0\\255" and #d == 2) return "\\1\\0" end
        function S:date(d)
          first = first or d
          assert(first == d and first <= d and not (first < d))
          return d
        end
        function S:decimal(d) assert(tostring(d) == "0.1" and math.type(d) == nil) return d end
        function S:dates(d)
          local count = 0
          for id, date in pairs(d) do
            assert(tostring(id) == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" and d[id] == date)
            count = count + 1
          end
          assert(count == 1 and #d == 1)
          return d
        end
        function S:blobs(b) assert(b["\\1"] == 7) return { ["\\2"] = 8 } end
        """
      ) {
        expectEqual(values.data(Data([0, 255])), Data([1, 0]))
        for _ in 0..<2 { expectEqual(values.date(.distantPast), .distantPast) }
        expectEqual(values.decimal(Decimal(1) / 10), Decimal(1) / 10)
        expectEqual(values.dates([id: .distantPast]), [id: .distantPast])
        expectEqual(values.blobs([Data([1]): 7]), [Data([2]): 8])
        expectEqual(faults(), [])
      }
    }

    @Test func `ranges and slices`() throws {
      try everyWay(["range", "closedRange", "slice", "contiguous", "byteSlice"]) {
        expectEqual(values.range(-3..<9), -3..<9)
        expectEqual(values.closedRange(0.5...1.5), 0.5...1.5)
        expectEqual(values.slice(["a", "b", "c"][1...]), ["b", "c"])
        expectEqual(values.contiguous([1, nil, 3]), [1, nil, 3])
        expectEqual(values.byteSlice([1, 0, 255][...]), [1, 0, 255])
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        function S:range(r) assert(r.lowerBound == 1 and r.upperBound == 5) return { 2, 4 } end
        function S:closedRange(r) return { upperBound = 1, lowerBound = 2 } end
        function S:slice(s) assert(#s == 2 and s[1] == "b") return { "x" } end
        function S:byteSlice(s) assert(s == "ab") return "cd" end
        """
      ) {
        expectEqual(values.range(1..<5), 2..<4)
        expectEqual(values.closedRange(0...1), 0...1)
        expectEqual(values.slice(["a", "b", "c"][1...]), ["x"])
        expectEqual(values.byteSlice([97, 98]), [99, 100])
        expectEqual(faults().count, 1)
        #expect(expectedFault().contains("a lower bound 2.0 above the upper one, 1.0"))
      }
    }

    @Test func `Int128 and UInt128 are exact`() throws {
      try everyWay(["int128", "uint128"]) {
        for value: Int128 in [.min, -1, 0, 1 << 63, .max, Int128(UInt64.max), -(1 << 63) - 1] {
          expectEqual(values.int128(value), value)
        }
        for value: UInt128 in [0, 1 << 63, UInt128(UInt64.max), 1 << 64, .max] {
          expectEqual(values.uint128(value), value)
        }
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        function S:int128(v)
          if math.type(v) == "integer" then return v + 1 end
          assert(tostring(v) == "-170141183460469231731687303715884105728", tostring(v))
          assert(v < 0 and v == v and v <= math.mininteger and not (v > 5))
          return v
        end
        function S:uint128(v) return -1 end
        """
      ) {
        expectEqual(values.int128(41), 42)
        expectEqual(values.int128(.min), .min)
        expectEqual(values.uint128(3), 3)
        #expect(faults().count == 1 && expectedFault().contains("expected UInt128 (0 to "))
      }
    }

    @Test func `half floats, scalars, durations, vectors`() throws {
      let names = [
        "half", "scalar", "staticString", "duration", "identifier", "unmanaged", "float2",
        "float4", "double3", "bytes4", "longs8", "vectors",
      ]
      let account = Account(owner: "Ada")
      try everyWay(names) {
        for bits: UInt16 in [0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 1, 0x7bff, 0x7e01, 0xfe00, 0x7c01] {
          expectEqual(values.half(Float16(bitPattern: bits)).bitPattern, bits)
        }
        expectEqual(values.scalar("🦜"), "🦜")
        expectEqual(values.staticString("static").description, "static")
        expectEqual(values.duration(.nanoseconds(-5)), .nanoseconds(-5))
        expectEqual(values.identifier(ObjectIdentifier(account)), ObjectIdentifier(account))
        let back = values.unmanaged(.passUnretained(account)).takeUnretainedValue()
        let isSame = back === account
        #expect(isSame)
        expectEqual(values.float2([1, -0.5]), [1, -0.5])
        expectEqual(values.float4([1, 2, 3, 4]), [1, 2, 3, 4])
        expectEqual(values.double3([1, 2, 3]), [1, 2, 3])
        expectEqual(values.bytes4([1, 2, 3, 255]), [1, 2, 3, 255])
        expectEqual(values.longs8([1, 2, 3, 4, 5, 6, 7, -8]), [1, 2, 3, 4, 5, 6, 7, -8])
        let vectors = Vectors(small: [1, 2], wide: [3, 4, 5, 6])
        expectEqual(values.vectors(vectors), vectors)
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        function S:halves(a, b, c) assert(a == 0.5 and b == 1.5) return c end
        function S:half() return 1e6 end
        function S:scalar(s) assert(tostring(s) == "x") return s end
        """
      ) {
        expectEqual(values.halves(0.5, 1.5, 2.5), 2.5)
        #expect(values.halves(0.5, 1.5, nil) == 0.5 || values.halves(0.5, 1.5, nil) == nil)
        expectEqual(values.half(3), 3)
        expectEqual(values.scalar("x"), "x")
        #expect(
          faults().count == 1 && expectedFault().contains("expected Float16, got float 1000000.0"))
      }
    }

    @Test func `pointers keep address and type`() throws {
      let names = ["raw", "optionalRaw", "typed", "mutable", "opaque", "buffer", "rawBuffer"]
      let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
      defer { memory.deallocate() }
      memory.initialize(repeating: 7, count: 4)
      let raw = UnsafeMutableRawPointer(memory)
      try everyWay(names) {
        expectEqual(values.raw(raw), UnsafeRawPointer(raw))
        expectEqual(values.optionalRaw(raw), raw)
        #expect(values.optionalRaw(nil) == nil)
        expectEqual(values.typed(memory), UnsafePointer(memory))
        expectEqual(values.mutable(memory + 1), memory + 1)
        expectEqual(values.opaque(OpaquePointer(memory)), OpaquePointer(memory))
        #expect(values.opaque(nil) == nil)
        let buffer = values.buffer(UnsafeBufferPointer(start: memory, count: 4))
        #expect(buffer.count == 4 && buffer.baseAddress == UnsafePointer(memory))
        let bytes = values.rawBuffer(UnsafeRawBufferPointer(start: raw, count: 3))
        #expect(bytes.count == 3 && bytes.baseAddress == UnsafeRawPointer(raw))
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        local kept
        function S:mutable(p)
          kept = p
          assert(p == p and tostring(p):match("0x%x+"), tostring(p))
          return p
        end
        function S:raw(p) return kept end
        function S:typed(p) return kept end
        function S:optionalRaw(p) assert(p == nil) return kept end
        function S:opaque(p) return kept end
        """
      ) {
        expectEqual(values.mutable(memory), memory)
        expectEqual(values.raw(UnsafeRawPointer(memory + 2)), UnsafeRawPointer(memory))
        expectEqual(values.typed(UnsafePointer(memory + 2)), UnsafePointer(memory))
        expectEqual(values.optionalRaw(nil), raw)
        #expect(values.opaque(nil) == nil)
        #expect(
          faults().count == 1
            && expectedFault().contains("a value of type Swift.UnsafeMutablePointer<"),
          "\(faults())")
      }
    }

    @Test func `dictionaries with any hashable key`() throws {
      try everyWay(["hashable", "mixed", "unsigned", "reals", "flags", "never"]) {
        for value: AnyHashable in [1, "x", 2.5, true, Point2(x: 1), UInt8(3), UUID()] {
          expectEqual(values.hashable(value), value)
        }
        let mixed: [AnyHashable: Any] = [1: "one", "two": 2, Point2(x: 3): [3]]
        let back = values.mixed(mixed)
        #expect(back[1] as? String == "one" && back["two"] as? Int == 2 && back.count == 3)
        #expect(back[Point2(x: 3)] as? [Int] == [3])
        for unsigned: [UInt64: String] in [[:], [1: "a"], [.max: "b", 0: "c"]] {
          expectEqual(values.unsigned(unsigned), unsigned)
        }
        for reals: [Double: Int] in [[:], [1: 1, 0.5: 2], [.nan: 3], [-0.0: 4]] {
          let back = values.reals(reals)
          expectEqual(back.count, reals.count)
          #expect(back.first?.key.bitPattern == reals.first?.key.bitPattern || reals.count == 2)
        }
        expectEqual(values.flags([true: 1, false: 0]), [true: 1, false: 0])
        #expect(values.never([]).isEmpty)
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        function S:mixed(m)
          assert(m[1] == "one" and m.two == 2 and m.three == nil and #m == 2)
          m.three = 3
          m[1] = nil
          return m
        end
        function S:unsigned(u)
          local large
          for k, v in pairs(u) do if k > 5 then large = k end end
          assert(u[large] == "max" and u[large - 0] == "max" and #u == 2)
          return { [large] = "changed" }
        end
        """
      ) {
        let mixed = values.mixed([1: "one", "two": 2])
        #expect(mixed.count == 2 && mixed["three"] as? Int == 3 && mixed["two"] as? Int == 2)
        expectEqual(values.unsigned([.max: "max", 1: "one"]), [.max: "changed"])
        expectEqual(faults(), [])
      }
    }

    @Test func `what goes through Any unchanged keeps its type`() throws {
      let alive = Census.accounts.alive
      let array = [3, 1, 2]
      try everyWay(["anything"]) {
        #expect(values.anything(Int8(-5)) as? Int8 == -5)
        #expect(values.anything(UInt64.max) as? UInt64 == .max)
        #expect(values.anything(UInt(7)) as? UInt == 7)
        #expect(values.anything(Float(0.1)) as? Float == 0.1)
        #expect(values.anything(Data([1])) as? Data == Data([1]))
        #expect(values.anything([UInt8(1)]) as? [UInt8] == [1])
        #expect(values.anything(Character("x")) as? Character == "x")
        #expect(values.anything("abc".dropFirst()) as? Substring == "bc")
        #expect(values.anything(Decimal(1) / 10) as? Decimal == Decimal(1) / 10)
        #expect(values.anything((1, "x")) as? (Int, String) ?? (0, "") == (1, "x"))
        #expect(type(of: values.anything(Int?.none as Any)) == Int?.self)
        #expect(type(of: values.anything(Int?.some(3) as Any)) == Int?.self)
        let back = values.anything(array) as? [Int]
        let isSameStorage = unsafeStorage(back ?? []) == unsafeStorage(array)
        #expect(back == array && isSameStorage)
        #expect(values.anything(["a": [1: Float(2)]]) as? [String: [Int: Float]] == ["a": [1: 2]])
        #expect(values.anything(Set(["a"])) as? Set<String> == ["a"])
        #expect((values.anything([Account(owner: "A")]) as? [Account])?.count == 1)
        #expect(values.anything(["a": 1, "b": ["c"]] as [String: Any]) as? [String: Any] != nil)
      }
      try withPatch(
        """
        local S = class "Bank.ScalarValues"
        function S:anything(v)
          if type(v) ~= "userdata" then return v end
          local ok, value = pcall(function() return v.value end)
          if ok then return value end
          assert(#v == 3 and v[1] == 3 and v[4] == nil and table.concat(v, ",") == "3,1,2")
          local sum = 0
          for i, x in ipairs(v) do sum = sum + x end
          for i, x in pairs(v) do sum = sum + x end
          assert(sum == 12)
          v[4] = 4
          v:insert(0, 1)
          assert(not pcall(function() v[9] = 1 end) and not pcall(function() v[1] = "x" end))
          local t = v:copy()
          assert(type(t) == "table" and #t == 5)
          return v
        end
        """
      ) {
        #expect(values.anything(Int8(-5)) as? Int == -5)
        #expect(values.anything(Data([65])) as? String == "A")
        #expect(values.anything(array) as? [Int] == [0, 3, 1, 2, 4])
        expectEqual(array, [3, 1, 2])
        expectEqual(faults(), [])
      }
      expectEqual(Census.accounts.alive, alive)
    }

    @Test func `Float80 is refused by name`() {
      let message = refusal(
        "local S = class 'Bank.ScalarValues'\nfunction S:extended(v) return v end")
      #expect(message.contains("Float80"))
      #expect(message.contains("FPIEEE80"), "\(message)")
    }
  }
}

private struct Point2: Hashable {
  var x: Int
}

private func unsafeStorage(_ array: [Int]) -> UnsafeRawPointer? {
  array.withUnsafeBytes { $0.baseAddress }
}
