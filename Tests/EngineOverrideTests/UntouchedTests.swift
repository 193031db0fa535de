// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import PassThrough
import Testing
import Waxwing

/// The value as it is in memory: of a collection or a long text, where its storage is.
private func words<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

extension EngineSuite {
  /// What Lua has not changed goes back as it was, storage and capacity included; what it has changed
  /// does not.
  @Suite struct UntouchedTests {
    private let house = Storehouse()
    private let long = String(repeating: "long", count: 20)

    private func under(_ body: String, _ run: () throws -> Void) throws {
      let names =
        "integers decimals flags bytes texts cells purses rows counts text maybe any kept"
      let patch = """
        local H = class "PassThrough.Storehouse"
        for name in string.gmatch("\(names)", "%a+") do H[name] = function(self, v) \(body) end end
        function H:pair(v, text) return original(self, v, text) end
        """
      try withPatch(patch) {
        try run()
        expectEqual(faults(), [])
      }
    }

    static let passing = [
      "return original(self, v)",
      "return (original(self, v))",
      "return v",
      "local all = {} if type(v) == 'table' then for k, x in pairs(v) do all[k] = x end end "
        + "return original(self, v)",
      "if type(v) == 'table' and #v > 1 then v[1], v[2] = v[2], v[1] v[2], v[1] = v[1], v[2] end "
        + "return original(self, v)",
      "kept = v local r = original(self, v) kept = r return original(self, r)",
    ]

    @Test(arguments: passing)
    func `what Lua has not changed has the storage that it had`(body: String) throws {
      try under(body) {
        var roomy = [1, 2, 3]
        roomy.reserveCapacity(100)
        for value in [roomy, Array(0..<500), []] {
          expectEqual(words(house.integers(value)), words(value))
        }
        let decimals = [1.5, -0.0, .nan, .infinity]
        expectEqual(words(house.decimals(decimals)), words(decimals))
        let flags = [true, false]
        expectEqual(words(house.flags(flags)), words(flags))
        let bytes = [UInt8](repeating: 7, count: 40)
        expectEqual(words(house.bytes(bytes)), words(bytes))
        let texts = ["a", long, "é"]
        expectEqual(words(house.texts(texts)), words(texts))
        let maybe = try house.maybe(texts)
        expectEqual(maybe.map { words($0) }, words(texts))
        let cells = [Cell(1), Cell(2)]
        expectEqual(words(house.cells(cells)), words(cells))
        let purses = [Purse(coins: 3), Purse(coins: 4)]
        expectEqual(words(house.purses(purses)), words(purses))
        let rows = [[1, 2], [], [3]]
        expectEqual(words(house.rows(rows)), words(rows))
        expectEqual(words(house.rows(rows)[0]), words(rows[0]))
        let counts = [1: [1, 2], 2: [3]]
        expectEqual(words(house.counts(counts)), words(counts))
        expectEqual(words(house.counts(counts)[1]), words(counts[1]))
      }
    }

    @Test(arguments: passing)
    func `texts, slices and generic values, too`(body: String) throws {
      try under(body) {
        var short = long
        short.reserveCapacity(200)
        short.removeLast(70)
        for text in [long, short, "é" + long, "small", "", "a literal of more than fifteen bytes"] {
          expectEqual(words(house.text(text)), words(text))
          expectEqual(words(house.kept(text)), words(text))
        }
        let (numbers, text) = house.pair([1, 2], long)
        #expect(numbers == [1, 2] && words(text) == words(long))
        let array = Array(0..<40)
        expectEqual(words(house.kept(array)), words(array))
        expectEqual(words(house.kept(array[3..<9])), words(array[3..<9]))
        expectEqual(words(house.kept(ContiguousArray(array[...]))).count, 8)
        let set = Set(array)
        expectEqual(words(house.kept(set)), words(set))
        let mixed: [Any] = [1, 2.5, long, array, Purse(coins: 1), Cell(2), ["k": 1]]
        expectEqual(words(house.kept(mixed)), words(mixed))
        #expect((house.any(mixed) as? [Any]).map { words($0) } == words(mixed))
        let pairs = [(1, long), (2, "b")]
        expectEqual(words(house.kept(pairs)), words(pairs))
      }
    }

    static let changes = [
      "v[2] = 9 return original(self, v)",
      "rawset(v, 2, 9) return original(self, v)",
      "table.remove(v, 2) table.insert(v, 2, 9) return original(self, v)",
      "table.move({ 9 }, 1, 1, 2, v) return original(self, v)",
      "coroutine.wrap(function() v[2] = 9 end)() return original(self, v)",
      "table.sort(v, function(a, b) return a > b end) v[1], v[2], v[3] = 1, 9, 3 return original(self, v)",
      "local r = original(self, v) r[2] = 9 return r",
      "local r = original(self, v) v[2] = 9 return v",
      "pcall(function() v[2] = 9 error('x') end) return original(self, v)",
      "return original(self, { 1, 9, 3 })",
      "if old then old[2] = 9 return original(self, old) end old = v v[2] = 9 return original(self, v)",
    ]

    @Test(arguments: changes)
    func `what Lua has changed is another one`(body: String) throws {
      try withPatch(
        """
        local H, old = class "PassThrough.Storehouse"
        function H:integers(v) \(body) end
        function H:decimals(v) \(body) end
        function H:kept(v) \(body) end
        """
      ) {
        for _ in 0..<2 {
          expectEqual(house.integers([1, 2, 3]), [1, 9, 3])
          expectEqual(house.decimals([1, 2, 3]), [1, 9, 3])
          expectEqual(house.kept([1, 2, 3]), [1, 9, 3])
          expectEqual(house.kept(ContiguousArray([1, 2, 3])), [1, 9, 3])
        }
        expectEqual(faults(), [])
      }
    }

    @Test func `changes inside of what is in a table`() throws {
      try withPatch(
        """
        local H = class "PassThrough.Storehouse"
        function H:rows(v) v[1][2] = 9 return original(self, v) end
        function H:purses(v) v[1].log = { "new" } v[2].coins = 9 return original(self, v) end
        function H:counts(v) v[1][1] = 9 return original(self, v) end
        function H:texts(v) v[1] = "e\\u{301}" return original(self, v) end
        function H:kept(v) v["e\\u{301}"], v["\\u{e9}"] = v["\\u{e9}"] return original(self, v) end
        function H:flags(v) v[1] = not v[1] v[1] = not v[1] return original(self, v) end
        function H:decimals(v) v[1] = -v[1] return original(self, v) end
        """
      ) {
        expectEqual(house.rows([[1, 2], [3]]), [[1, 9], [3]])
        let purses = house.purses([Purse(coins: 1), Purse(coins: 2)])
        #expect(purses[0].log == ["new"] && purses[1].coins == 9)
        expectEqual(house.counts([1: [1, 2], 2: [3]]), [1: [9, 2], 2: [3]])
        expectEqual(Array(house.texts(["\u{e9}"])[0].utf8), [0x65, 0xcc, 0x81])
        let kept = house.kept(["\u{e9}": 1])
        expectEqual(kept.keys.first.map { Array($0.utf8) }, [0x65, 0xcc, 0x81])
        expectEqual(house.flags([true, false]), [true, false])
        expectEqual(house.decimals([0.0])[0].sign, .minus)
        expectEqual(faults(), [])
      }
    }

    @Test func `arguments that are swapped, or passed twice`() throws {
      try withPatch(
        """
        local H = class "PassThrough.Storehouse"
        function H:two(a, b) return original(self, b, a) end
        function H:twoTexts(a, b) return original(self, b, a) end
        """
      ) {
        let (first, second) = ([1, 2], [3])
        let swapped = house.two(first, second)
        #expect(words(swapped.0) == words(second) && words(swapped.1) == words(first))
        expectEqual(house.twoTexts(long, "b"), "b," + long)
        expectEqual(house.twoTexts(long, long + "x"), long + "x," + long)
      }
      try withPatch(
        """
        local H = class "PassThrough.Storehouse"
        function H:two(a, b) return original(self, a, a) end
        function H:twoTexts(a, b) return original(self, b, b .. "x") end
        """
      ) {
        let same = house.two([1, 2], [3])
        #expect(same.0 == [1, 2] && same.1 == [1, 2])
        expectEqual(house.twoTexts("a", long), long + "," + long + "x")
      }
    }

    @Test func `an initializer keeps the array that it was given`() throws {
      let patch = """
        class("PassThrough.Storehouse")["init(_:)"] = function(self, v) return original(self, v) end
        """
      try withPatch(patch) {
        let numbers = Array(0..<40)
        expectEqual(words(Storehouse(numbers).numbers), words(numbers))
        expectEqual(faults(), [])
      }
    }

    @Test func `async functions`() async throws {
      let patch = """
        local H = class "PassThrough.Storehouse"
        function H:later(v, text) return original(self, v, text) end
        function H:textLater(v) return self:ORIGtextLater(v) end
        """
      let session = try WaxwingEngine.start(text: patch, name: "untouched")
      let numbers = Array(0..<40)
      let result = await house.later(numbers, long)
      #expect(words(result.0) == words(numbers) && words(result.1) == words(long))
      let text = await house.textLater(long)
      expectEqual(words(text), words(long))
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    // MARK: Variables

    static let growing = [
      "return original(a, t, last)",
      "local r, b, u = original(a, t, last) return r, b, u",
      "n = n + #a return original(a, t, last)",
    ]

    @Test(arguments: growing)
    func `inout arguments are changed in place`(body: String) throws {
      try withPatch("local M, n = module 'PassThrough', 0 function M.grow(a, t, last) \(body) end")
      {
        var numbers = [1]
        numbers.reserveCapacity(100)
        let place = words(numbers)
        var text = long
        for count in 2..<5 {
          let isInPlace = try grow(&numbers, &text, isLast: false)
          expectEqual(isInPlace, true)
          expectEqual(numbers.count, count)
          expectEqual(text, long + String(repeating: "!", count: count - 1))
        }
        let thrown = try? grow(&numbers, &text, isLast: true)
        expectEqual(thrown, nil)
        #expect(numbers.count == 5 && text.hasSuffix("g!!!!") && words(numbers) == place)
        expectEqual(faults(), [])
      }
    }

    @Test(arguments: [
      ("a[1] = 7 return original(a, t, last)", [7, 1]),
      ("original(a, t, last) return false, a, t", [5]),
      ("original(a, t, last) return original(a, t, last)", [5, 1]),
      ("local _, b, u = original(a, t, last) return original(b, u, last)", [5, 1, 1]),
      ("local _, b, u = original(a, t, last) b[1] = 8 return false, b, u", [8, 1]),
      ("pcall(original, a, t, true) return original(a, t, last)", [5, 1]),
      ("original(a, t, last) error('too late')", [5, 1]),
    ])
    func `a variable is what Lua says in the end`(body: String, result: [Int]) throws {
      try withPatch("local M = module 'PassThrough' function M.grow(a, t, last) \(body) end") {
        var numbers = [5]
        var text = "t"
        _ = try? grow(&numbers, &text, isLast: false)
        expectEqual(numbers, result)
      }
    }

    @Test func `Lua code that runs while a variable is changed`() throws {
      try withPatch(
        """
        local M = module "PassThrough"
        function M.gather(a, body)
          return original(a, function(x)
            if #x == 1 and x[1] == 2 then original({}, function(y) return body(y) end) end
            return body(a)
          end)
        end
        """
      ) {
        var numbers = [7]
        numbers.reserveCapacity(100)
        let place = words(numbers)
        var seen: [[Int]] = []
        gather(&numbers) { value in
          seen.append(value)
          return value.map { $0 + 1 }
        }
        #expect(numbers == [7, 8, 8, 8] && words(numbers) == place)
        expectEqual(seen, [[7], [1], [2], [3], [7], [7]])
        expectEqual(faults(), [])
      }
    }

    @Test func `self of a struct is changed in place`() throws {
      try withPatch(
        """
        local M = module "PassThrough"
        function M.Shelf:add(number) return original(self, number) end
        """
      ) {
        var shelf = Shelf()
        shelf.numbers.reserveCapacity(100)
        let place = words(shelf.numbers)
        for number in 1..<5 {
          let isInPlace = shelf.add(number)
          expectEqual(isInPlace, true)
        }
        #expect(shelf.numbers == [1, 2, 3, 4] && words(shelf.numbers) == place)
        expectEqual(faults(), [])
      }
      try withPatch(
        """
        local M = module "PassThrough"
        function M.Shelf:add(number)
          kept = self.numbers
          original(self, number)
          return #self.numbers == #kept + 1 and original(self, number + 10)
        end
        """
      ) {
        var shelf = Shelf()
        _ = shelf.add(1)
        expectEqual(shelf.numbers, [1, 11])
        expectEqual(faults(), [])
      }
    }
  }
}
