// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

/// A line of Lua and what it gives.
struct Snippet: CustomTestStringConvertible {
  let code: String
  let result: String
  var testDescription: String { code }

  init(_ code: String, _ result: String) {
    self.code = code
    self.result = result
  }
}

extension EngineSuite {
  /// What everyone does with the standard library and Foundation, from Lua.
  @Suite struct LibraryCallTests {
    @Test(arguments: [
      // Methods of Swift's on Lua values.
      Snippet("String.uppercased('abc')", "ABC"),
      Snippet("String.count('héllo')", "5"),
      Snippet("String.hasPrefix('abc', 'a')", "true"),
      Snippet("String.contains('abc', 'bc')", "true"),
      Snippet("String.capitalized('abc def')", "Abc Def"),
      Snippet("table.concat(String.components('a,b', ','), ' ')", "a b"),
      Snippet("table.concat(String.split('a b', ' ', 9, true), '|')", "a|b"),
      Snippet("String.trimmingCharacters('  x ', CharacterSet.whitespaces)", "x"),
      Snippet("String.replacingOccurrences('abab', 'b', 'x', {}, nil)", "axax"),
      Snippet("String.padding('a', 3, '-', 0)", "a--"),
      Snippet("String.append('ab', 'c')", "abc"),
      Snippet("Int.isMultiple(6, 3)", "true"),
      Snippet("Int.quotientAndRemainder(7, 2)", "3 1"),
      Snippet("Int.signum(-5)", "-1"),
      Snippet("Double.rounded(2.5)", "3.0"),
      Snippet("Double.squareRoot(2.25)", "1.5"),
      Snippet("Character.isLetter('a')", "true"),
      Snippet("Data.base64EncodedString('abc', {})", "YWJj"),
      Snippet("Data.subdata('abcdef', Range(1, 3))", "bc"),
      // Of tables: Swift's collections.
      Snippet("table.concat(Array.sorted({3, 1, 2}), ' ')", "1 2 3"),
      Snippet(
        "table.concat(Array.map({1, 2}, function(x) return 'n' .. x * 2 end), ' ')", "n2 n4"),
      Snippet("#Array.filter({1, 2, 3}, function(x) return x > 1 end)", "2"),
      Snippet("Array.reduce({1, 2, 3}, 0, function(sum, x) return sum + x end)", "6"),
      Snippet("Array.allSatisfy({2, 4}, function(x) return x % 2 == 0 end)", "true"),
      Snippet("Array.first({1, 2, 3}, function(x) return x > 1 end)", "2"),
      Snippet("table.concat(Array.suffix({1, 2, 3}, 2), ' ')", "2 3"),
      Snippet("Array.contains({1, 2}, 2)", "true"),
      // A property, beside a method of the name that takes a closure.
      Snippet("Array.first({4, 5})", "4"),
      Snippet("Array.joined({'a', 'b'}, '-')", "a-b"),
      Snippet("Array.elementsEqual({1, 2}, {1, 2})", "true"),
      Snippet("table.concat((select(2, Array.remove({4, 5}, 0))), ' ')", "5"),
      Snippet("#Set.union({1, 2}, {2, 3})", "3"),
      Snippet("Set.isSubset({1}, {1, 2})", "true"),
      // Initializers, those of protocols' extensions too.
      Snippet("String('abc')", "abc"),
      Snippet("String('x', 3)", "xxx"),
      Snippet("String.init_format('%d items', 5)", "5 items"),
      Snippet("String.init_data_encoding('abc', String.Encoding.utf8)", "abc"),
      Snippet("Int('12')", "12"),
      Snippet("Int('x')", "nil"),
      Snippet("Int('ff', 16)", "255"),
      Snippet("Int8(-128)", "-128"),
      Snippet("Int(2.7)", "2"),
      Snippet("Int8.init_truncatingIfNeeded(300)", "44"),
      Snippet("Double('2.5')", "2.5"),
      Snippet("TimeZone('GMT').identifier", "GMT"),
      Snippet("NSNumber(5).intValue", "5"),
      Snippet("NSArray({1, 2}).count", "2"),
      Snippet("IndexSet({1, 2, 3}).count", "3"),
      Snippet(
        "UUID('E621E1F8-C36C-495A-93FC-0C247A3E6E5F')", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      Snippet("NSRange(2, 3).length", "3"),
      Snippet("Range(1, 5)", "1..<5"),
      Snippet("ClosedRange(1.5, 2)", "1.5...2.0"),
      Snippet("Int.random(ClosedRange(3, 3))", "3"),
      Snippet("Bundle.main.bundlePath ~= ''", "true"),
      // Option sets.
      Snippet("NSRegularExpression('a+', {}).pattern", "a+"),
      Snippet("NSRegularExpression('A+', {}):numberOfMatches('caabxa', {}, NSRange(0, 6))", "0"),
      Snippet(
        "NSRegularExpression('A+', {NSRegularExpression.Options.caseInsensitive})"
          + ":numberOfMatches('caabxa', {}, NSRange(0, 6))", "2"),
      Snippet(
        "(function() local O = NSRegularExpression.Options return NSRegularExpression('a', "
          + "{O.caseInsensitive, O.dotMatchesLineSeparators}).options.rawValue end)()", "9"),
      Snippet(
        "NSRegularExpression('a', NSRegularExpression.Options.caseInsensitive).options.rawValue",
        "1"),
      Snippet("JSONSerialization.jsonObject('[1, {\"a\": null}]', {})[1].intValue", "1"),
      Snippet("JSONSerialization.data({1, 2}, {})", "[1,2]"),
      // Dates and units.
      Snippet(
        "ISO8601DateFormatter():string(Date.init_timeIntervalSince1970(0))", "1970-01-01T00:00:00Z"),
      Snippet(
        "Calendar('gregorian'):component('year', Date.init_timeIntervalSince1970(86400 * 400))",
        "1971"),
      Snippet("Date.init_timeIntervalSince1970(5) > Date.init_timeIntervalSince1970(4)", "true"),
      Snippet("Measurement(1, UnitLength.meters):converted(UnitLength.centimeters).value", "100.0"),
      Snippet("Decimal('1.5') * Decimal(2)", "3"),
      Snippet("ByteCountFormatter():string(1024)", "1 KB"),
      Snippet("URLComponents('http://h/p').host", "h"),
      Snippet("NSString('text').length", "4"),
    ])
    func `a line of Swift, from Lua`(_ snippet: Snippet) throws {
      try expectEqual(evaluate("return \(snippet.code)"), snippet.result)
    }

    @Test func `methods that take a value over get a copy of it`() throws {
      let text = try evaluate(
        """
        local long = "a text that does not fit into a word or two"
        local array = {class "Bank.Mayfly" ("a"), class "Bank.Mayfly" ("b")}
        for i = 1, 100 do
          Array.reversed(array) Array.dropFirst({long}, 0) String.reversed(long)
          Set.intersection({long}, {long}) IndexSet({1, 2}):reversed()
        end
        return Array.reversed({1, 2}), array[1].name, next(Set.intersection({long}, {long})) == 1
        """)
      expectEqual(text, "Swift.ReversedCollection<Swift.Array<Swift.Int>>(_base: [1, 2]) a true")
    }

    @Test func `a proxy that a method takes over stays what it is`() throws {
      let text = try evaluate(
        """
        local set = IndexSet({1, 2, 3})
        for i = 1, 100 do set:reversed() set:makeIterator() end
        return set.count, set:contains(2)
        """)
      expectEqual(text, "3 true")
    }

    @Test func `what a mutating method makes of a Lua value is a further result`() throws {
      let text = try evaluate(
        """
        local removed, rest = Array.remove({"a", "b"}, 0)
        local same = Set.insert({1}, 2)
        return removed, rest[1], #rest, String.append("a long text that is on the heap", "!")
        """)
      expectEqual(text, "a b 1 a long text that is on the heap!")
      #expect(
        try fault(of: "String.uppercased(5)").hasSuffix(
          "Swift.String.uppercased() is called on integer 5, expected String; call it with `:`"))
    }

    @Test func `an option set says what it takes`() throws {
      let message = try fault(of: "return NSRegularExpression('a', {'x'})")
      #expect(message.contains("expected Foundation.NSRegularExpression.Options, got string \"x\""))
    }

    @Test(arguments: [
      ("Int8(300)", "integer 300 is out of its range, -128 to 127"),
      ("UInt64(-1)", "integer -1 is out of its range, 0 to 18446744073709551615"),
      ("Int(1e300)", "float 1e+300 is out of its range"),
      ("Int(0/0)", "is out of its range"),
      ("UInt8(-0.5 - 1)", "float -1.5 is out of its range, 0 to 255"),
    ])
    func `an integer that does not fit is an error, and never another`(
      _ code: String, _ text: String
    )
      throws
    {
      #expect(try fault(of: "return \(code)").contains(text))
    }

    @Test func `a list is the elements, for a type that is written as a list`() throws {
      let text = try evaluate(
        "return IndexSet({1, 4}):contains(4), IndexSet({1, 4}).count, IndexSet(Range(1, 4)).count")
      expectEqual(text, "true 2 3")
    }

    @Test func `a range that cannot be says why`() throws {
      #expect(
        try fault(of: "return Range(5, 1)").contains("a lower bound 5 above the upper one, 1"))
      #expect(try fault(of: "return Range(5)").contains("takes its lower and its upper bound"))
      #expect(
        try fault(of: "return Range(print, print)").contains("two values that can be compared"))
    }
  }
}
