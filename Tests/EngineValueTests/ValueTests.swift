// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Every value goes Swift -> Lua -> Swift (the override returns what it gets), and Swift -> Lua ->
  /// original -> Lua -> Swift.
  @Suite struct ValueTests {
    private let values = Values()

    private static let names = [
      "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
      "bool", "float", "double", "string", "object", "optionalInt", "optionalInt8",
      "optionalInt32", "optionalBool", "optionalFloat", "optionalDouble", "optionalString",
      "optionalObject", "ints", "bytes", "doubles", "strings", "objects", "optionals", "nested",
      "optionalArray", "counts", "names", "tree", "dictionaryOfOptionals", "set", "point", "large",
      "kind", "padded", "optionalPoint", "octets", "substring", "character", "optionalCharacter",
    ]

    private func everyWay(_ body: () throws -> Void) throws {
      try body()
      let echo = Self.names.map { "function V:\($0)(v) return v end" }
      try withPatch("local V = class 'Bank.Values'\n" + echo.joined(separator: "\n")) {
        try body()
        expectEqual(faults(), [])
      }
      let original = Self.names.map { "function V:\($0)(v) return self:ORIG\($0)(v) end" }
      try withPatch("local V = class 'Bank.Values'\n" + original.joined(separator: "\n")) {
        try body()
        expectEqual(faults(), [])
      }
      try body()
    }

    @Test func `integers of every width are exact at their limits`() throws {
      try everyWay {
        for value in [Int.min, -1, 0, 1, 1 << 53 + 1, Int.max] {
          expectEqual(values.int(value), value)
        }
        for value: Int8 in [.min, -1, 97, .max] { expectEqual(values.int8(value), value) }
        for value: Int16 in [.min, -1, .max] { expectEqual(values.int16(value), value) }
        for value: Int32 in [.min, -1, .max] { expectEqual(values.int32(value), value) }
        for value: Int64 in [.min, -1, .max] { expectEqual(values.int64(value), value) }
        for value: UInt in [0, UInt(Int.max), UInt(Int.max) + 1, .max] {
          expectEqual(values.uint(value), value)
        }
        for value: UInt8 in [0, .max] { expectEqual(values.uint8(value), value) }
        for value: UInt16 in [0, .max] { expectEqual(values.uint16(value), value) }
        for value: UInt32 in [0, .max] { expectEqual(values.uint32(value), value) }
        for value: UInt64 in [0, 1 << 63 - 1, 1 << 63, .max] {
          expectEqual(values.uint64(value), value)
        }
      }
    }

    @Test func `booleans and floating point are exact to the bit`() throws {
      try everyWay {
        #expect(values.bool(true) == true)
        #expect(values.bool(false) == false)
        let nan = Double(bitPattern: 0x7ff8_0000_dead_beef)
        for value in [0.0, -0.0, 1.5, .infinity, -.infinity, .greatestFiniteMagnitude, nan] {
          expectEqual(values.double(value).bitPattern, value.bitPattern)
        }
        let small = Float(bitPattern: 0x7fc0_1234)
        for value in [Float(0), -0.0, 1.5, 0.1, .infinity, .leastNonzeroMagnitude, small] {
          expectEqual(values.float(value).bitPattern, value.bitPattern)
        }
      }
    }

    @Test func `strings are exact to the byte`() throws {
      let long = String(repeating: "x", count: 4096)
      try everyWay {
        for value in [
          "", "a", "fifteen bytes!!", "sixteen bytes!!!", "zwölf Boxkämpfer", "日本語 🦜",
          "nul \0 inside", "line\nbreak", long,
        ] {
          expectEqual(values.string(value), value)
        }
      }
    }

    @Test func `bytes, substrings and characters are strings`() throws {
      let bytes: [UInt8] = [0, 255, 10, 0]
      let text = "a text that is long enough"
      try everyWay {
        expectEqual(values.octets(bytes), bytes)
        expectEqual(values.octets([]), [])
        expectEqual(values.substring(text.dropFirst(2)), "text that is long enough")
        for character: Character in ["a", "é", "🦜", "👨‍👩‍👧‍👦"] {
          expectEqual(values.character(character), character)
          expectEqual(values.optionalCharacter(character), character)
        }
        #expect(values.optionalCharacter(nil) == nil)
      }
      try withPatch(
        """
        local V = class "Bank.Values"
        function V:octets(v) assert(v == "\\0\\255\\n\\0") return {1, 2} end
        function V:character(v) return "two" end
        """
      ) {
        expectEqual(values.octets(bytes), [1, 2])
        expectEqual(values.character("x"), "x")
        expectEqual(faults().count, 1)
      }
    }

    @Test func `objects keep their identity`() throws {
      let account = Account(owner: "Ada")
      try everyWay {
        #expect(values.object(account) === account)
        #expect(values.optionalObject(account) === account)
        #expect(values.optionalObject(nil) == nil)
        let pair = [account, Account(owner: "Bob"), account]
        let echoed = values.objects(pair)
        #expect(echoed.count == 3 && zip(echoed, pair).allSatisfy { $0 === $1 })
      }
    }

    @Test func `optionals of everything`() throws {
      try everyWay {
        #expect(values.optionalInt(nil) == nil)
        expectEqual(values.optionalInt(7), 7)
        expectEqual(values.optionalInt8(-3), -3)
        #expect(values.optionalInt8(nil) == nil)
        expectEqual(values.optionalInt32(-3), -3)
        #expect(values.optionalInt32(nil) == nil)
        #expect(values.optionalBool(false) == false)
        #expect(values.optionalBool(true) == true)
        #expect(values.optionalBool(nil) == nil)
        expectEqual(values.optionalFloat(2.5), 2.5)
        #expect(values.optionalFloat(nil) == nil)
        expectEqual(values.optionalDouble(2.5), 2.5)
        #expect(values.optionalDouble(nil) == nil)
        expectEqual(values.optionalString(""), "")
        expectEqual(
          values.optionalString("something longer than that"), "something longer than that")
        #expect(values.optionalString(nil) == nil)
        #expect(values.optionalArray(nil) == nil)
        expectEqual(values.optionalArray([]), [])
        #expect(values.optionalPoint(nil) == nil)
        expectEqual(values.optionalPoint(Point(x: 1, y: 2)), Point(x: 1, y: 2))
      }
    }

    @Test func `arrays, dictionaries and sets of all of these`() throws {
      try everyWay {
        expectEqual(values.ints([]), [])
        expectEqual(values.ints(Array(0..<1000)), Array(0..<1000))
        expectEqual(values.bytes([-1, 0, 1]), [-1, 0, 1])
        expectEqual(values.doubles([1.5, -0.0]), [1.5, -0.0])
        expectEqual(values.strings(["a", "", "ccc"]), ["a", "", "ccc"])
        expectEqual(values.optionals([nil, 1, nil, nil]), [nil, 1, nil, nil])
        expectEqual(values.nested([[1], [], [2, 3]]), [[1], [], [2, 3]])
        expectEqual(values.counts([:]), [:])
        expectEqual(values.counts(["a": 1, "b": -2]), ["a": 1, "b": -2])
        expectEqual(values.names([1: "one", 2: "two"]), [1: "one", 2: "two"])
        expectEqual(values.names([-5: "m", 7: "s"]), [-5: "m", 7: "s"])
        expectEqual(values.tree(["x": ["y": [1, 2], "z": []]]), ["x": ["y": [1, 2], "z": []]])
        expectEqual(values.dictionaryOfOptionals(["a": 1, "b": nil]), ["a": 1, "b": nil])
        expectEqual(values.set([3, 1, 2]), [1, 2, 3])
      }
    }

    @Test func `structs and enums cross as values of their own`() throws {
      try everyWay {
        expectEqual(values.point(Point(x: 3, y: 4.5)), Point(x: 3, y: 4.5))
        expectEqual(values.large(Large()), Large())
        expectEqual(values.kind(.savings), .savings)
        let padded = Padded(flag: true, small: -7, inner: Point(x: -1, y: 0.25), tail: 9)
        expectEqual(values.padded(padded), padded)
      }
    }

    @Test func `eleven mixed arguments, ten integers, ten doubles`() throws {
      func check() {
        let text = values.many(1, 2.5, 3.5, "four", -5, true, nil, 8, [9, 10], 65535, "k")
        expectEqual(text, "1 2.5 3.5 four -5 true nil 8.0 [9, 10] 65535 k")
        expectEqual(values.tenInts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Array(1...10))
        #expect(
          values.tenDoubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == (1...10).map { Double($0) })
        expectEqual(
          values.mixed(97, 1, true, 2.5, "s", Account(owner: "Ada")), "97 1 true 2.5 s Ada")
      }
      check()
      try withPatch(
        """
        local V = class "Values"
        function V:many(...) assert(select("#", ...) == 11) return self:ORIGmany(...) end
        function V:tenInts(...) return self:ORIGtenInts(...) end
        function V:tenDoubles(...) return {...} end
        function V:mixed(a, b, c, d, e, f)
          assert(math.type(a) == "integer" and a == 97 and c == true and f.owner == "Ada")
          return self:ORIGmixed(a, b, c, d, e, f)
        end
        """
      ) {
        check()
        expectEqual(faults(), [])
      }
      check()
    }

    @Test func `Void functions`() throws {
      try withPatch("local V = class 'Values'; function V:nothing() return self:ORIGnothing() end")
      {
        values.nothing()
        expectEqual(faults(), [])
        expectEqual(patches().first?.overrides.first?.calls, 1)
      }
    }

    /// A value of the wrong type: the original answers, and the error names the type.
    @Test(arguments: [
      ("int8", "300", "expected Int8 (-128 to 127), got integer 300"),
      ("uint64", "-1", "expected UInt64 (0 to 18446744073709551615), got integer -1"),
      ("int", "1.5", "expected Int, got float 1.5, which is not an integer in range"),
      ("int", "'7'", "expected Int, got string \"7\""),
      ("int", "nil", "expected Int, got nil"),
      ("bool", "0", "expected Bool, got integer 0"),
      ("string", "'\\xff'", "expected String, got a string of 1 bytes that is not valid UTF-8"),
      ("string", "12", "expected String, got integer 12"),
      ("float", "1e300", "expected Float, got float 1e+300"),
      ("object", "self", "expected Bank.Account, got an object of class Bank.Values"),
      ("ints", "{1, 2, 'x'}", "expected Int at [3], got string \"x\""),
      (
        "ints", "{1, nil, 3}",
        "expected [Int], got a table that is not a sequence: index [2] is missing, but there is an index [3]"
      ),
      (
        "ints", "{1, a = 2}", "expected [Int], got a table that is not a sequence: it has the key a"
      ),
      ("nested", "{{1}, {2, false}}", "expected Int at [2][2], got boolean false"),
      ("counts", "{a = 1, [2] = 3}", "expected String as key at [2], got integer 2"),
      ("counts", "{a = 'x'}", "expected Int at a, got string \"x\""),
      ("tree", "{a = {b = {1, 'x'}}}", "expected Int at a.b[2], got string \"x\""),
      ("point", "{}", "expected Bank.Point, got no value for its property `x`"),
    ])
    func `a wrong value is an error, never a coercion`(
      name: String, lua: String, message: String
    ) throws {
      try withPatch("local V = class 'Values'\nfunction V:\(name)() return \(lua) end") {
        switch name {
        case "int8": expectEqual(values.int8(5), 5)
        case "uint64": expectEqual(values.uint64(5), 5)
        case "int": expectEqual(values.int(5), 5)
        case "bool": #expect(values.bool(true))
        case "string": expectEqual(values.string("s"), "s")
        case "float": expectEqual(values.float(1), 1)
        case "object":
          let account = Account(owner: "Ada")
          #expect(values.object(account) === account)
        case "ints": expectEqual(values.ints([1]), [1])
        case "nested": expectEqual(values.nested([[1]]), [[1]])
        case "counts": expectEqual(values.counts(["a": 1]), ["a": 1])
        case "tree": expectEqual(values.tree([:]), [:])
        case "point": expectEqual(values.point(Point(x: 1, y: 1)), Point(x: 1, y: 1))
        default: Issue.record("no case for \(name)")
        }
        let fault = try #require(faults().first)
        #expect(fault.hasSuffix(message), "\(fault)")
        #expect(fault.hasPrefix("test.lua:2: "), "\(fault)")
      }
    }

    @Test func `UInt64 above Int64.max compares, prints and calculates right`() throws {
      try withPatch(
        """
        local V = class "Values"
        function V:uint64(v)
          assert(tostring(v) == "18446744073709551615", tostring(v))
          assert(v > 1 and v >= v and v == v and v ~= 1 and 1 < v)
          assert(v - 1 < v)
          assert(tostring(v // 2) == "9223372036854775807")
          assert(math.type(v // 2) == "integer")
          assert(not pcall(function() return v + 1 end))
          return v - 5
        end
        """
      ) {
        expectEqual(values.uint64(.max), UInt64.max - 5)
        expectEqual(faults(), [])
      }
    }

    @Test func `deep and cyclic tables are errors`() throws {
      try withPatch(
        """
        local V = class "Values"
        function V:ints() local t = {} t[1] = t return t end
        function V:nested() local t = {} for _ = 1, 100 do t = {t} end return t end
        """
      ) {
        expectEqual(values.ints([1]), [1])
        expectEqual(values.nested([[1]]), [[1]])
        let faults = faults()
        #expect(faults[0].hasSuffix("expected Int at [1], got table that contains itself"))
        #expect(faults[1].hasSuffix("expected Int at [1][1], got table"))
      }
    }
  }
}
